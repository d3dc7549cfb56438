// Lengths of files in millimetres, and numbers as people read them.
import { Box3, Vector3 } from './three/three.module.min.js'; // for workers, too

const TALL = 20; // metres: a file that says so means another unit

/** How long the unit of a file is in metres, and `why` in words where that is a guess. joints: objects in the rest pose. said: what
 *  the file says, 1 also where its format says so, as glTF does; then y is up. 0: nothing. */
export function unitOf(root, joints, said) {
  root.updateMatrixWorld(true);
  const box = new Box3().setFromPoints(joints.map((joint) => new Vector3().setFromMatrixPosition(joint.matrixWorld)));
  const size = box.getSize(new Vector3()),
    height = said === 1 ? size.y : Math.max(size.x, size.y, size.z);
  if (!(height > 0) || (said && said * height <= TALL)) return { metres: said || 1, why: '' };
  const words = said ? `which is too much for ${said === 1 ? 'metres' : 'its unit'}` : 'of no known length';
  return {
    metres: 1 / height,
    why: `The skeleton is ${round(height, 3)} units tall, ${words}. So its height counts as 1 m here: 1 mm is a thousandth of it.`,
  };
}

export const round = (x, digits = 2) => Number(x.toPrecision(digits));
export const millimetres = (x, digits = 2) => `${round(x, digits).toLocaleString('en', { maximumFractionDigits: 6 })} mm`;
/** Three digits, and not less than x. */
export function atMost(x) {
  const step = 10 ** (Math.floor(Math.log10(x)) - 2);
  return millimetres(x > 0 ? Math.ceil(x / step - 1e-6) * step : 0, 3);
}
export const whole = (n) => Math.round(n).toLocaleString('en');
export const bytes = (n) => `${whole(n)} bytes`;
export const seconds = (t) => `${t.toFixed(2)} s`;
