// The page: what its controls do.
import { Box3, Vector3 } from 'three';
import { loadPlayer } from 'quatsimd';
import { Chart } from './chart.js';
import { colourOf, gradient } from './colours.js';
import { Crowd, PEOPLE } from './crowd.js';
import { Encoding } from './encoding.js';
import { Timeline } from './errors.js';
import { dropped, mainOf } from './folder.js';
import { formsOf } from './forms.js';
import { framesOf } from './frames.js';
import { listen } from './keys.js';
import { close, open } from './open.js';
import { Reading } from './reading.js';
import { Show, namesOf } from './show.js';
import { errorsOf, glbNoteOf, refusalOf, statusOf, whyNoErrors } from './sentences.js';
import { listClips, listParts } from './tables.js';
import { atMost, bytes, millimetres, round, seconds } from './units.js';
import { Views } from './views.js';
import { inWords, sentence, stem } from './words.js';

const $ = (id) => document.getElementById(id);
const OPENING = { Fox: 'Run', Knight: 'Running_A' }; // what a sample begins with

const views = new Views($('canvas'), $('views'), [$('left'), $('right'), $('all')]);
const encoding = new Encoding();
const chart = new Chart($('chart'), (t) => seek(t));
const player = await loadPlayer();

let show, subject, timeline, frames, crowd; // what is open
let forms, form; // forms of the bound: all that the file has, and the one that counts. See forms.js
let encoded; // the last whole bundle: what Encoding is done with
let time = 0,
  duration = 0,
  isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches;
let opening = 0, // counts files, so that only the last one is shown
  choosing = 0, // and animations, so that only the last one is shown
  isChoosing = false,
  isPacking = false;
let lastReading; // of the file that was opened last

const say = (text) => ($('status').textContent = text);
const complain = (text) => ($('trouble').textContent = text);
const bound = () => round(10 ** Number($('bound').value), 3); // mm

// ---- files

// getFiles: gives them, main and others. first: the animation to begin with.
async function openAll(name, getFiles, first) {
  const turn = ++opening;
  say(`Opening ${name} …`);
  document.body.classList.add('busy');
  if (lastReading !== subject?.reading) lastReading?.close(); // nobody waits for it
  lastReading = undefined;
  let next;
  try {
    const files = await getFiles();
    ({ name } = mainOf(files));
    next = await open(files, player, () => (lastReading = new Reading((done, of) => turn === opening && tellReading(name, done, of))));
    const names = namesOf(next),
      start = names.includes(first) ? first : names[0],
      keys = await keysOf(next, start);
    if (turn !== opening) return close(next);
    present(next, start, keys);
    complain('');
  } catch (error) {
    if (next && next !== subject) close(next);
    if (turn !== opening) return;
    console.warn(error);
    $('progress').max = $('progress').value = 1;
    say(subject ? `${subject.name} is still shown.` : '');
    complain(`${name} cannot be shown. ${inWords(error)}`);
  } finally {
    if (turn === opening) document.body.classList.remove('busy');
  }
}

function tellReading(name, done, of) {
  $('progress').max = of;
  $('progress').value = done;
  say(`Reading ${done} of ${of} animations of ${name} …`);
}

const keysOf = ({ source, reading }, name) => source && reading.animation(source.animations.findIndex((one) => one.name === name));

const openSample = (name) =>
  openAll(
    `${name}.glb`,
    async () => {
      const answer = await fetch(`models/${name}.glb`);
      if (!answer.ok) throw new Error(`The server says ${answer.status} ${answer.statusText}.`);
      return [new File([await answer.arrayBuffer()], `${name}.glb`)];
    },
    OPENING[name],
  );

function present(next, start, keys) {
  const nextShow = new Show(next, views.scenes);
  forms = formsOf(next, nextShow);
  encoding.stop();
  if (show) setCrowd(false);
  show?.dispose();
  if (subject) close(subject);
  [show, subject, encoded] = [nextShow, next, undefined];
  document.body.classList.toggle('single', !subject.source);
  document.title = `${subject.name}: libquatsimd`;
  $('animation').replaceChildren(...show.names.map((name) => new Option(name || '(no name)', name)));
  $('animation').value = start;
  $('mesh').disabled = !show.hasMesh;
  $('unit').textContent = subject.why;
  $('notes').replaceChildren(...subject.notes.map((note) => Object.assign(document.createElement('li'), { textContent: note })));
  $('bound').disabled = !subject.source;
  chooseForm();
  $('left-bytes').textContent = subject.source ? `${bytes(subject.before.all)} of keys` : '';
  $('right-bytes').textContent = '';
  $('clips').parentElement.hidden = true;
  setLook();
  choosing += 1; // of the file before, nothing
  isChoosing = isPacking = false;
  begin(start, keys);
  if (subject.source) encode();
  else presentBundle();
}

// ---- animation and time

async function choose(name) {
  const turn = ++choosing;
  if (!subject.source) return begin(name);
  isChoosing = true;
  timeline = undefined;
  chart.clear();
  $('errors-text').textContent = 'Reading its keys …';
  try {
    const keys = await keysOf(subject, name);
    if (turn === choosing) begin(name, keys);
  } catch (error) {
    if (turn !== choosing) return;
    complain(`${name} cannot be shown. ${inWords(error)}`);
    $('animation').value = show.name;
    measure();
  } finally {
    if (turn === choosing) isChoosing = false;
  }
}

function begin(name, keys) {
  duration = show.choose(name, keys);
  frames = framesOf(subject, name, keys);
  show.frame(duration);
  look();
  $('time').max = duration || 1;
  $('time').step = duration / 1000 || 0.001;
  $('time').disabled = duration === 0;
  seek(0);
  measure();
  if ($('crowd').checked) startCrowd();
}

function seek(t) {
  time = t;
  views.isDirty = true;
}

function setPlaying(playing) {
  isPlaying = playing;
  $('play').textContent = playing ? 'Pause' : 'Play';
}

function advance(passed) {
  if (!isPlaying || duration === 0) return;
  views.isDirty = true;
  time += passed * Number($('speed').value);
  if (time <= duration) return;
  if ($('loop').checked) time %= duration;
  else (time = duration), setPlaying(false);
}

// ---- encoding

let waiting; // for the slider of the bound to stand still
function encodeSoon() {
  showBound();
  encoding.stop();
  timeline = undefined;
  chart.clear();
  $('off').textContent = $('errors-text').textContent = 'Encoding …';
  clearTimeout(waiting);
  waiting = setTimeout(encode, 250);
}

function encode() {
  clearTimeout(waiting);
  waiting = undefined;
  if (!subject?.source) return;
  const { source, before, glb, reading } = subject;
  encoded = undefined;
  complain('');
  listParts($('bytes').tBodies[0], subject);
  setDownloads();
  encoding.start(
    {
      source,
      first: $('animation').value,
      bounds: form.bounds(bound()),
      keys: new Map(show.names.map((name, a) => [name, before.views[a]])),
      glb,
    },
    reading,
    {
      progress(done, of) {
        $('progress').max = of;
        if (of > 1) $('progress').value = done;
        else $('progress').removeAttribute('value'); // who knows how long it takes
        // a screen reader hears of it now and then
        if (done === of) say('Making the files …');
        else if (of < 10 || done % 10 === 0) say(`Encoding clip ${done + 1} of ${of} …`);
      },
      bundle: play,
      done(all) {
        encoded = all;
        $('progress').value = $('progress').max;
        play(all.bundle);
        presentBundle();
      },
      error(words) {
        say('');
        complain(`${subject.name} cannot be encoded. ${sentence(words)}`);
      },
    },
  );
}

function play(bundle) {
  show.play(player.openBundle(bundle));
  views.isDirty = true;
  measure();
  if ($('crowd').checked) startCrowd();
}

function presentBundle() {
  const { source } = subject;
  $('progress').max = $('progress').value = 1;
  say(statusOf(subject, encoded));
  if (encoded?.refused.size) complain(refusalOf(subject, encoded));
  $('right-bytes').textContent = source ? `${bytes(encoded.bundle.byteLength)}, skeleton included` : bytes(subject.bundleBytes);
  listParts($('bytes').tBodies[0], subject, encoded);
  listClips($('clips').querySelector('tbody'), subject, encoded, bound());
  $('clips').parentElement.hidden = !source;
  setDownloads();
  if (source && !subject.packed) comparePacked(subject);
}

async function comparePacked(it) {
  it.packed = {};
  isPacking = true;
  let packed = {};
  try {
    packed = await it.reading.pack();
  } catch (error) {
    if (it === subject) console.warn(error); // the table is without these bytes
  }
  if (it !== subject) return;
  it.packed = packed;
  isPacking = false;
  listParts($('bytes').tBodies[0], it, encoded);
}

function setDownloads() {
  $('save-qsb').disabled = !encoded;
  $('save-glb').disabled = !encoded?.glb;
  $('glb-note').textContent = glbNoteOf(subject, encoded);
}

function save(data, name) {
  const url = URL.createObjectURL(new Blob([data], { type: 'application/octet-stream' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  say(`${name} is saved: ${bytes(data.byteLength)}.`);
}

// ---- errors

function showBound() {
  const text = millimetres(bound());
  $('bound-text').textContent = text;
  $('bound').setAttribute('aria-valuetext', text);
}

function chooseForm() {
  form = ($('form').value === 'mesh' && forms.mesh) || forms.points;
  $('forms').hidden = !forms.mesh;
  $('bound-what').textContent = form.what;
}

function measure() {
  timeline = show.isCompared && form.isMeasured ? new Timeline(duration) : undefined;
  chart.clear();
  $('off').textContent = timeline ? 'Measuring …' : '';
  $('errors-text').textContent = timeline ? 'Measuring …' : whyNoErrors(subject, encoded, show.name, form);
  if (timeline) setTimeout(measureOn, 0, timeline);
}

// Between frames, and what is drawn is posed again.
function measureOn(it) {
  if (it !== timeline) return;
  it.work((t) => (show.pose(t), form.worst()), 8);
  if (!it.isDone) return setTimeout(measureOn, 0, it);
  const { times, errors, worst } = it;
  chart.draw({ times, errors, bound: bound(), duration });
  $('errors-text').textContent = errorsOf(it, form, bound());
  $('off').replaceChildren(
    `${form.no} `,
    Object.assign(document.createElement('b'), { textContent: atMost(errors[worst]) }),
    ` in ${show.name || 'this animation'}.`,
  );
}

function colourBones() {
  if (!show.isCompared || !form.isMeasured) {
    show.bones[1].colour(() => [205, 213, 224]);
    $('worst-now').textContent = '';
    return;
  }
  const shares = form.shares(bound()),
    [worst, place] = form.worst();
  show.bones[1].colour((j) => colourOf(shares[j]));
  $('worst-now').textContent = `Worst now: ${millimetres(worst)}, ${form.place(place)}`;
}

// ---- the crowd

function stopCrowd() {
  crowd?.removeFromParent();
  crowd?.dispose();
  crowd = undefined;
}

function startCrowd() {
  stopCrowd();
  if (!show?.isCompressed) return;
  const box = show.box.getSize(new Vector3()),
    spacing = 0.8 * Math.max(box.x, box.z, 0.5 * box.y);
  views.scenes[2].add((crowd = new Crowd(show.bundle, show.name, show.bones[1].pairs, spacing)));
}

function setCrowd(on) {
  if (on) startCrowd();
  else stopCrowd();
  $('crowd').checked = on;
  $('crowd-cost').textContent = on ? 'The crowd comes when the animation is encoded.' : '';
  document.body.classList.toggle('crowd', on);
  $('all').hidden = !on;
  look();
}

function look() {
  const { box } = show,
    size = box.getSize(new Vector3());
  if (!$('crowd').checked) return views.lookAt(box);
  views.lookAt(
    new Box3().setFromCenterAndSize(
      box.getCenter(new Vector3()).add(new Vector3(0, 0, -4 * size.y)),
      new Vector3(10 * size.y, size.y, 8 * size.y),
    ),
    1.1,
  );
}

function poseCrowd() {
  crowd.pose(time);
  const { cost } = crowd,
    clip = encoded?.sizes.get(show.name),
    keys = subject.before?.each[show.names.indexOf(show.name)];
  $('crowd-cost').textContent =
    `${PEOPLE.toLocaleString('en')} poses from the compressed clip, ${round(cost)} µs each, with the lines that are drawn.` +
    (clip ? ` All play one clip of ${bytes(clip)}; its keys take ${bytes(keys)}.` : '');
}

// ---- controls

function setLook() {
  if (!show) return;
  show.showsMesh = $('mesh').checked && show.hasMesh;
  show.showsBones = $('bones').checked || !show.hasMesh;
  views.isDirty = true;
}

$('file').onchange = () => {
  const files = [...$('file').files];
  if (files.length) openAll(mainOf(files).name, () => files);
  $('file').value = '';
};
for (const button of document.querySelectorAll('[data-sample]')) button.onclick = () => openSample(button.dataset.sample);
$('play').onclick = () => {
  if (!isPlaying && !$('loop').checked && time >= duration) seek(0);
  setPlaying(!isPlaying);
};
$('time').oninput = () => (setPlaying(false), seek(Number($('time').value)));
$('animation').onchange = () => choose($('animation').value);
$('mesh').onchange = $('bones').onchange = setLook;
$('crowd').onchange = () => setCrowd($('crowd').checked);
$('bound').oninput = encodeSoon;
$('form').onchange = () => (chooseForm(), encodeSoon());
$('save-qsb').onclick = () => save(encoded.bundle, `${stem(subject.name)}.qsb`);
$('save-glb').onclick = () => save(encoded.glb, `${stem(subject.name)}-quatsimd.glb`);

listen($('time'), {
  play: () => $('play').click(),
  step: (by) => subject && (setPlaying(false), seek(frames.step(time, by))),
  end: (last) => (setPlaying(false), seek(last ? duration : 0)),
});
let inside = 0; // elements that something is dragged over
const dragged = (event, by) => {
  if (![...event.dataTransfer.types].includes('Files')) return;
  event.preventDefault();
  inside = Math.max(inside + by, 0);
  $('drop').hidden = inside === 0;
};
addEventListener('dragenter', (event) => dragged(event, 1));
addEventListener('dragleave', (event) => dragged(event, -1));
addEventListener('dragover', (event) => dragged(event, 0));
addEventListener('drop', (event) => {
  event.preventDefault();
  inside = 0;
  $('drop').hidden = true;
  const what = dropped(event.dataTransfer);
  if (what) openAll(what.name, what.getFiles);
});

// ---- what is drawn

let lastDrawn = performance.now();
function draw(now) {
  requestAnimationFrame(draw);
  const passed = Math.min((now - lastDrawn) / 1000, 0.1);
  lastDrawn = now;
  if (!show) return;
  advance(passed);
  if (views.isDirty) {
    show.pose(time);
    if (!crowd) views.follow(show.offset);
    show.bones.forEach((bones) => bones?.update());
    colourBones();
    if (crowd) poseCrowd();
    $('time').value = time;
    $('time').setAttribute('aria-valuetext', seconds(time));
    $('now').textContent = `${seconds(time)} of ${seconds(duration)}`;
    $('frame').textContent = frames.words(time);
    chart.time(time);
  }
  views.draw();
  if (crowd?.isBehind) views.isDirty = true; // the others come in the next frame
}

$('gradient').style.backgroundImage = gradient;
$('no-webgl').hidden = Boolean(views.renderer);
setPlaying(isPlaying);
showBound();
requestAnimationFrame(draw);
openSample('Fox');

// For tests, and for the curious.
globalThis.quatsimdPage = {
  seek,
  play, // bytes of another bundle
  get bones() {
    return show.bones[1].count;
  }, // how many are drawn
  get isBusy() {
    return (
      encoding.isBusy ||
      isChoosing ||
      isPacking ||
      waiting !== undefined ||
      Boolean(timeline && !timeline.isDone) ||
      (!isPlaying && Boolean(crowd?.isBehind)) ||
      document.body.classList.contains('busy')
    );
  },
  get memory() {
    return { wasm: player.memory, ...views.renderer?.info.memory };
  },
};
