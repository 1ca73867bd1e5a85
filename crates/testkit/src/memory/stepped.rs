//! Programs that perform one step with a key at a time.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

/// A program that performs a step at a time: it reads a request, performs the step, overwrites its
/// own data, answers and waits.
#[derive(Debug)]
pub struct Stepped {
    child: Child,
    stdin: Option<File>,
    stdout: File,
    steps: Vec<String>,
}

impl Stepped {
    /// Starts the program, and waits for the line with its steps: `steps: ONE OTHER`.
    ///
    /// # Panics
    ///
    /// If it cannot be started, or exits.
    pub fn new(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let stdin = OwnedFd::from(child.stdin.take().expect("a pipe"));
        let mut stdout = File::from(OwnedFd::from(child.stdout.take().expect("a pipe")));
        let steps = loop {
            // Read no byte beyond the line: the following ones are answers.
            let mut line = Vec::new();
            while line.last() != Some(&b'\n') {
                let mut byte = [0];
                stdout.read_exact(&mut byte).unwrap_or_else(|error| panic!("{command:?}: {error}"));
                line.extend(byte);
            }
            if let Some((_, steps)) = String::from_utf8_lossy(&line).split_once("steps:") {
                break steps.split_whitespace().map(str::to_owned).collect();
            }
        };
        Self { child, stdin: Some(stdin.into()), stdout, steps }
    }

    /// Returns the names of the steps.
    pub fn steps(&self) -> &[String] {
        &self.steps
    }

    /// Runs a step: the program reads the step's number, other numbers, and bytes. Returns its
    /// answer.
    ///
    /// # Panics
    ///
    /// If the program lacks the step, or exits.
    pub fn step<const N: usize>(&mut self, name: &str, numbers: &[u32], bytes: &[u8]) -> [u64; N] {
        let step = self.steps.iter().position(|step| step == name);
        let step = step.unwrap_or_else(|| panic!("no step {name}")) as u32;
        let mut request: Vec<u8> = step.to_ne_bytes().to_vec();
        request.extend(numbers.iter().flat_map(|number| number.to_ne_bytes()));
        request.extend(bytes);
        self.stdin.as_mut().expect("not closed").write_all(&request).expect("the program reads");
        let mut answer = [[0; 8]; N];
        let read = self.stdout.read_exact(answer.as_flattened_mut());
        read.unwrap_or_else(|error| panic!("{name} {numbers:?}: {error}, {:?}", self.child.wait()));
        answer.map(u64::from_ne_bytes)
    }

    /// Returns the process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the program.
    ///
    /// # Panics
    ///
    /// If it does not exit successfully.
    pub fn end(mut self) {
        self.stdin = None;
        let status = self.child.wait().expect("it is our child");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Stepped {
    fn drop(&mut self) {
        self.stdin = None;
        // Kills the program of a failed test. After `end` this does nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
