// The package's README, whose lines tests run.
import { readFileSync } from 'node:fs';

/** The README's lines that have these words. */
export function lines(words) {
  const [block] = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    .match(/```js\n[^]*?```/g)
    .filter((lines) => lines.includes(words));
  return block.slice(6, -3);
}

/** A function of these lines, with what they name as arguments. result: of what they make. */
export const readme = (words, names, result = '') => new Function(...names, `${lines(words)}return ${result};`);
