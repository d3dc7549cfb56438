"""How far a clip's vertices are from those of its file: both skinned at many times, as glTF has it."""
import numpy as np

from support.gltf_pose import File, rotated, under, values_at

TIMES = 200


class Skinned(File):
    def meshes(self):
        """(node, primitive) of all meshes, depth first."""
        found = [(n, self.nodes[n]["mesh"]) for n in self.depth_first() if "mesh" in self.nodes[n]]
        return [(n, primitive) for n, mesh in found for primitive in self.tree["meshes"][mesh]["primitives"]]

    def targets(self):
        """(node, weight at rest) of all morph targets, in the order of a skeleton's tracks."""
        found = []
        for n in self.depth_first():
            mesh = self.tree["meshes"][self.nodes[n]["mesh"]] if "mesh" in self.nodes[n] else {"primitives": [{}]}
            count = len(mesh["primitives"][0].get("targets", []))
            found += [(n, rest) for rest in self.nodes[n].get("weights", mesh.get("weights", [0] * count))]
        return found

    def weights(self, animation, times):
        """[target, time] of all targets."""
        of_node = {}
        for channel in self.tree["animations"][animation]["channels"]:
            if channel["target"]["path"] == "weights":
                sampler = self.tree["animations"][animation]["samplers"][channel["sampler"]]
                at, mode = self.accessor(sampler["input"])[:, 0], sampler.get("interpolation")
                keys = self.accessor(sampler["output"]).reshape((3 if mode == "CUBICSPLINE" else 1) * len(at), -1)
                of_node[channel["target"]["node"]] = list(values_at(at, keys, times, mode == "STEP", mode == "CUBICSPLINE").T)
        return np.array([of_node[n].pop(0) if n in of_node else np.full(len(times), rest) for n, rest in self.targets()])

    def worlds(self, locals_, count):
        """[time, 3, 4] of each node; those that have none in locals_ stand still."""
        found = {}
        for n in self.depth_first():
            own = locals_[n] if n in locals_ else np.repeat(self.local(n, {}, [0]), count, axis=0)
            found[n] = under(found[self.parent[n]], own) if n in self.parent else own
        return found

    def vertices(self, worlds, weights):
        """[time, 3, vertex] of each primitive."""
        first = [n for n, _ in self.targets()]
        for n, primitive in self.meshes():
            attributes, moved = primitive["attributes"], [target.get("POSITION") for target in primitive.get("targets", [])]
            points = np.tile(self.accessor(attributes["POSITION"]).T, (len(worlds[n]), 1, 1))
            for target, weight in zip(moved, weights[first.index(n) :] if moved else []):
                points += weight[:, None, None] * self.accessor(target).T if target is not None else 0
            if "skin" not in self.nodes[n]:
                yield worlds[n][..., :3] @ points + worlds[n][..., 3:]
                continue
            skin = self.tree["skins"][self.nodes[n]["skin"]]
            binds = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)[:, :3]
            joints, shares = self.accessor(attributes["JOINTS_0"]).astype(int), self.accessor(attributes["WEIGHTS_0"])
            shares, placed = shares / shares.sum(1, keepdims=True), np.zeros_like(points)
            for number, (joint, bind) in enumerate(zip(skin["joints"], binds)):
                share = (shares * (joints == number)).sum(1)
                at, own = share > 0, under(worlds[joint], bind)
                placed[..., at] += share[at] * (own[..., :3] @ points[..., at] + own[..., 3:])
            yield placed

    def off(self, animation, clip, skeleton):
        """The largest error of any vertex in a clip of the file."""
        times = np.linspace(clip.start, clip.start + clip.duration, TIMES)
        *locals_, tracks = clip.with_rests(skeleton, clip.samples(times))
        joints, curves = self.joints(), self.curves(animation)
        own = self.vertices(self.worlds({n: self.local(n, curves, times) for n in joints}, TIMES), self.weights(animation, times))
        played = dict(zip(joints, rotated(*locals_), strict=True))
        made = self.vertices(self.worlds(played, TIMES), tracks[..., 0])
        return max(np.linalg.norm(a - b, axis=1).max() for a, b in zip(own, made, strict=True))
