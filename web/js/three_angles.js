// Euler angles of three.js' objects, computed when they are read.

const BEHIND = Symbol('behind'),
  COMPUTE = Symbol('compute');

function catchUp(rotation) {
  if (!rotation[BEHIND]) return;
  rotation[BEHIND] = false;
  rotation[COMPUTE]();
}

const accessors = ['_x', '_y', '_z', '_order'].map((member) => {
  const value = Symbol(member);
  return {
    member,
    value,
    get() {
      catchUp(this);
      return this[value];
    },
    set(to) {
      catchUp(this);
      this[value] = to;
    },
  };
});

/** Each change of an object's quaternion computes the Euler angles of its `rotation`, which takes longer than a joint's share of a
 *  pose. From now on they are computed when they are read or written. */
export function makeAnglesLazy({ quaternion, rotation }) {
  const compute = quaternion._onChangeCallback;
  if (!compute || !rotation || COMPUTE in rotation) return;
  rotation[COMPUTE] = compute.bind(quaternion);
  rotation[BEHIND] = false;
  for (const { member, value, get, set } of accessors) {
    rotation[value] = rotation[member];
    Object.defineProperty(rotation, member, { get, set, enumerable: true, configurable: true });
  }
  quaternion._onChange(() => (rotation[BEHIND] = true));
}
