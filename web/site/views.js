// The two views: one camera, which looks at the original in one box and at the compressed in the other.
import { DirectionalLight, GridHelper, HemisphereLight, PerspectiveCamera, Scene, Spherical, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const KEYS = {
  ArrowLeft: [-1, 0, 1],
  ArrowRight: [1, 0, 1],
  ArrowUp: [0, -1, 1],
  ArrowDown: [0, 1, 1],
  '+': [0, 0, 1 / 1.1],
  '=': [0, 0, 1 / 1.1],
  '-': [0, 0, 1.1],
};

const TURN = 0.7; // radians to the side
const MARGIN = 1.2; // the view is so much larger than the box, since bones end beyond their joints

// The distance from which all corners of a box are in the view.
function distanceTo(box, steepness, fov, aspect) {
  const half = box.getSize(new Vector3()).divideScalar(2),
    tall = Math.tan((fov / 2) * (Math.PI / 180)) / MARGIN,
    wide = tall * aspect;
  const to = new Vector3().setFromSphericalCoords(1, steepness, TURN),
    right = new Vector3(0, 1, 0).cross(to).normalize(),
    up = to.clone().cross(right);
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
    new Vector3(bits & 1 ? 1 : -1, bits & 2 ? 1 : -1, bits & 4 ? 1 : -1).multiply(half),
  );
  return Math.max(
    1e-6,
    ...corners.map((corner) => corner.dot(to) + Math.max(Math.abs(corner.dot(up)) / tall, Math.abs(corner.dot(right)) / wide)),
  );
}

function litScene() {
  const scene = new Scene(),
    sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(1, 2, 3);
  return scene.add(new HemisphereLight(0xffffff, 0x667788, 2), sun);
}

function rendererOf(canvas) {
  try {
    return new WebGLRenderer({ canvas, alpha: true, antialias: true });
  } catch {
    return undefined; // no WebGL here
  }
}

export class Views {
  #boxes;
  #home;
  #grids = [];
  #followed = new Vector3();

  /** stage: the element that the boxes are in, and that people turn. boxes: elements, one for each scene. */
  constructor(canvas, stage, boxes) {
    this.canvas = canvas;
    this.#boxes = boxes;
    this.scenes = boxes.map(litScene);
    this.camera = new PerspectiveCamera(35);
    this.renderer = rendererOf(canvas);
    this.controls = new OrbitControls(this.camera, stage);
    this.controls.addEventListener('change', () => (this.isDirty = true));
    stage.style.touchAction = 'pan-y pinch-zoom'; // a phone's page scrolls, too
    stage.addEventListener('keydown', (event) => this.#key(event));
    this.isDirty = true;
    for (const lost of [true, false])
      canvas.addEventListener(lost ? 'webglcontextlost' : 'webglcontextrestored', () => {
        stage.classList.toggle('lost', lost);
        this.isDirty = true;
      });
    new ResizeObserver(() => (this.isDirty = true)).observe(stage);
  }

  /** Looks at a box, from above and aside. steepness: 0 from straight above. */
  lookAt(box, steepness = 1.25) {
    const centre = box.getCenter(new Vector3()),
      radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6);
    this.#home = { box, centre, steepness };
    this.#followed.set(0, 0, 0);
    this.camera.near = radius / 100;
    this.camera.far = radius * 100;
    this.reset();
    for (const grid of this.#grids) grid.removeFromParent(), grid.dispose();
    this.#grids = this.scenes.map((scene) => {
      const grid = new GridHelper(8 * radius, 16, 0x9fb0c4, 0x748396);
      grid.position.set(centre.x, box.min.y, centre.z);
      grid.material.transparent = true;
      grid.material.opacity = 0.5;
      scene.add(grid);
      return grid;
    });
  }

  reset() {
    const { box, centre, steepness } = this.#home,
      { width, height } = (this.#boxes.find((box) => box.clientWidth) ?? this.#boxes[0]).getBoundingClientRect(),
      aspect = width / height || 1;
    this.controls.target.copy(centre);
    this.camera.position.setFromSpherical(new Spherical(distanceTo(box, steepness, this.camera.fov, aspect), steepness, TURN)).add(centre);
    this.controls.update();
    this.isDirty = true;
  }

  /** Goes with what it looks at, which is so far from where it was then. */
  follow(offset) {
    const by = offset.clone().sub(this.#followed);
    this.#followed.copy(offset);
    for (const point of [this.#home.centre, this.controls.target, this.camera.position]) point.add(by);
    this.controls.update();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '0') this.reset();
    const [theta, phi, zoom] = KEYS[event.key] ?? [];
    if (zoom === undefined) return;
    event.preventDefault();
    const { target } = this.controls,
      at = new Spherical().setFromVector3(this.camera.position.clone().sub(target));
    at.theta += 0.1 * theta;
    at.phi += 0.1 * phi;
    at.radius *= zoom;
    this.camera.position.setFromSpherical(at.makeSafe()).add(target);
    this.controls.update();
    this.isDirty = true;
  }

  /** Draws if something has changed. */
  draw() {
    if (!this.isDirty || !this.renderer) return;
    this.isDirty = false;
    const { renderer, camera, canvas } = this,
      all = canvas.getBoundingClientRect();
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(all.width, all.height, false);
    renderer.setScissorTest(true);
    this.#boxes.forEach((box, i) => {
      const { left, bottom, width, height } = box.getBoundingClientRect();
      if (!width) return;
      const at = [left - all.left, all.bottom - bottom, width, height];
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
      renderer.setViewport(...at);
      renderer.setScissor(...at);
      renderer.render(this.scenes[i], camera);
    });
  }
}
