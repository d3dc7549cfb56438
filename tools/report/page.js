/* A press on a heading sorts its table: numbers falling, names rising; the next press turns that round. */
document.querySelectorAll('table.sort thead th').forEach((th, column) => {
  const button = document.createElement('button');
  button.append(...th.childNodes);
  th.append(button);
  button.onclick = () => {
    const sorted = th.getAttribute('aria-sort');
    const rising = sorted ? sorted === 'descending' : column === 0;
    th.parentNode.querySelectorAll('th').forEach((other) => other.removeAttribute('aria-sort'));
    th.setAttribute('aria-sort', rising ? 'ascending' : 'descending');
    const body = th.closest('table').tBodies[0];
    const name = (row) => row.cells[0].textContent,
      value = (row) => row.cells[column].dataset.v;
    const compare = column ? (a, b) => value(a) - value(b) : (a, b) => name(a).localeCompare(name(b));
    body.append(...[...body.rows].sort((a, b) => (rising ? compare(a, b) : compare(b, a))));
  };
});
