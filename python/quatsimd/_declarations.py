"""libquatsimd for ctypes, made by scripts/ctypes_bindings.py."""
import ctypes

QUATSIMD_BUNDLE_MOST = 1048576
QUATSIMD_CLIP_JOINT_KIND_COUNT = 3
QUATSIMD_CLIP_KIND_COUNT = 4
QUATSIMD_SKELETON_MOST = 65536
QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE = 12
QUATSIMD_VERSION_MAJOR = 0
QUATSIMD_VERSION_MINOR = 2
QUATSIMD_VERSION_PATCH = 0
QUATSIMD_OK = 0
QUATSIMD_WARNING_REPLACED_INVALID = 1
QUATSIMD_WARNING_SATURATED = 2
QUATSIMD_ERROR_BAD_FORMAT = -1
QUATSIMD_ERROR_SHORT_BUFFER = -2
QUATSIMD_ERROR_BAD_ARGUMENT = -3
QUATSIMD_ERROR_NEED_KEY = -4
QUATSIMD_ERROR_OLD_PACKET = -5
QUATSIMD_ERROR_BAD_PACKET = -6
QUATSIMD_ERROR_NOT_A_CLIP = -7
QUATSIMD_ERROR_DAMAGED_CLIP = -8
QUATSIMD_ERROR_LATER_VERSION = -9
QUATSIMD_ERROR_BAD_KEY = -10
QUATSIMD_ERROR_NO_MEMORY = -11
QUATSIMD_ERROR_NOT_A_SKELETON = -12
QUATSIMD_ERROR_DAMAGED_SKELETON = -13
QUATSIMD_ERROR_BAD_JOINT = -14
QUATSIMD_ERROR_NOT_A_BUNDLE = -15
QUATSIMD_ERROR_DAMAGED_BUNDLE = -16
QUATSIMD_ERROR_BAD_CLIP = -17
QUATSIMD_ERROR_WRONG_SKELETON = -18
QUATSIMD_ERROR_NO_SUCH_CLIP = -19
QUATSIMD_ERROR_NO_SUCH_MASK = -20
QUATSIMD_ERROR_RESTARTED = -21
QUATSIMD_VIEW_NONE = 0
QUATSIMD_VIEW_AOS = 1
QUATSIMD_VIEW_SOA = 2
QUATSIMD_VIEW_STRIDED = 3
QUATSIMD_VIEW_BLOCKS = 4
QUATSIMD_VIEW_XYZW = 0
QUATSIMD_VIEW_WXYZ = 1
QUATSIMD_FORMAT_FLOAT4 = 1
QUATSIMD_FORMAT_HALF4 = 2
QUATSIMD_FORMAT_SNORM16X3 = 3
QUATSIMD_FORMAT_VERTEX32 = 4
QUATSIMD_FORMAT_CUBE32 = 5
QUATSIMD_FORMAT_CUBE32C = 6
QUATSIMD_FORMAT_SMALLEST3_32 = 7
QUATSIMD_FORMAT_SMALLEST3_48 = 8
QUATSIMD_FORMAT_SMALLEST3_64 = 9
QUATSIMD_FORMAT_LATTICE24 = 10
QUATSIMD_FORMAT_LATTICE32 = 11
QUATSIMD_FORMAT_LATTICE48 = 12
QUATSIMD_FORMAT_LATTICE64 = 13
QUATSIMD_FORMAT_SNORM16X4 = 14
QUATSIMD_FORMAT_OZZ48 = 15
QUATSIMD_FORMAT_UNREAL48 = 16
QUATSIMD_FORMAT_UNREAL32 = 17
QUATSIMD_FORMAT_SPZ32 = 18
QUATSIMD_FORMAT_SPZ24 = 19
QUATSIMD_FORMAT_MIRROR32 = 20
QUATSIMD_FORMAT_JOLT32 = 21
QUATSIMD_FORMAT_SPLAT32 = 22
QUATSIMD_FORMAT_SMALLEST3_ANY = 256
QUATSIMD_FORMAT_MIRAGE_ANY = 512
QUATSIMD_FORMAT_MESHOPT_ANY = 768
QUATSIMD_FORMAT_MAX = 2147483647
QUATSIMD_INTRINSIC_XYZ = 0
QUATSIMD_INTRINSIC_YZX = 1
QUATSIMD_INTRINSIC_ZXY = 2
QUATSIMD_INTRINSIC_XZY = 3
QUATSIMD_INTRINSIC_YXZ = 4
QUATSIMD_INTRINSIC_ZYX = 5
QUATSIMD_INTRINSIC_XYX = 6
QUATSIMD_INTRINSIC_YZY = 7
QUATSIMD_INTRINSIC_ZXZ = 8
QUATSIMD_INTRINSIC_XZX = 9
QUATSIMD_INTRINSIC_YXY = 10
QUATSIMD_INTRINSIC_ZYZ = 11
QUATSIMD_EXTRINSIC_XYZ = 12
QUATSIMD_EXTRINSIC_YZX = 13
QUATSIMD_EXTRINSIC_ZXY = 14
QUATSIMD_EXTRINSIC_XZY = 15
QUATSIMD_EXTRINSIC_YXZ = 16
QUATSIMD_EXTRINSIC_ZYX = 17
QUATSIMD_EXTRINSIC_XYX = 18
QUATSIMD_EXTRINSIC_YZY = 19
QUATSIMD_EXTRINSIC_ZXZ = 20
QUATSIMD_EXTRINSIC_XZX = 21
QUATSIMD_EXTRINSIC_YXY = 22
QUATSIMD_EXTRINSIC_ZYZ = 23
QUATSIMD_ROLL_PITCH_YAW = 12
QUATSIMD_CURVE_LINEAR = 0
QUATSIMD_CURVE_HOLD = 1
QUATSIMD_CURVE_CUBIC = 2
QUATSIMD_CLIP_ADDITIVE_NONE = 0
QUATSIMD_CLIP_ADDITIVE_FIRST = 1
QUATSIMD_CLIP_ADDITIVE_BASE = 2
QUATSIMD_CLIP_ROTATION = 0
QUATSIMD_CLIP_TRANSLATION = 1
QUATSIMD_CLIP_SCALE = 2
QUATSIMD_CLIP_TRACK = 3
QUATSIMD_CLIP_NO_KIND = 4
QUATSIMD_CLIP_ABSENT = 0
QUATSIMD_CLIP_REST = 1
QUATSIMD_CLIP_CONSTANT = 2
QUATSIMD_CLIP_MOVING = 3
QUATSIMD_CLIP_KEYED = 4
QUATSIMD_CLIP_WRAP_CLIP = 0
QUATSIMD_CLIP_WRAP_CLAMP = 1
QUATSIMD_CLIP_WRAP_LOOP = 2
QUATSIMD_MATRIX_3X4 = 12
QUATSIMD_MATRIX_4X4 = 16
QUATSIMD_ROOT_ACROSS = 1
QUATSIMD_ROOT_ALONG = 2
QUATSIMD_ROOT_TURN = 4
QUATSIMD_ROOT_ALL = 8
QUATSIMD_ROOT_STRAIGHT = 16
QUATSIMD_POSE_GOAL_REACH = 1
QUATSIMD_POSE_GOAL_AIM = 2
QUATSIMD_POSE_MODE_AUTO = 0
QUATSIMD_POSE_MODE_BLEND = 1
QUATSIMD_POSE_MODE_ADD = 2
QUATSIMD_POSE_MODE_OVER = 3
QUATSIMD_RELATIVE_CAYLEY24 = 1
QUATSIMD_RELATIVE_CAYLEY32 = 2
QUATSIMD_RELATIVE_CAYLEY48 = 3
QUATSIMD_RELATIVE_EXPMAP24 = 4
QUATSIMD_RELATIVE_EXPMAP32 = 5
QUATSIMD_RELATIVE_EXPMAP48 = 6

class quatsimd_python_curve(ctypes.Structure):
    pass

class quatsimd_python_animation(ctypes.Structure):
    pass

class quatsimd_python_limits(ctypes.Structure):
    pass

class quatsimd_python_file(ctypes.Structure):
    pass

class quatsimd_in(ctypes.Structure):
    pass

class quatsimd_out(ctypes.Structure):
    pass

class quatsimd_format_info(ctypes.Structure):
    pass

class quatsimd_curve(ctypes.Structure):
    pass

class quatsimd_clip_joint(ctypes.Structure):
    pass

class quatsimd_clip_track(ctypes.Structure):
    pass

class quatsimd_clip_source(ctypes.Structure):
    pass

class quatsimd_allocator(ctypes.Structure):
    pass

class quatsimd_runner(ctypes.Structure):
    pass

class quatsimd_clip_options(ctypes.Structure):
    pass

class quatsimd_skeleton(ctypes.Structure):
    pass

class quatsimd_clip_worst(ctypes.Structure):
    pass

class quatsimd_clip_report(ctypes.Structure):
    pass

class quatsimd_clip(ctypes.Structure):
    pass

class quatsimd_clip_storage(ctypes.Union):
    pass

class quatsimd_pose_out(ctypes.Structure):
    pass

class quatsimd_pose_in(ctypes.Structure):
    pass

class quatsimd_velocities_out(ctypes.Structure):
    pass

class quatsimd_clip_event(ctypes.Structure):
    pass

class quatsimd_skeleton_joint(ctypes.Structure):
    pass

class quatsimd_skeleton_source(ctypes.Structure):
    pass

class quatsimd_skeleton_report(ctypes.Structure):
    pass

class quatsimd_skeleton_storage(ctypes.Union):
    pass

class quatsimd_bundle_event(ctypes.Structure):
    pass

class quatsimd_bundle_entry(ctypes.Structure):
    pass

class quatsimd_bundle_mask_entry(ctypes.Structure):
    pass

class quatsimd_bundle_source(ctypes.Structure):
    pass

class quatsimd_bundle_report(ctypes.Structure):
    pass

class quatsimd_bundle(ctypes.Structure):
    pass

class quatsimd_bundle_storage(ctypes.Union):
    pass

class quatsimd_pose_counts(ctypes.Structure):
    pass

class quatsimd_weighted_poses(ctypes.Structure):
    pass

class quatsimd_root_motion(ctypes.Structure):
    pass

class quatsimd_root_motion_storage(ctypes.Union):
    pass

class quatsimd_pose_goal(ctypes.Structure):
    pass

class quatsimd_pose_layer(ctypes.Structure):
    pass

class quatsimd_pose_event(ctypes.Structure):
    pass

class quatsimd_pose_job(ctypes.Structure):
    pass

class quatsimd_pose_report(ctypes.Structure):
    pass

class quatsimd_stream(ctypes.Structure):
    pass

class quatsimd_stream_options(ctypes.Structure):
    pass

class quatsimd_python_poses(ctypes.Structure):
    pass

class quatsimd_python_motions(ctypes.Structure):
    pass

quatsimd_python_curve._fields_ = [("keys", ctypes.c_size_t), ("interpolation", ctypes.c_int), ("values", ctypes.c_void_p), ("seconds", ctypes.c_void_p)]
quatsimd_python_animation._fields_ = [("name", ctypes.c_char_p), ("curve", ctypes.POINTER(quatsimd_python_curve))]
quatsimd_python_limits._fields_ = [("reader_memory", ctypes.c_double), ("reader_seconds", ctypes.c_double), ("allow_outside", ctypes.c_bool)]
quatsimd_python_file._fields_ = [("messages", ctypes.c_char_p), ("rotation", ctypes.c_void_p), ("axes", ctypes.c_size_t), ("shape", ctypes.c_void_p), ("skeleton", ctypes.c_void_p), ("skeleton_size", ctypes.c_size_t), ("joints", ctypes.c_size_t), ("tracks", ctypes.c_size_t), ("animations", ctypes.c_size_t), ("animation", ctypes.POINTER(quatsimd_python_animation)), ("memory", ctypes.c_void_p)]
quatsimd_in._fields_ = [("x", ctypes.c_void_p), ("y", ctypes.c_void_p), ("z", ctypes.c_void_p), ("w", ctypes.c_void_p), ("stride", ctypes.c_size_t), ("layout", ctypes.c_int), ("order", ctypes.c_int), ("block", ctypes.c_uint)]
quatsimd_out._fields_ = [("x", ctypes.c_void_p), ("y", ctypes.c_void_p), ("z", ctypes.c_void_p), ("w", ctypes.c_void_p), ("stride", ctypes.c_size_t), ("layout", ctypes.c_int), ("order", ctypes.c_int), ("block", ctypes.c_uint)]
quatsimd_format_info._fields_ = [("name", ctypes.c_char_p), ("origin", ctypes.c_char_p), ("bits", ctypes.c_uint), ("worst_error", ctypes.c_double), ("mean_error", ctypes.c_double), ("exact_identity", ctypes.c_int)]
quatsimd_curve._fields_ = [("key_count", ctypes.c_size_t), ("times", ctypes.c_void_p), ("values", ctypes.c_void_p), ("interpolation", ctypes.c_int)]
quatsimd_clip_joint._fields_ = [("parent", ctypes.c_int64), ("rotation", quatsimd_curve), ("translation", quatsimd_curve), ("scale", quatsimd_curve), ("rotation_bound", ctypes.c_float), ("translation_bound", ctypes.c_float), ("scale_bound", ctypes.c_float), ("object_bound", ctypes.c_float), ("object_distance", ctypes.c_float)]
quatsimd_clip_track._fields_ = [("curve", quatsimd_curve), ("bound", ctypes.c_float)]
quatsimd_clip_source._fields_ = [("joint_count", ctypes.c_size_t), ("joints", ctypes.POINTER(quatsimd_clip_joint)), ("track_count", ctypes.c_size_t), ("tracks", ctypes.POINTER(quatsimd_clip_track))]
quatsimd_allocator._fields_ = [("allocate", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)), ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)), ("context", ctypes.c_void_p)]
quatsimd_runner._fields_ = [("run", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t), ctypes.c_void_p, ctypes.c_size_t)), ("context", ctypes.c_void_p)]
quatsimd_clip_options._fields_ = [("struct_size", ctypes.c_size_t), ("rotation_bound", ctypes.c_float), ("translation_bound", ctypes.c_float), ("scale_bound", ctypes.c_float), ("object_bound", ctypes.c_float), ("object_distance", ctypes.c_float), ("track_bound", ctypes.c_float), ("rate", ctypes.c_double), ("looping", ctypes.c_int), ("additive", ctypes.c_int), ("additive_base", ctypes.POINTER(quatsimd_clip_source)), ("allocator", ctypes.POINTER(quatsimd_allocator)), ("skeleton", ctypes.POINTER(quatsimd_skeleton)), ("bundled", ctypes.c_int), ("runner", ctypes.POINTER(quatsimd_runner)), ("snap_times", ctypes.c_int), ("close_loop", ctypes.c_int)]
quatsimd_clip_worst._fields_ = [("ratio", ctypes.c_float), ("joint", ctypes.c_size_t), ("time", ctypes.c_double)]
quatsimd_clip_report._fields_ = [("struct_size", ctypes.c_size_t), ("joint", ctypes.c_size_t), ("key", ctypes.c_size_t), ("kind", ctypes.c_int), ("error", ctypes.c_char_p), ("rate", ctypes.c_double), ("frame_count", ctypes.c_size_t), ("rest_count", ctypes.c_size_t * 4), ("constant_count", ctypes.c_size_t * 4), ("moving_count", ctypes.c_size_t * 4), ("keyed_count", ctypes.c_size_t * 4), ("float_count", ctypes.c_size_t * 4), ("worst", ctypes.c_float * 4), ("worst_object", ctypes.c_float), ("snapped", ctypes.c_double), ("snap_rate", ctypes.c_double), ("nearest", quatsimd_clip_worst * 4), ("nearest_object", quatsimd_clip_worst), ("loop_gap", ctypes.c_double), ("loop_ends", ctypes.c_float * 4), ("travelling_count", ctypes.c_size_t)]
quatsimd_clip_storage._fields_ = [("bytes", ctypes.c_ubyte * 384), ("aligned", ctypes.c_double), ("aligned_as_pointers", ctypes.c_void_p)]
quatsimd_pose_out._fields_ = [("rotations", quatsimd_out), ("translations", quatsimd_out), ("scales", quatsimd_out), ("tracks", ctypes.c_void_p)]
quatsimd_pose_in._fields_ = [("rotations", quatsimd_in), ("translations", quatsimd_in), ("scales", quatsimd_in), ("tracks", ctypes.c_void_p)]
quatsimd_velocities_out._fields_ = [("angular", quatsimd_out), ("linear", quatsimd_out)]
quatsimd_clip_event._fields_ = [("name", ctypes.c_char_p), ("time", ctypes.c_double), ("clock", ctypes.c_double)]
quatsimd_skeleton_joint._fields_ = [("name", ctypes.c_char_p), ("parent", ctypes.c_int64), ("rotation", ctypes.c_float * 4), ("translation", ctypes.c_float * 3), ("scale", ctypes.c_float * 3), ("inverse_bind", ctypes.c_void_p)]
quatsimd_skeleton_source._fields_ = [("joint_count", ctypes.c_size_t), ("joints", ctypes.POINTER(quatsimd_skeleton_joint)), ("track_count", ctypes.c_size_t), ("track_names", ctypes.POINTER(ctypes.c_char_p)), ("metres", ctypes.c_double), ("track_rest", ctypes.c_void_p)]
quatsimd_skeleton_report._fields_ = [("struct_size", ctypes.c_size_t), ("joint", ctypes.c_size_t), ("track", ctypes.c_size_t), ("error", ctypes.c_char_p)]
quatsimd_skeleton_storage._fields_ = [("bytes", ctypes.c_ubyte * 256), ("aligned", ctypes.c_double), ("aligned_as_pointers", ctypes.c_void_p)]
quatsimd_bundle_event._fields_ = [("time", ctypes.c_double), ("name", ctypes.c_char_p)]
quatsimd_bundle_entry._fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("data_size", ctypes.c_size_t), ("events", ctypes.POINTER(quatsimd_bundle_event)), ("event_count", ctypes.c_size_t)]
quatsimd_bundle_mask_entry._fields_ = [("name", ctypes.c_char_p), ("joint_weights", ctypes.c_void_p), ("track_weights", ctypes.c_void_p)]
quatsimd_bundle_source._fields_ = [("struct_size", ctypes.c_size_t), ("entry_size", ctypes.c_size_t), ("skeleton", ctypes.c_void_p), ("skeleton_size", ctypes.c_size_t), ("clips", ctypes.POINTER(quatsimd_bundle_entry)), ("clip_count", ctypes.c_size_t), ("masks", ctypes.POINTER(quatsimd_bundle_mask_entry)), ("mask_count", ctypes.c_size_t), ("making", ctypes.c_void_p), ("making_size", ctypes.c_size_t)]
quatsimd_bundle_report._fields_ = [("struct_size", ctypes.c_size_t), ("clip", ctypes.c_size_t), ("other", ctypes.c_size_t), ("event_number", ctypes.c_size_t), ("mask", ctypes.c_size_t), ("error", ctypes.c_char_p)]
quatsimd_bundle_storage._fields_ = [("bytes", ctypes.c_ubyte * 384), ("aligned", ctypes.c_double), ("aligned_as_pointers", ctypes.c_void_p)]
quatsimd_pose_counts._fields_ = [("joint_count", ctypes.c_size_t), ("track_count", ctypes.c_size_t), ("pose_count", ctypes.c_size_t)]
quatsimd_weighted_poses._fields_ = [("poses", quatsimd_pose_in), ("weights", ctypes.c_void_p), ("mask", ctypes.c_void_p), ("track_mask", ctypes.c_void_p)]
quatsimd_root_motion_storage._fields_ = [("bytes", ctypes.c_ubyte * 512), ("aligned", ctypes.c_double), ("aligned_as_pointers", ctypes.c_void_p)]
quatsimd_pose_goal._fields_ = [("kind", ctypes.c_int), ("weight", ctypes.c_float), ("joint", ctypes.c_uint32), ("middle", ctypes.c_uint32), ("first", ctypes.c_uint32), ("target", ctypes.c_float * 3), ("pole", ctypes.c_float * 3), ("softness", ctypes.c_float), ("axis", ctypes.c_float * 3), ("limit", ctypes.c_float)]
quatsimd_pose_layer._fields_ = [("clip", ctypes.POINTER(quatsimd_clip)), ("time", ctypes.c_double), ("wrap", ctypes.c_int), ("weight", ctypes.c_float), ("mask", ctypes.c_void_p), ("track_mask", ctypes.c_void_p), ("motion", ctypes.POINTER(quatsimd_root_motion)), ("mode", ctypes.c_int), ("last_time", ctypes.c_double)]
quatsimd_pose_event._fields_ = [("layer", ctypes.c_size_t), ("weight", ctypes.c_float), ("name", ctypes.c_char_p), ("time", ctypes.c_double), ("clock", ctypes.c_double)]
quatsimd_pose_job._fields_ = [("struct_size", ctypes.c_size_t), ("layer_size", ctypes.c_size_t), ("skeleton", ctypes.POINTER(quatsimd_skeleton)), ("layers", ctypes.POINTER(quatsimd_pose_layer)), ("layer_count", ctypes.c_size_t), ("joint_count", ctypes.c_size_t), ("local", quatsimd_pose_out), ("model", ctypes.c_void_p), ("skinning", ctypes.c_void_p), ("layout", ctypes.c_int), ("root", ctypes.c_void_p), ("goals", ctypes.POINTER(quatsimd_pose_goal)), ("goal_size", ctypes.c_size_t), ("goal_count", ctypes.c_size_t), ("move_root", ctypes.c_int), ("root_rotation", ctypes.c_void_p), ("root_translation", ctypes.c_void_p), ("events", ctypes.POINTER(quatsimd_pose_event)), ("event_size", ctypes.c_size_t), ("event_capacity", ctypes.c_size_t), ("event_count", ctypes.c_void_p)]
quatsimd_pose_report._fields_ = [("struct_size", ctypes.c_size_t), ("job", ctypes.c_size_t), ("layer", ctypes.c_size_t), ("error", ctypes.c_char_p), ("goal", ctypes.c_size_t)]
quatsimd_stream_options._fields_ = [("struct_size", ctypes.c_size_t), ("body_count", ctypes.c_size_t), ("bound", ctypes.c_float), ("state_count", ctypes.c_int), ("receiver_count", ctypes.c_int), ("reliable", ctypes.c_int), ("session", ctypes.c_uint64), ("position_count", ctypes.c_size_t), ("position_bound", ctypes.c_float), ("gravity", ctypes.c_void_p), ("bounds", ctypes.c_void_p), ("limit", ctypes.c_size_t), ("track_count", ctypes.c_size_t), ("track_bound", ctypes.c_float), ("skeleton", ctypes.POINTER(quatsimd_skeleton)), ("object_bound", ctypes.c_float), ("object_distance", ctypes.c_float), ("rest", ctypes.c_void_p)]
quatsimd_python_poses._fields_ = [("rotations", ctypes.c_void_p), ("translations", ctypes.c_void_p), ("scales", ctypes.c_void_p), ("tracks", ctypes.c_void_p), ("local_linear", ctypes.c_void_p), ("local_angular", ctypes.c_void_p), ("model_rotations", ctypes.c_void_p), ("model_positions", ctypes.c_void_p), ("model_linear", ctypes.c_void_p), ("model_angular", ctypes.c_void_p), ("root_rotations", ctypes.c_void_p), ("root_positions", ctypes.c_void_p), ("root_linear", ctypes.c_void_p), ("root_angular", ctypes.c_void_p)]
quatsimd_python_motions._fields_ = [("skeleton", ctypes.POINTER(quatsimd_skeleton)), ("clips", ctypes.POINTER(ctypes.POINTER(quatsimd_clip))), ("root", ctypes.c_size_t)]

FUNCTIONS = {
    "quatsimd_isa": (ctypes.c_char_p, []),
    "quatsimd_version": (ctypes.c_char_p, []),
    "quatsimd_version_number": (ctypes.c_int, []),
    "quatsimd_python_run": (ctypes.c_int, [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_bool]),
    "quatsimd_python_load": (ctypes.c_int, [ctypes.POINTER(quatsimd_python_file), ctypes.c_char_p, ctypes.c_bool, ctypes.POINTER(quatsimd_python_limits)]),
    "quatsimd_python_free": (None, [ctypes.POINTER(quatsimd_python_file)]),
    "quatsimd_status_failed": (ctypes.c_int, [ctypes.c_int]),
    "quatsimd_status_string": (ctypes.c_char_p, [ctypes.c_int]),
    "quatsimd_view_aos": (quatsimd_in, [ctypes.c_void_p]),
    "quatsimd_view_aos_out": (quatsimd_out, [ctypes.c_void_p]),
    "quatsimd_view_strided": (quatsimd_in, [ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_view_strided_out": (quatsimd_out, [ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_view_one": (quatsimd_in, [ctypes.c_void_p]),
    "quatsimd_view_soa": (quatsimd_in, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "quatsimd_view_soa_out": (quatsimd_out, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "quatsimd_view_blocks": (quatsimd_in, [ctypes.c_void_p, ctypes.c_uint]),
    "quatsimd_view_blocks_out": (quatsimd_out, [ctypes.c_void_p, ctypes.c_uint]),
    "quatsimd_view_wxyz": (quatsimd_in, [quatsimd_in]),
    "quatsimd_view_wxyz_out": (quatsimd_out, [quatsimd_out]),
    "quatsimd_format_smallest3": (ctypes.c_int, [ctypes.c_uint]),
    "quatsimd_format_mirage": (ctypes.c_int, [ctypes.c_uint]),
    "quatsimd_format_meshopt": (ctypes.c_int, [ctypes.c_uint]),
    "quatsimd_pack": (ctypes.c_int, [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_unpack": (ctypes.c_int, [ctypes.c_int, quatsimd_out, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_transcode": (ctypes.c_int, [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_meshopt_to_snorm16x4": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_find_invalid": (ctypes.c_size_t, [quatsimd_in, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_packed_size": (ctypes.c_size_t, [ctypes.c_int, ctypes.c_size_t]),
    "quatsimd_format_from_name": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]),
    "quatsimd_get_format_info": (ctypes.POINTER(quatsimd_format_info), [ctypes.c_int]),
    "quatsimd_format_at": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_normalize": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_conjugate": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_inverse": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_add": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_scale": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_multiply": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_dot": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_norm": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_angle_between": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_rotate": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_nlerp": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_lerp": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_slerp": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_squad": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_squad_control": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_from_axis_angle": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_to_axis_angle": (ctypes.c_int, [quatsimd_out, quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_exp": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_log": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_from_cayley": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_to_cayley": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_from_matrix3": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_from_matrix4": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_to_matrix3": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_to_matrix4": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_from_euler": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_int, ctypes.c_size_t]),
    "quatsimd_to_euler": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_int, ctypes.c_size_t]),
    "quatsimd_integrate": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_integrate_rk4": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_angular_velocity": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_predict": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_make_continuous": (ctypes.c_int, [quatsimd_out, ctypes.c_size_t]),
    "quatsimd_mean": (ctypes.c_int, [ctypes.c_void_p, quatsimd_in, ctypes.POINTER(quatsimd_in), ctypes.c_size_t]),
    "quatsimd_clip_options_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip_options), ctypes.c_size_t]),
    "quatsimd_clip_report_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip_report), ctypes.c_size_t]),
    "quatsimd_clip_encode": (ctypes.c_int, [ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.POINTER(quatsimd_clip_source), ctypes.POINTER(quatsimd_clip_options), ctypes.POINTER(quatsimd_clip_report)]),
    "quatsimd_clip_free": (None, [ctypes.POINTER(quatsimd_allocator), ctypes.c_void_p]),
    "quatsimd_clip_memory_size": (ctypes.c_size_t, []),
    "quatsimd_clip_open": (ctypes.c_int, [ctypes.POINTER(ctypes.POINTER(quatsimd_clip)), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_clip_peek_size": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_clip_joint_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_track_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_frame_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_rate": (ctypes.c_double, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_start": (ctypes.c_double, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_duration": (ctypes.c_double, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_frame_time": (ctypes.c_double, [ctypes.POINTER(quatsimd_clip), ctypes.c_size_t]),
    "quatsimd_clip_is_looping": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_additive": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_skeleton_hash": (ctypes.c_uint64, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_curve_state": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip), ctypes.c_int, ctypes.c_size_t]),
    "quatsimd_clip_curve_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_clip), ctypes.c_int]),
    "quatsimd_clip_sample": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip), ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_in), ctypes.c_double, ctypes.c_int, ctypes.c_int]),
    "quatsimd_clip_sample_joints": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip), ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_in), ctypes.c_double, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]),
    "quatsimd_clip_decode": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip), ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_in), ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]),
    "quatsimd_clip_sample_velocities": (ctypes.c_int, [ctypes.POINTER(quatsimd_clip), ctypes.POINTER(quatsimd_velocities_out), ctypes.c_double, ctypes.c_int]),
    "quatsimd_clip_event_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_clip)]),
    "quatsimd_clip_event_time": (ctypes.c_double, [ctypes.POINTER(quatsimd_clip), ctypes.c_size_t]),
    "quatsimd_clip_event_name": (ctypes.c_char_p, [ctypes.POINTER(quatsimd_clip), ctypes.c_size_t]),
    "quatsimd_clip_events_between": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_clip), ctypes.POINTER(quatsimd_clip_event), ctypes.c_size_t, ctypes.c_double, ctypes.c_double, ctypes.c_int]),
    "quatsimd_clip_add": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_in), ctypes.POINTER(quatsimd_pose_in), ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_skeleton_report_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton_report), ctypes.c_size_t]),
    "quatsimd_skeleton_encode": (ctypes.c_int, [ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.POINTER(quatsimd_skeleton_source), ctypes.POINTER(quatsimd_allocator), ctypes.POINTER(quatsimd_skeleton_report)]),
    "quatsimd_skeleton_free": (None, [ctypes.POINTER(quatsimd_allocator), ctypes.c_void_p]),
    "quatsimd_skeleton_memory_size": (ctypes.c_size_t, []),
    "quatsimd_skeleton_open": (ctypes.c_int, [ctypes.POINTER(ctypes.POINTER(quatsimd_skeleton)), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_skeleton_peek_size": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_skeleton_joint_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_skeleton)]),
    "quatsimd_skeleton_track_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_skeleton)]),
    "quatsimd_skeleton_metres": (ctypes.c_double, [ctypes.POINTER(quatsimd_skeleton)]),
    "quatsimd_skeleton_hash": (ctypes.c_uint64, [ctypes.POINTER(quatsimd_skeleton)]),
    "quatsimd_skeleton_joint_name": (ctypes.c_char_p, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_size_t]),
    "quatsimd_skeleton_parent": (ctypes.c_int64, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_size_t]),
    "quatsimd_skeleton_find_joint": (ctypes.c_int64, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_char_p]),
    "quatsimd_skeleton_track_name": (ctypes.c_char_p, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_size_t]),
    "quatsimd_skeleton_find_track": (ctypes.c_int64, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_char_p]),
    "quatsimd_skeleton_mask": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_size_t, ctypes.c_float, ctypes.c_void_p]),
    "quatsimd_skeleton_has_inverse_bind": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_size_t]),
    "quatsimd_skeleton_inverse_bind": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_skeleton_rest_pose": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.POINTER(quatsimd_pose_out), ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_bundle_source_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle_source), ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_bundle_report_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle_report), ctypes.c_size_t]),
    "quatsimd_bundle_encode": (ctypes.c_int, [ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.POINTER(quatsimd_bundle_source), ctypes.POINTER(quatsimd_allocator), ctypes.POINTER(quatsimd_bundle_report)]),
    "quatsimd_bundle_free": (None, [ctypes.POINTER(quatsimd_allocator), ctypes.c_void_p]),
    "quatsimd_bundle_memory_size": (ctypes.c_size_t, []),
    "quatsimd_bundle_open": (ctypes.c_int, [ctypes.POINTER(ctypes.POINTER(quatsimd_bundle)), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_bundle_peek_size": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_bundle_trust": (None, [ctypes.POINTER(quatsimd_bundle)]),
    "quatsimd_bundle_check": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle), ctypes.POINTER(quatsimd_bundle_report)]),
    "quatsimd_bundle_clip_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_bundle)]),
    "quatsimd_bundle_skeleton_hash": (ctypes.c_uint64, [ctypes.POINTER(quatsimd_bundle)]),
    "quatsimd_bundle_clip_name": (ctypes.c_char_p, [ctypes.POINTER(quatsimd_bundle), ctypes.c_size_t]),
    "quatsimd_bundle_find_clip": (ctypes.c_int64, [ctypes.POINTER(quatsimd_bundle), ctypes.c_char_p]),
    "quatsimd_bundle_open_skeleton": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle), ctypes.POINTER(ctypes.POINTER(quatsimd_skeleton)), ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_bundle_clip_memory_size": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_bundle), ctypes.c_size_t]),
    "quatsimd_bundle_open_clip": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle), ctypes.c_size_t, ctypes.POINTER(ctypes.POINTER(quatsimd_clip)), ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_bundle_open_named": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle), ctypes.c_char_p, ctypes.POINTER(ctypes.POINTER(quatsimd_clip)), ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_bundle_mask_count": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_bundle)]),
    "quatsimd_bundle_mask_name": (ctypes.c_char_p, [ctypes.POINTER(quatsimd_bundle), ctypes.c_size_t]),
    "quatsimd_bundle_mask": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle), ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]),
    "quatsimd_bundle_making": (ctypes.c_int, [ctypes.POINTER(quatsimd_bundle), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p]),
    "quatsimd_half_from_float": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_half_to_float": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_pose_blend": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_weighted_poses), ctypes.c_size_t, ctypes.POINTER(quatsimd_pose_in), quatsimd_pose_counts]),
    "quatsimd_pose_add": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_in), ctypes.POINTER(quatsimd_weighted_poses), quatsimd_pose_counts]),
    "quatsimd_pose_subtract": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_in), ctypes.POINTER(quatsimd_pose_in), quatsimd_pose_counts]),
    "quatsimd_pose_to_local": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(quatsimd_pose_in), ctypes.c_size_t]),
    "quatsimd_pose_from_local": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_out), ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]),
    "quatsimd_pose_to_model": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(quatsimd_pose_in), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_pose_joint_to_model": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(quatsimd_pose_in), ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_pose_to_skinning": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_root_motion_memory_size": (ctypes.c_size_t, []),
    "quatsimd_root_motion_init": (ctypes.c_int, [ctypes.POINTER(ctypes.POINTER(quatsimd_root_motion)), ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(quatsimd_skeleton), ctypes.POINTER(quatsimd_clip), ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]),
    "quatsimd_root_motion_between": (ctypes.c_int, [ctypes.POINTER(quatsimd_root_motion), ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(quatsimd_clip), ctypes.c_double, ctypes.c_double, ctypes.c_int]),
    "quatsimd_root_motion_remove": (ctypes.c_int, [ctypes.POINTER(quatsimd_root_motion), ctypes.POINTER(quatsimd_pose_out), ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_root_motion_remove_at": (ctypes.c_int, [ctypes.POINTER(quatsimd_root_motion), ctypes.POINTER(quatsimd_pose_out), ctypes.c_size_t, ctypes.POINTER(quatsimd_clip), ctypes.c_double, ctypes.c_int]),
    "quatsimd_pose_reach": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_goal), ctypes.c_size_t, ctypes.c_size_t, quatsimd_pose_counts]),
    "quatsimd_pose_aim": (ctypes.c_int, [ctypes.POINTER(quatsimd_skeleton), ctypes.POINTER(quatsimd_pose_out), ctypes.POINTER(quatsimd_pose_goal), ctypes.c_size_t, ctypes.c_size_t, quatsimd_pose_counts]),
    "quatsimd_pose_job_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_job), ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_pose_report_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_report), ctypes.c_size_t]),
    "quatsimd_pose_scratch_size": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_pose_job), ctypes.c_size_t]),
    "quatsimd_pose_evaluate": (ctypes.c_int, [ctypes.POINTER(quatsimd_pose_job), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(quatsimd_pose_report)]),
    "quatsimd_qtangent_from_tbn": (ctypes.c_int, [quatsimd_out, quatsimd_out, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_qtangent_from_tangents": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_qtangent_to_tbn": (ctypes.c_int, [quatsimd_out, quatsimd_out, quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_qtangent_pack": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_qtangent_unpack": (ctypes.c_int, [quatsimd_out, quatsimd_out, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_qtangent_pack_tbn": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_qtangent_pack_tangents": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t, quatsimd_in, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_qtangent_align_scratch_size": (ctypes.c_size_t, [ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_qtangent_align_mesh": (ctypes.c_int, [quatsimd_out, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]),
    "quatsimd_qtangent_align_morph": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_relative_packed_size": (ctypes.c_size_t, [ctypes.c_int, ctypes.c_size_t]),
    "quatsimd_relative_pack": (ctypes.c_int, [ctypes.c_int, ctypes.c_float, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_relative_unpack": (ctypes.c_int, [ctypes.c_int, ctypes.c_float, quatsimd_out, quatsimd_in, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_sqt_compose": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_sqt_invert": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_sqt_transform_points": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_sqt_transform_vectors": (ctypes.c_int, [quatsimd_out, quatsimd_in, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_sqt_to_matrix3x4": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_sqt_pack": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_size_t, quatsimd_in, ctypes.c_size_t]),
    "quatsimd_sqt_unpack": (ctypes.c_int, [quatsimd_out, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]),
    "quatsimd_sqt_skin": (ctypes.c_int, [quatsimd_out, quatsimd_in, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]),
    "quatsimd_stream_options_init": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream_options), ctypes.c_size_t]),
    "quatsimd_stream_bounds": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(quatsimd_skeleton), ctypes.c_size_t, ctypes.c_float, ctypes.c_float]),
    "quatsimd_stream_memory_size": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_stream_options)]),
    "quatsimd_stream_max_packet_size": (ctypes.c_size_t, [ctypes.POINTER(quatsimd_stream_options)]),
    "quatsimd_stream_init": (ctypes.c_int, [ctypes.POINTER(ctypes.POINTER(quatsimd_stream)), ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(quatsimd_stream_options)]),
    "quatsimd_stream_encode": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, quatsimd_in, ctypes.c_uint32, ctypes.c_int]),
    "quatsimd_stream_encode_pose": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.POINTER(quatsimd_pose_in), ctypes.c_uint32, ctypes.c_int]),
    "quatsimd_stream_acknowledged": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_stream_leave": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream), ctypes.c_size_t]),
    "quatsimd_stream_decode": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream), quatsimd_out, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_stream_decode_pose": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream), ctypes.POINTER(quatsimd_pose_out), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
    "quatsimd_stream_acknowledge": (ctypes.c_int, [ctypes.POINTER(quatsimd_stream), ctypes.c_void_p]),
    "quatsimd_python_find_not_unit": (ctypes.c_size_t, [quatsimd_in, ctypes.c_size_t]),
    "quatsimd_python_join": (ctypes.c_int, [ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(quatsimd_bundle_report)]),
    "quatsimd_python_open_clips": (ctypes.c_int, [ctypes.POINTER(ctypes.POINTER(quatsimd_clip)), ctypes.POINTER(quatsimd_bundle), ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]),
    "quatsimd_python_close_clips": (None, [ctypes.POINTER(ctypes.POINTER(quatsimd_clip)), ctypes.c_size_t]),
    "quatsimd_python_clip_times": (None, [ctypes.POINTER(ctypes.POINTER(quatsimd_clip)), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]),
    "quatsimd_python_sample": (ctypes.c_int, [ctypes.POINTER(quatsimd_python_poses), ctypes.POINTER(quatsimd_python_motions), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p]),
}


def load(path):
    """The shared library, its functions with their types."""
    library = ctypes.CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        if function := getattr(library, name, None):  # a library may have no encoder
            function.restype, function.argtypes = result, arguments
    return library
