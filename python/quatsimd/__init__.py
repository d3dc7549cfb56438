"""Rotations by the million: packed small, computed fast, with the same bits on every CPU. docs/python.md."""
from ._bundle import Bundle, encode_bundle
from ._clip import Clip, Event, Velocities
from ._codec import Format, formats, pack, transcode, unpack
from ._curve import Curve
from ._encode import EncodedClip
from ._compress import Compressed, CompressError, Failure, compress
from ._library import Error
from ._library import version as __version__
from ._pose import Mask, Pose
from ._load import Animation, Scene, load
from ._rotations import (
    angle_between,
    angular_velocity,
    apply,
    as_axis_angle,
    as_euler,
    as_matrix,
    as_mrp,
    as_rotvec,
    conjugate,
    dot,
    from_axis_angle,
    from_euler,
    from_matrix,
    from_mrp,
    from_rotvec,
    integrate,
    inv,
    magnitude,
    make_continuous,
    mean,
    multiply,
    nlerp,
    norm,
    normalize,
    predict,
    slerp,
    squad,
    squad_control,
)
from ._skeleton import Skeleton
from ._stream import Frame, Receiver, Sender, stream_bounds
