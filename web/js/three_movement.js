// Movements: a rotation and a translation, as of root motion.
import { Quaternion, Vector3 } from 'three';

export const stillness = () => ({ rotation: new Quaternion(), translation: new Vector3() });

// The movement `a`, then `b` as seen from there.
export function compose(a, b) {
  const rotation = a.rotation.clone().multiply(b.rotation).normalize();
  return { rotation, translation: b.translation.clone().applyQuaternion(a.rotation).add(a.translation) };
}

export function repeat(movement, times) {
  let result = stillness();
  for (let left = times, power = movement; left > 0; left = Math.floor(left / 2), power = compose(power, power))
    if (left % 2 === 1) result = compose(result, power);
  return result;
}

// The weighted mean of movements, as of a joint in a blend of layers. What their weights leave of 1 is `rest`.
export function blend(weighted, rest) {
  const rotation = new Quaternion(0, 0, 0, 0),
    translation = new Vector3();
  let sum = 0;
  const add = (weight, by) => {
    const { x, y, z, w } = by.rotation,
      turn = rotation.dot(by.rotation) < 0 ? -weight : weight;
    rotation.set(rotation.x + turn * x, rotation.y + turn * y, rotation.z + turn * z, rotation.w + turn * w);
    translation.addScaledVector(by.translation, weight);
    sum += weight;
  };
  for (const { weight, movement } of weighted) add(weight, movement);
  if (sum < 1 - 2 ** -20) add(1 - sum, rest);
  return { rotation: rotation.normalize(), translation: translation.divideScalar(Math.max(sum, 1)) };
}
