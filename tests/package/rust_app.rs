// The library through bindings that bindgen made of its headers: packs and unpacks rotations, makes a bundle, finds a clip in it and samples
// it. test_rust.sh compiles this with --test, so that the tests of layouts that bindgen writes run, too.
#[allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]
mod quatsimd {
    include!(env!("BINDINGS"));
}
use quatsimd::*;
use std::ffi::{c_void, CStr};
use std::{mem, ptr, slice};

const KEYS: usize = 60;
const RATE: f64 = 30.0;
const BOUND: f32 = 1e-3;

/// The rotation about y after so many seconds.
fn turn(time: f64) -> [f32; 4] {
    let half = time / 2.0;
    [0.0, half.sin() as f32, 0.0, half.cos() as f32]
}

/// The angle between two rotations, in radians.
fn angle(a: &[f32], b: &[f32]) -> f32 {
    let apart = |sign: f32| a.iter().zip(b).map(|(x, y)| (x - sign * y).powi(2)).sum::<f32>().sqrt();
    4.0 * (apart(1.0).min(apart(-1.0)) / 2.0).asin()
}

// ---- calls ----

fn good(status: quatsimd_status) {
    let text = unsafe { CStr::from_ptr(quatsimd_status_string(status)) };
    assert_eq!(unsafe { quatsimd_status_failed(status) }, 0, "{:?}", text);
    assert_eq!(status, quatsimd_status_QUATSIMD_OK, "{:?}", text);
}

/// Memory of a handle, aligned to 8 bytes.
fn memory(size: usize) -> Vec<u64> {
    vec![0; (size + 7) / 8]
}
fn size_of(memory: &[u64]) -> usize {
    mem::size_of_val(memory)
}

/// The bytes that an encoder made and the library allocated.
fn taken(made: impl FnOnce(&mut *mut c_void, &mut usize) -> quatsimd_status) -> Vec<u8> {
    let (mut data, mut size) = (ptr::null_mut(), 0);
    good(made(&mut data, &mut size));
    let copy = unsafe { slice::from_raw_parts(data as *const u8, size) }.to_vec();
    unsafe { quatsimd_bundle_free(ptr::null(), data) };
    copy
}

fn skeleton() -> Vec<u8> {
    unsafe {
        let mut hips: quatsimd_skeleton_joint = mem::zeroed();
        hips.name = b"hips\0".as_ptr() as _;
        hips.parent = -1;
        (hips.rotation, hips.scale) = ([0.0, 0.0, 0.0, 1.0], [1.0; 3]);
        let mut source: quatsimd_skeleton_source = mem::zeroed();
        (source.joint_count, source.joints) = (1, &hips);
        taken(|data, size| {
            quatsimd_skeleton_encode(data, size as *mut _ as _, &source, ptr::null(), ptr::null_mut())
        })
    }
}

fn clip(skeleton: &[u8], keys: &[[f32; 4]]) -> Vec<u8> {
    let times: Vec<f64> = (0..keys.len()).map(|k| k as f64 / RATE).collect();
    unsafe {
        let (mut opened, mut storage) = (ptr::null_mut(), memory(quatsimd_skeleton_memory_size() as _));
        good(quatsimd_skeleton_open(
            &mut opened,
            storage.as_mut_ptr() as _,
            size_of(&storage) as _,
            skeleton.as_ptr() as _,
            skeleton.len() as _,
        ));
        let mut hips: quatsimd_clip_joint = mem::zeroed();
        hips.parent = -1;
        (hips.rotation.key_count, hips.rotation.times, hips.rotation.values) =
            (keys.len() as _, times.as_ptr(), keys.as_ptr() as _);
        let mut source: quatsimd_clip_source = mem::zeroed();
        (source.joint_count, source.joints) = (1, &hips);
        let mut options: quatsimd_clip_options = mem::zeroed();
        good(quatsimd_clip_options_init(&mut options, mem::size_of_val(&options) as _));
        (options.rotation_bound, options.skeleton, options.bundled) = (BOUND, opened, 1);
        taken(|data, size| {
            quatsimd_clip_encode(data, size as *mut _ as _, &source, &options, ptr::null_mut())
        })
    }
}

fn bundle(skeleton: &[u8], clips: &[(&CStr, Vec<u8>)]) -> Vec<u8> {
    unsafe {
        let entry = |(name, data): &(&CStr, Vec<u8>)| {
            let mut entry: quatsimd_bundle_entry = mem::zeroed();
            (entry.name, entry.data, entry.data_size) = (name.as_ptr(), data.as_ptr() as _, data.len() as _);
            entry
        };
        let entries: Vec<quatsimd_bundle_entry> = clips.iter().map(entry).collect();
        let mut source: quatsimd_bundle_source = mem::zeroed();
        good(quatsimd_bundle_source_init(
            &mut source,
            mem::size_of_val(&source) as _,
            mem::size_of::<quatsimd_bundle_entry>() as _,
        ));
        (source.skeleton, source.skeleton_size) = (skeleton.as_ptr() as _, skeleton.len() as _);
        (source.clip_count, source.clips) = (entries.len() as _, entries.as_ptr());
        taken(|data, size| {
            quatsimd_bundle_encode(data, size as *mut _ as _, &source, ptr::null(), ptr::null_mut())
        })
    }
}

/// The first joint's rotation in a clip of a bundle.
fn sampled(bundle: &[u8], name: &CStr, time: f64) -> [f32; 4] {
    let mut rotation = [f32::NAN; 4];
    unsafe {
        let (mut opened, mut storage) = (ptr::null_mut(), memory(quatsimd_bundle_memory_size() as _));
        good(quatsimd_bundle_open(
            &mut opened,
            storage.as_mut_ptr() as _,
            size_of(&storage) as _,
            bundle.as_ptr() as _,
            bundle.len() as _,
        ));
        let found = quatsimd_bundle_find_clip(opened, name.as_ptr());
        assert!(found >= 0, "there is no clip {:?}", name);
        let (mut clip, mut storage) =
            (ptr::null_mut(), memory(quatsimd_bundle_clip_memory_size(opened, found as _) as _));
        good(quatsimd_bundle_open_clip(
            opened,
            found as _,
            &mut clip,
            storage.as_mut_ptr() as _,
            size_of(&storage) as _,
        ));
        assert_eq!(quatsimd_clip_joint_count(clip), 1);
        let mut pose: quatsimd_pose_out = mem::zeroed();
        pose.rotations = quatsimd_view_aos_out(rotation.as_mut_ptr());
        good(quatsimd_clip_sample(
            clip,
            &mut pose,
            ptr::null(),
            time,
            quatsimd_clip_wrap_QUATSIMD_CLIP_WRAP_CLAMP,
            0,
        ));
    }
    rotation
}

// ---- tests ----

#[test]
fn rotations_are_packed_through_views() {
    const COUNT: usize = 100;
    let given: Vec<[f32; 4]> = (0..COUNT).map(|i| turn(i as f64 / 20.0)).collect();
    let w_first: Vec<[f32; 4]> = given.iter().map(|q| [q[3], q[0], q[1], q[2]]).collect();
    let mut back = vec![[f32::NAN; 8]; COUNT]; // in structs of eight floats
    unsafe {
        for (format, bound) in
            [(quatsimd_format_QUATSIMD_FORMAT_LATTICE32, 3e-3), (quatsimd_format_smallest3(16), 1e-4)]
        {
            let mut packed = vec![0u8; quatsimd_packed_size(format, COUNT as _) as usize];
            let view = quatsimd_view_wxyz(quatsimd_view_aos(w_first.as_ptr() as _));
            good(quatsimd_pack(format, packed.as_mut_ptr() as _, packed.len() as _, view, COUNT as _));
            let view = quatsimd_view_strided_out(back.as_mut_ptr() as _, 32);
            good(quatsimd_unpack(format, view, packed.as_ptr() as _, packed.len() as _, 0, COUNT as _));
            for (q, unpacked) in given.iter().zip(&back) {
                assert!(angle(q, &unpacked[..4]) < bound);
                assert!(unpacked[4..].iter().all(|x| x.is_nan()));
            }
        }
        let none = quatsimd_format_smallest3(21);
        assert_eq!(quatsimd_packed_size(none, 1), 0);
        assert_ne!(
            quatsimd_status_failed(quatsimd_unpack(
                none,
                quatsimd_view_aos_out(back.as_mut_ptr() as _),
                ptr::null(),
                0,
                0,
                1
            )),
            0
        );
    }
}

#[test]
fn a_clip_of_a_bundle_is_sampled() {
    let text = |bytes| CStr::from_bytes_with_nul(bytes).unwrap();
    let (turning, still) = (text(b"turn\0"), text(b"still\0"));
    let skeleton = skeleton();
    let keys: Vec<[f32; 4]> = (0..KEYS).map(|k| turn(k as f64 / RATE)).collect();
    let clips = [(turning, clip(&skeleton, &keys)), (still, clip(&skeleton, &keys[..1]))];
    let bundle = bundle(&skeleton, &clips);
    for i in 0..100 {
        let time = i as f64 / 51.0; // between keys, too
        assert!(angle(&sampled(&bundle, turning, time), &turn(time)) < BOUND + 1e-5);
        assert!(angle(&sampled(&bundle, still, time), &turn(0.0)) < BOUND);
    }
}
