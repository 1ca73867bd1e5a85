// Gosum hashes a tree of files, or checks a manifest of them, with a few
// goroutines: the program that a good Go programmer would write in an afternoon.
//
//	gosum [-a sha1|sha256|sha512] [-j N] DIRECTORY|FILE
//	gosum [-a sha1|sha256|sha512] [-j N] -c MANIFEST
package main

import (
	"bufio"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

var algorithms = map[string]func() hash.Hash{
	"sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New,
}

// A file, and in a check its expected digest.
type job struct{ path, want string }

var failed atomic.Bool

func fail(err error) {
	fmt.Fprintln(os.Stderr, "gosum:", err)
	failed.Store(true)
}

func digest(h hash.Hash, path string, buffer, sum []byte) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h.Reset()
	for {
		n, err := f.Read(buffer)
		h.Write(buffer[:n])
		if err == io.EOF {
			return h.Sum(sum[:0]), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func main() {
	name := flag.String("a", "sha256", "algorithm")
	workers := flag.Int("j", 2, "goroutines that hash")
	check := flag.String("c", "", "check the files of this manifest")
	flag.Parse()
	algorithm := algorithms[*name]
	if algorithm == nil || (*check == "") != (flag.NArg() == 1) {
		flag.Usage()
		os.Exit(2)
	}

	jobs := make(chan []job, 64)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	var lock sync.Mutex
	var group sync.WaitGroup
	for range *workers {
		group.Add(1)
		go func() {
			defer group.Done()
			h, buffer, sum := algorithm(), make([]byte, 256<<10), make([]byte, 0, 64)
			for batch := range jobs {
				var lines strings.Builder
				for _, j := range batch {
					sum, err := digest(h, j.path, buffer, sum)
					if err != nil {
						fail(err)
						continue
					}
					got := hex.EncodeToString(sum)
					if j.want == "" {
						lines.WriteString(got + "  " + j.path + "\n")
					} else if got != j.want {
						lines.WriteString(j.path + ": FAILED\n")
						failed.Store(true)
					}
				}
				lock.Lock()
				out.WriteString(lines.String())
				lock.Unlock()
			}
		}()
	}

	var batch []job
	send := func(j job) {
		if batch = append(batch, j); len(batch) == 16 {
			jobs <- batch
			batch = nil
		}
	}
	if *check == "" {
		err := filepath.WalkDir(flag.Arg(0), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				fail(err)
			} else if entry.Type().IsRegular() {
				send(job{path: path})
			}
			return nil
		})
		if err != nil {
			fail(err)
		}
	} else if manifest, err := os.Open(*check); err != nil {
		fail(err)
	} else {
		lines := bufio.NewScanner(manifest)
		for lines.Scan() {
			want, path, ok := strings.Cut(lines.Text(), "  ")
			if !ok {
				fail(fmt.Errorf("%s: not a line of a manifest: %q", *check, lines.Text()))
				continue
			}
			send(job{path, want})
		}
		if err := lines.Err(); err != nil {
			fail(err)
		}
	}
	if len(batch) > 0 {
		jobs <- batch
	}
	close(jobs)
	group.Wait()
	if err := out.Flush(); err != nil {
		fail(err)
	}
	if failed.Load() {
		os.Exit(1)
	}
}
