// Errors over time, the bound and the time now, as SVG. People may point at a time.
import { millimetres, round, seconds } from './units.js';

const NS = 'http://www.w3.org/2000/svg';
const LEFT = 48,
  RIGHT = 10,
  TOP = 12,
  BOTTOM = 26;

function add(parent, name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

// Round numbers from 0 to `most`, some four.
function ticks(most) {
  const rough = most / 4,
    power = 10 ** Math.floor(Math.log10(rough)),
    step = [1, 2, 5, 10].find((s) => s * power >= rough) * power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => round(i * step, 6));
}

export class Chart {
  #svg;
  #cursor;
  #x = () => 0;
  #drawn;

  /** onTime(t): somebody points at a time. */
  constructor(svg, onTime) {
    this.#svg = svg;
    const point = (event) => {
      if (!this.#drawn || (event.type === 'pointermove' && !event.buttons)) return;
      const { left, width } = svg.getBoundingClientRect(),
        share = (event.clientX - left - LEFT) / (width - LEFT - RIGHT);
      onTime(Math.min(Math.max(share, 0), 1) * this.#drawn.duration);
    };
    svg.addEventListener('pointerdown', point);
    svg.addEventListener('pointermove', point);
    new ResizeObserver(() => this.#drawn && this.draw(this.#drawn)).observe(svg);
  }

  clear() {
    this.#drawn = undefined;
    this.#svg.replaceChildren();
  }

  /** it: { times, errors, bound (mm), duration }. */
  draw(it) {
    const svg = this.#svg,
      { width, height } = svg.getBoundingClientRect();
    this.#drawn = it;
    svg.replaceChildren();
    if (!width) return;
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const { times, errors, bound, duration } = it,
      most = 1.2 * Math.max(bound, ...errors);
    const x = (this.#x = (t) => LEFT + ((width - LEFT - RIGHT) * t) / (duration || 1)),
      y = (e) => height - BOTTOM - ((height - TOP - BOTTOM) * e) / most;
    for (const tick of ticks(most)) {
      add(svg, 'line', { x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick), class: 'rule' });
      add(svg, 'text', { x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end' }, String(tick));
    }
    for (const tick of ticks(duration || 1).slice(0, -1))
      add(svg, 'text', { x: x(tick), y: height - 8, 'text-anchor': 'middle' }, String(tick));
    add(svg, 'text', { x: width - RIGHT, y: height - 8, 'text-anchor': 'end' }, seconds(duration));
    add(svg, 'text', { x: LEFT - 6, y: height - 8, 'text-anchor': 'end' }, 'mm');
    add(svg, 'line', { x1: LEFT, x2: width - RIGHT, y1: y(bound), y2: y(bound), class: 'bound' });
    add(svg, 'text', { x: width - RIGHT, y: y(bound) - 5, 'text-anchor': 'end', class: 'bound-text' }, `bound ${millimetres(bound)}`);
    const path = Array.from(errors, (error, i) => `${i ? 'L' : 'M'}${x(times[i]).toFixed(1)} ${y(error).toFixed(1)}`).join('');
    add(svg, 'path', { d: path, class: 'errors' });
    this.#cursor = add(svg, 'line', { y1: TOP, y2: height - BOTTOM, class: 'cursor' });
    this.time(this.now ?? 0);
  }

  time(t) {
    this.now = t;
    if (!this.#drawn || !this.#cursor) return;
    this.#cursor.setAttribute('x1', this.#x(t));
    this.#cursor.setAttribute('x2', this.#x(t));
  }
}
