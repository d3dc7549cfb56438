// Pixels of a PNG of 8 bits without interlacing, as browsers write screenshots.
import { inflateSync } from 'node:zlib';

const paeth = (a, b, c) => {
  const p = a + b - c,
    [pa, pb, pc] = [a, b, c].map((x) => Math.abs(p - x));
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};

export function readPng(file) {
  const bytes = Buffer.from(file),
    data = [];
  let width, height, channels;
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8),
      content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    if (type === 'IDAT') data.push(content);
    if (type === 'IHDR') [width, height, channels] = [content.readUInt32BE(0), content.readUInt32BE(4), { 2: 3, 6: 4 }[content[9]]];
  }
  const raw = inflateSync(Buffer.concat(data)),
    row = width * channels,
    pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; i++) {
      const a = i >= channels ? pixels[y * row + i - channels] : 0,
        b = y ? pixels[(y - 1) * row + i] : 0,
        c = y && i >= channels ? pixels[(y - 1) * row + i - channels] : 0;
      pixels[y * row + i] = raw[y * (row + 1) + 1 + i] + [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
    }
  }
  return { width, height, channels, pixels };
}

/** The share of pixels of which a colour differs by more than 24 of 255. */
export function difference(one, other) {
  let count = 0;
  for (let p = 0; p < one.width * one.height; p++)
    if ([0, 1, 2].some((c) => Math.abs(one.pixels[p * one.channels + c] - other.pixels[p * other.channels + c]) > 24)) count += 1;
  return count / (one.width * one.height);
}

/** The share of pixels that are light, as bones of an original are, and the grid behind them is not. */
export const lightShare = ({ pixels, channels }) => {
  let count = 0;
  for (let p = 0; p < pixels.length; p += channels) if (Math.min(pixels[p], pixels[p + 1], pixels[p + 2]) > 140) count += 1;
  return (count * channels) / pixels.length;
};

/** The first and the last row with such a light pixel. */
export function lightRows({ width, pixels, channels }) {
  const rows = [];
  for (let p = 0; p < pixels.length; p += channels)
    if (Math.min(pixels[p], pixels[p + 1], pixels[p + 2]) > 140) rows.push(Math.floor(p / channels / width));
  return [rows[0], rows.at(-1)];
}

/** How many colours there are, each by its upper four bits: an empty view has few. */
export const colours = ({ pixels, channels }) =>
  new Set(Array.from({ length: pixels.length / channels }, (_, p) => pixels.readUIntBE(p * channels, 3) & 0xf0f0f0)).size;
