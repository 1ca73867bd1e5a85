//! Searches a program's memory for key material after keyed calls, on every kernel. Only live
//! values may contain any.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::Command;
use std::{array, env, io};

use lanesum::unstable::{Depth, wiping_stack};
use lanesum::{
    Algorithm, Bytes, Hkdf, Hmac, HmacKey, Kernel, Lanes, Policy, hkdf_extract, hkdf_many,
    mac_many, pbkdf2, pbkdf2_many,
};
use lanesum_testkit::memory::{Look, PAINT, algorithms, look};
use zeroize::{Zeroize, optimization_barrier};

/// The length of the part of the stack that is painted before a step, in bytes.
const PAINTED: usize = 256 << 10;

/// The state of the steps. Only `key` and `hmac`, and `planted` on purpose, may contain key
/// material.
struct World {
    message: Vec<u8>,
    tag: [u8; 64],
    out: Vec<u8>,
    planted: Vec<u8>,
    key: Option<Box<HmacKey>>,
    hmac: Option<Box<Hmac>>,
}

type Step = fn(&mut World, Algorithm, &[u8]);

const STEPS: [(&str, Step); 33] = [
    ("none", |_, _, _| ()),
    ("plant_on_the_stack", |_, _, key| plant(key)),
    ("plant_in_memory", |world, _, key| world.planted.extend(key)),
    ("key_mac", |world, algorithm, key| {
        HmacKey::new(algorithm, key).mac(&world.message[..100]);
    }),
    ("key_verify", |world, algorithm, key| {
        let key = HmacKey::new(algorithm, key);
        assert!(key.verify(&world.message[..100], world.tag).is_err());
    }),
    ("key_verify_truncated", |world, algorithm, key| {
        let key = HmacKey::new(algorithm, key);
        assert!(key.verify_truncated(&world.message[..100], &world.tag[..10], 10).is_err());
    }),
    ("key_kept", |world, algorithm, key| {
        world.key = Some(Box::new(HmacKey::new(algorithm, key)));
    }),
    ("key_dropped", |world, _, _| world.key = None),
    ("key_cloned", |world, algorithm, key| {
        let key = HmacKey::new(algorithm, key);
        key.clone().mac(&world.message[..100]);
    }),
    ("key_engine", |world, algorithm, key| {
        let engine = Policy::from_env().unwrap().engine(algorithm).unwrap();
        HmacKey::new(&engine, key).mac(&world.message);
    }),
    ("key_mac_short", |world, algorithm, key| {
        HmacKey::new(algorithm, key).mac(&world.message[..20]);
    }),
    ("mac_two", |world, algorithm, key| many(world, algorithm, key, &[20; 2])),
    ("mac_eight", |world, algorithm, key| many(world, algorithm, key, &[20; 8])),
    ("mac_sixteen", |world, algorithm, key| many(world, algorithm, key, &[20; 16])),
    ("mac_some", |world, algorithm, key| {
        many(world, algorithm, key, &array::from_fn::<_, 13, _>(|i| 20 + i * 40));
    }),
    ("mac_lanes", |world, algorithm, key| {
        many(world, algorithm, key, &array::from_fn::<_, 70, _>(|i| 20 + i * 7));
    }),
    // Lengths for which messages are hashed in groups. The batches that overwrite the least memory
    // are last.
    ("mac_groups", |world, algorithm, key| {
        many(world, algorithm, key, &[5000; 30]);
        many(world, algorithm, key, &[1000, 1400, 1200, 1100, 1024, 1300, 1201]);
        many(world, algorithm, key, &[1000, 1400, 1200]);
        many(world, algorithm, key, &[16_000, 15_700]);
    }),
    ("mac_long", |world, algorithm, key| many(world, algorithm, key, &[20, 15_020, 30_020])),
    ("mac_each", |world, algorithm, key| {
        // Creating keys moves them, and the caller must overwrite the copies that a move leaves.
        let mut keys = Vec::with_capacity(9);
        wiping_stack(Depth::Batch, || keys.extend((0..9).map(|_| HmacKey::new(algorithm, key))));
        let messages: Vec<_> = (0..9).map(|i| &world.message[..i * 50]).collect();
        let len = 9 * algorithm.digest_len();
        mac_many(algorithm, &keys, &messages, Bytes(&mut world.out[..len]));
    }),
    // Moving a variable leaves a copy in its old place, which the caller must overwrite: finish a
    // clone.
    ("hmac_finish", |world, algorithm, key| {
        let mut hmac = Hmac::new(&HmacKey::new(algorithm, key));
        feed(&mut hmac, world);
        hmac.clone().finish();
    }),
    ("hmac_verify", |world, algorithm, key| {
        let mut hmac = Hmac::new(&HmacKey::new(algorithm, key));
        feed(&mut hmac, world);
        assert!(hmac.verify(world.tag).is_err());
    }),
    ("hmac_read", |world, algorithm, key| {
        let mut hmac = Hmac::new(&HmacKey::new(algorithm, key));
        hmac.update_reader(&world.message[..300]).unwrap();
        assert!(hmac.verify(world.tag).is_err());
    }),
    ("hmac_written", |world, algorithm, key| {
        let mut hmac = Hmac::new(&HmacKey::new(algorithm, key));
        hmac.write_all(&world.message[..300]).unwrap();
        assert!(hmac.verify(world.tag).is_err());
    }),
    ("hmac_given_up", |world, algorithm, key| {
        let mut hmac = Hmac::new(&HmacKey::new(algorithm, key));
        feed(&mut hmac, world);
    }),
    ("hmac_kept", |world, algorithm, key| {
        let mut hmac = Box::new(Hmac::new(&HmacKey::new(algorithm, key)));
        feed(&mut hmac, world);
        world.hmac = Some(hmac);
    }),
    ("hmac_kept_dropped", |world, _, _| world.hmac = None),
    ("lanes", |world, algorithm, key| {
        let key = HmacKey::new(algorithm, key);
        let mut lanes = Lanes::new(algorithm);
        for i in 0..40 {
            drop(lanes.push_keyed(&key, &world.message[..i * 70]));
        }
        assert!(lanes.drain().count() > 0);
    }),
    ("hkdf", |world, algorithm, key| {
        Hkdf::new(algorithm, b"salt", key).expand(b"info", &mut world.out[..100]).unwrap();
    }),
    // The extracted key belongs to the caller.
    ("extract", |_, algorithm, key| {
        hkdf_extract(algorithm, b"salt", key);
    }),
    ("hkdf_expand_many", |world, algorithm, key| {
        // Moving it to a variable may leave a copy, depending on the codegen units.
        let out = &mut world.out[..300];
        Hkdf::new(algorithm, b"salt", key).expand_many(algorithm, &[b"info"; 3], out).unwrap();
    }),
    ("hkdf_lanes", |world, algorithm, key| {
        let (salts, infos) = ([b"salt"; 70], [b"info"; 70]);
        hkdf_many(algorithm, &salts, &[key; 70], &infos, &mut world.out[..7000]).unwrap();
    }),
    ("pbkdf2", |world, algorithm, key| {
        pbkdf2(algorithm, key, b"salt", 3, &mut world.out[..100]).unwrap();
    }),
    ("pbkdf2_lanes", |world, algorithm, key| {
        pbkdf2_many(algorithm, &[key; 5], &[b"salt"; 5], 3, &mut world.out[..500]).unwrap();
    }),
];

/// Leaves the key on the stack.
#[inline(never)]
fn plant(key: &[u8]) {
    let mut copy = [0; 1024];
    copy[..key.len()].copy_from_slice(key);
    optimization_barrier(&copy);
}

fn many(world: &mut World, algorithm: Algorithm, key: &[u8], lens: &[usize]) {
    let messages: Vec<_> = lens.iter().map(|&len| &world.message[..len]).collect();
    let len = lens.len() * algorithm.digest_len();
    let key = HmacKey::new(algorithm, key);
    mac_many(algorithm, &key, &messages, Bytes(&mut world.out[..len]));
}

fn feed(hmac: &mut Hmac, world: &World) {
    hmac.update(&world.message[..10]);
    hmac.update(&world.message[..300]);
}

/// Paints the stack below the caller's frame. Returns the end of the painted part.
#[inline(never)]
fn paint() -> u64 {
    let area = black_box([PAINT; PAINTED]);
    optimization_barrier(&area);
    area.as_ptr_range().end.addr() as u64
}

#[test]
#[ignore = "is run by nothing_of_a_key_is_left_on_any_kernel"]
fn what_is_searched() {
    Policy::use_env();
    // Unbuffered, so that reading a key leaves no other copy.
    let mut requests = File::from(io::stdin().as_fd().try_clone_to_owned().unwrap());
    let mut answers = File::from(io::stdout().as_fd().try_clone_to_owned().unwrap());
    println!("steps: {}", STEPS.map(|step| step.0).join(" "));
    let mut world = World {
        message: (0..40_000).map(|i| (i % 251) as u8).collect(),
        tag: [7; 64],
        out: vec![0; 1 << 16],
        planted: Vec::with_capacity(1024),
        key: None,
        hmac: None,
    };
    let mut key = vec![0; 1024];
    let mut request = [0; 24];
    while requests.read_exact(&mut request).is_ok() {
        let number = |at: usize| u32::from_ne_bytes(request[at..at + 4].try_into().unwrap());
        let (step, len) = (STEPS[number(0) as usize], number(4) as usize);
        requests.read_exact(&mut key[..len]).unwrap();
        let name = request[8..].split(|&byte| byte == 0).next().unwrap();
        let algorithm = str::from_utf8(name).unwrap().parse().unwrap();
        world.planted.zeroize();
        let stack = paint();
        step.1(&mut world, algorithm, &key[..len]);
        key[..len].zeroize();
        world.out.fill(0);
        optimization_barrier(&world.out);
        let (live, live_len) = match (step.0, &world.key, &world.hmac) {
            ("key_kept", Some(key), _) => (&raw const **key as u64, size_of::<HmacKey>()),
            ("hmac_kept", _, Some(hmac)) => (&raw const **hmac as u64, size_of::<Hmac>()),
            _ => (0, 0),
        };
        let answer = [stack, live, live_len as u64].map(u64::to_ne_bytes);
        answers.write_all(answer.as_flattened()).unwrap();
    }
}

#[test]
fn nothing_of_a_key_is_left_on_any_kernel() {
    let mut wrong = Vec::new();
    for kernel in Kernel::all().map(Some).chain([None]) {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "secrets::what_is_searched", "--ignored", "--nocapture"]);
        command.env_remove("LANESUM_KERNEL").env("RUST_MIN_STACK", "1048576");
        if let Some(kernel) = kernel {
            command.env("LANESUM_KERNEL", kernel.name());
        }
        let runs = |algorithm: &Algorithm| kernel.is_none_or(|kernel| kernel.supports(*algorithm));
        let algorithms: Vec<_> = algorithms().into_iter().filter(runs).collect();
        let how = Look {
            // A live value was moved to its place by a step, whose frame is not overwritten.
            lives: |done, found| {
                (done.live..done.live + done.live_len).contains(&found.at)
                    || (done.stack - 4096..done.stack).contains(&found.at)
            },
            own: None,
        };
        let kernel = kernel.map_or("default kernels", |kernel| kernel.name());
        let lines = look(&mut command, &algorithms, how);
        wrong.extend(lines.iter().map(|line| format!("{kernel}, {line}")));
    }
    wrong.truncate(60);
    assert!(wrong.is_empty(), "left in memory:\n{}", wrong.join("\n"));
}
