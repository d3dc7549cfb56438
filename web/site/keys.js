// Keys that people press anywhere on the page. Views, and controls other than the slider of the time, keep the arrows that they need.
const NEXT = { ',': -1, '.': 1, ArrowLeft: -1, ArrowRight: 1 },
  IN_TIME = { ...NEXT, ArrowDown: -1, ArrowUp: 1 };

/** time: the slider of the time. on: play(), step(by: frames), end(last: to the last time, else to the first). */
export function listen(time, { play, step, end }) {
  addEventListener('keydown', (event) => {
    const { key, target, shiftKey } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const keeps = target !== time && target.closest('select, input[type=range], .scroll'),
      by = (target === time ? IN_TIME : NEXT)[key];
    if (key === ' ') event.repeat || play();
    else if (key === 'Enter' && target.type === 'checkbox') target.click();
    else if (by && !(keeps && key.startsWith('Arrow'))) step(shiftKey ? 10 * by : by);
    else if ((key === 'Home' || key === 'End') && !keeps) end(key === 'End');
    else return;
    event.preventDefault();
  });
  // a button would be pressed when the key comes up
  addEventListener('keyup', (event) => event.key === ' ' && event.preventDefault());
}
