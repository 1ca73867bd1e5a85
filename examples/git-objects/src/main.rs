//! `lanesum-git-objects [REPOSITORY]`: recomputes the id of every object of a repository, one
//! object in each lane, with the collision detection that git uses, and reports mismatched ids.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::{Context, Result};
use gix::ObjectId;
use lanesum::sha1dc::{self, Checked, Detection};
use lanesum::{Algorithm, Engine};

/// The number of bytes of objects per batch.
const BATCH: usize = 64 << 20;

/// Objects in the form that git hashes: a header, then the contents.
#[derive(Default)]
struct Batch {
    ids: Vec<ObjectId>,
    messages: Vec<Vec<u8>>,
    bytes: usize,
}

/// The results so far.
#[derive(Default)]
struct Found {
    objects: usize,
    bytes: usize,
    wrong: usize,
}

impl Batch {
    fn add(&mut self, id: ObjectId, kind: gix::object::Kind, data: &[u8]) {
        let mut message = format!("{kind} {}\0", data.len()).into_bytes();
        message.extend_from_slice(data);
        self.bytes += message.len();
        self.ids.push(id);
        self.messages.push(message);
    }

    /// Compares every id with the digest of its object.
    fn check(&mut self, engine: &Engine, found: &mut Found) {
        let mut all = vec![Checked::default(); self.messages.len()];
        sha1dc::hash_many(engine, Detection::new(), &self.messages, &mut all);
        for (id, checked) in self.ids.iter().zip(&all) {
            if checked.is_collision() {
                println!("{id}: a block is part of a collision attack");
            } else if id.as_bytes() != checked.digest() {
                println!("{id}: the object is {}", lanesum::Digest::from(*checked));
            } else {
                continue;
            }
            found.wrong += 1;
        }
        found.objects += self.ids.len();
        found.bytes += self.bytes;
        *self = Self::default();
    }
}

fn main() -> Result<ExitCode> {
    let path = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let repository = gix::discover(&path).context("cannot open the repository")?;
    let engine = Engine::new(Algorithm::SHA1).threads(0);
    let (mut batch, mut found) = (Batch::default(), Found::default());
    // An object that is both loose and packed is listed twice.
    let ids = repository.objects.iter().context("cannot list the objects")?;
    let ids: BTreeSet<ObjectId> =
        ids.collect::<Result<_, _>>().context("cannot list the objects")?;
    for id in ids {
        let object = repository.find_object(id).with_context(|| format!("cannot read {id}"))?;
        batch.add(id, object.kind, &object.data);
        if batch.bytes >= BATCH {
            batch.check(&engine, &mut found);
        }
    }
    batch.check(&engine, &mut found);
    let Found { objects, bytes, wrong } = found;
    println!("{objects} objects, {bytes} bytes, {wrong} mismatched ids");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
