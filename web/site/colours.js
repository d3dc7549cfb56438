// The colours of errors: the upper two thirds of viridis, whose order people see who do not tell red from green.
const STOPS = [
  [0x3e, 0x4a, 0x89],
  [0x2c, 0x72, 0x8e],
  [0x21, 0x91, 0x8c],
  [0x28, 0xae, 0x80],
  [0x5e, 0xc9, 0x62],
  [0xad, 0xdc, 0x30],
  [0xfd, 0xe7, 0x25],
];

/** share: of the bound, 0 to 1. Red, green and blue, 0 to 255. */
export function colourOf(share) {
  const at = Math.min(Math.max(share, 0), 1) * (STOPS.length - 1),
    i = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[i].map((from, c) => from + (STOPS[i + 1][c] - from) * (at - i));
}

/** The same for style sheets, from left to right. */
export const gradient = `linear-gradient(to right, ${STOPS.map((stop) => `rgb(${stop.join(' ')})`).join(', ')})`;
