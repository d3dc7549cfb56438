// Names and sentences.
export const stem = (name) => name.replace(/\.[^.]*$/, '');
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
/** The first five, and how many more there are. */
export const listed = (all, by = ', ') => all.slice(0, 5).join(by) + (all.length > 5 ? `${by}and ${all.length - 5} more` : '');

/** The last part of a uri, as people write it. */
export function fileName(uri) {
  const name = uri.split('/').pop();
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What an error of a file says to people. */
export function inWords(error) {
  if (/call stack/i.test(error.message)) return 'It is nested too deeply for this page.';
  if (error instanceof TypeError || error instanceof RangeError) return 'It is damaged: its parts do not fit together.';
  return sentence(error.message.replace(/^THREE\.\w+: /, ''));
}
