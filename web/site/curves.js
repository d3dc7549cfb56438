/** Curves of an animation, in the form that the encoder takes. */
export const curvesOf = ({ joints, tracks }) => [...joints.flatMap((joint) => Object.values(joint)), ...tracks.filter(Boolean)];
