//! zlib streams.

use std::fs::File;

use lanesum_files::Meter;
use zlib_rs::{Inflate, InflateFlush, Status};

use crate::file::read_at;
use crate::report::Fault;

/// Maximum expansion of a zlib stream, in decoded bytes per compressed byte.
const MAX_EXPANSION: u64 = 1032;

/// Number of compressed bytes read at a time.
const READ_BYTES: usize = 128 << 10;

/// Checks that a stream of `compressed` bytes can expand to `len` bytes, before these are allocated.
pub(crate) fn check_len(len: u64, compressed: u64) -> Result<(), Fault> {
    if len <= compressed.saturating_mul(MAX_EXPANSION) {
        return Ok(());
    }
    Err(Fault::unreadable(format!(
        "its header states {len} bytes, more than {compressed} compressed bytes can expand to"
    )))
}

/// A decoder, reused for many streams.
pub(crate) struct Inflater(Inflate);

impl Inflater {
    pub(crate) fn new() -> Self {
        Self(Inflate::new(true, 15))
    }

    /// Decodes a stream in memory, which must be all of `input` and fill `output`.
    pub(crate) fn all(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
        self.0.reset(true);
        let (mut taken, mut filled) = (0, 0);
        loop {
            let ended = self.step(&input[taken..], &mut output[filled..], InflateFlush::Finish)?;
            let before = (taken, filled);
            (taken, filled) = (self.0.total_in() as usize, self.0.total_out() as usize);
            if ended {
                break;
            }
            // Each call is limited to 4 GiB.
            if (taken, filled) == before {
                return Err(if taken == input.len() {
                    truncated()
                } else {
                    too_long(output.len())
                });
            }
        }
        match (output.len() - filled, input.len() - taken) {
            (0, 0) => Ok(()),
            (0, rest) => Err(rest_follows(rest as u64)),
            _ => Err(too_short(filled as u64, output.len() as u64)),
        }
    }

    /// Returns whether the stream has ended. `Finish` skips the copy of the window for another call.
    fn step(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        flush: InflateFlush,
    ) -> Result<bool, Fault> {
        match self.0.decompress(input, output, flush) {
            Ok(status) => Ok(status == Status::StreamEnd),
            Err(error) => {
                Err(Fault::unreadable(format!("invalid zlib stream: {}", error.as_str())))
            }
        }
    }
}

fn truncated() -> Fault {
    Fault::unreadable("the zlib stream is truncated")
}

pub(crate) fn too_long(len: usize) -> Fault {
    Fault::unreadable(format!("the zlib stream has more than the declared {len} bytes"))
}

pub(crate) fn too_short(len: u64, declared: u64) -> Fault {
    Fault::unreadable(format!("the zlib stream has {len} bytes, not the declared {declared}"))
}

fn rest_follows(rest: u64) -> Fault {
    Fault::unreadable(format!("{rest} bytes follow the zlib stream"))
}

/// A zlib stream in a file, decoded in pieces.
pub(crate) struct Stream<'a> {
    meter: &'a Meter<'a>,
    inflater: &'a mut Inflater,
    file: &'a File,
    /// Offset of the first byte that has not been buffered.
    position: u64,
    end: u64,
    buffer: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl<'a> Stream<'a> {
    /// Creates a decoder of the bytes of `file` from `position` to `end`.
    pub(crate) fn new(
        meter: &'a Meter<'_>,
        inflater: &'a mut Inflater,
        file: &'a File,
        position: u64,
        end: u64,
    ) -> Self {
        inflater.0.reset(true);
        Self { meter, inflater, file, position, end, buffer: Vec::new(), taken: 0, ended: false }
    }

    /// Decodes the next bytes. Returns their number, which is 0 at the end of the stream.
    pub(crate) fn read(&mut self, output: &mut [u8]) -> Result<usize, Fault> {
        let start = self.inflater.0.total_out();
        loop {
            let filled = (self.inflater.0.total_out() - start) as usize;
            if self.ended || filled == output.len() {
                return Ok(filled);
            }
            if self.taken == self.buffer.len() {
                self.refill()?;
            }
            let before = self.inflater.0.total_in();
            self.ended = self.inflater.step(
                &self.buffer[self.taken..],
                &mut output[filled..],
                InflateFlush::NoFlush,
            )?;
            self.taken += (self.inflater.0.total_in() - before) as usize;
        }
    }

    /// Checks that the stream ends after `len` decoded bytes, and that nothing follows it.
    pub(crate) fn finish(mut self, len: u64) -> Result<(), Fault> {
        // Also reads the checksum of the stream.
        if self.read(&mut [0])? != 0 {
            return Err(too_long(len as usize));
        }
        match self.rest() {
            0 => Ok(()),
            rest => Err(rest_follows(rest)),
        }
    }

    fn refill(&mut self) -> Result<(), Fault> {
        let len = (self.end - self.position).min(READ_BYTES as u64) as usize;
        if len == 0 {
            return Err(truncated());
        }
        self.buffer.resize(len, 0);
        read_at(self.meter, self.file, &mut self.buffer, self.position)?;
        self.position += len as u64;
        self.taken = 0;
        Ok(())
    }

    /// Returns the number of bytes after the end of the stream.
    fn rest(&self) -> u64 {
        self.end - self.position + (self.buffer.len() - self.taken) as u64
    }
}
