//! A server that hashes uploads, on one thread: each connection sends bytes and closes its writing side, and gets
//! the SHA-256 of them. It prints the address that it listens on.
//!
//! `cargo run --example uploads -- 127.0.0.1:8080`
//!
//! Any number of uploads can be in progress, at any speed. Each task reads a chunk, sends it to one task that hashes,
//! and waits until it is hashed before it reads more; so a chunk for each connection is all the memory that uploads
//! take, and a sender that is faster than the hashing is slowed by TCP. The task that hashes takes all chunks
//! that have arrived and hashes them together with [`update_many`], which never waits for a connection.

use std::env;
use std::io::{Error, Result};
use std::time::Duration;

use lanesum::{Algorithm, Hasher, update_many};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

/// The length of a chunk, in bytes: long enough that hashing it takes longer than handing it over.
const CHUNK: usize = 16 << 10;

/// An upload with a chunk that has arrived, and the channel that returns it to its task.
struct Arrived {
    upload: Upload,
    back: oneshot::Sender<Upload>,
}

struct Upload {
    hasher: Hasher,
    chunk: Vec<u8>,
}

fn main() -> Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(serve(&address))
}

async fn serve(address: &str) -> Result<()> {
    let listener = TcpListener::bind(address).await?;
    println!("{}", listener.local_addr()?);
    let (to_hash, arrived) = mpsc::channel(1024);
    tokio::spawn(hash(arrived));
    loop {
        // Such as too many open files. Uploads in progress continue.
        let (connection, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                eprintln!("cannot accept a connection: {error}");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let to_hash = to_hash.clone();
        tokio::spawn(async move {
            if let Err(error) = answer(connection, to_hash).await {
                eprintln!("{peer}: {error}");
            }
        });
    }
}

/// Reads an upload to its end and sends its digest.
async fn answer(mut connection: TcpStream, to_hash: mpsc::Sender<Arrived>) -> Result<()> {
    let hasher = Hasher::new(Algorithm::SHA256);
    let mut upload = Upload { hasher, chunk: Vec::with_capacity(CHUNK) };
    while connection.read_buf(&mut upload.chunk).await? > 0 {
        let (back, hashed) = oneshot::channel();
        to_hash.send(Arrived { upload, back }).await.map_err(Error::other)?;
        upload = hashed.await.map_err(Error::other)?;
    }
    connection.write_all(format!("{}\n", upload.hasher.finish()).as_bytes()).await
}

/// Hashes the chunks that have arrived, all at once, again and again.
async fn hash(mut arrived: mpsc::Receiver<Arrived>) {
    let mut batch = Vec::new();
    while arrived.recv_many(&mut batch, usize::MAX).await > 0 {
        let uploads =
            batch.iter_mut().map(|Arrived { upload, .. }| (&mut upload.hasher, &upload.chunk));
        update_many(Algorithm::SHA256, uploads);
        for Arrived { mut upload, back } in batch.drain(..) {
            upload.chunk.clear();
            // A connection that has failed no longer waits for its upload.
            _ = back.send(upload);
        }
    }
}
