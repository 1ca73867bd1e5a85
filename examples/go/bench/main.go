// SPDX-License-Identifier: MIT OR Apache-2.0

// Bench compares sha256x16 with minio/sha256-simd and crypto/sha256 on Linux, and prints a table. Each round
// measures every implementation once.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"os/exec"
	"runtime"
	"sort"
	"sync"
	"syscall"
	"time"

	"example/sha256x16"
	minio "github.com/minio/sha256-simd"
)

type sumMany func(digests [][32]byte, messages [][]byte)

func each(sum func([]byte) [32]byte) sumMany {
	return func(digests [][32]byte, messages [][]byte) {
		for i, m := range messages {
			digests[i] = sum(m)
		}
	}
}

// server hashes by minio's server for AVX-512: one goroutine for each of its 16 lanes writes messages.
func server() sumMany {
	const workers = 16
	type share struct {
		digests  [][32]byte
		messages [][]byte
	}
	var shares [workers]chan share
	var group sync.WaitGroup
	srv := minio.NewAvx512Server()
	for w := range shares {
		shares[w] = make(chan share)
		go func(w int) {
			h := minio.NewAvx512(srv)
			for s := range shares[w] {
				for i := w; i < len(s.messages); i += workers {
					h.Reset()
					h.Write(s.messages[i])
					h.Sum(s.digests[i][:0])
				}
				group.Done()
			}
		}(w)
	}
	return func(digests [][32]byte, messages [][]byte) {
		group.Add(workers)
		for w := range shares {
			shares[w] <- share{digests, messages}
		}
		group.Wait()
	}
}

// workload is a number of messages of one length, or if ragged, of lengths up to twice that.
type workload struct {
	count, length int
	ragged        bool
}

func (w workload) messages() [][]byte {
	messages, r := make([][]byte, w.count), rand.New(rand.NewSource(1))
	for i := range messages {
		n := w.length
		if w.ragged {
			n = r.Intn(2*n + 1)
		}
		messages[i] = make([]byte, n)
		r.Read(messages[i])
	}
	return messages
}

type implementation struct {
	name string
	runner
}

type runner interface {
	// seconds measures calls, after a first one whose digests it checks.
	seconds(w workload, calls int) float64
}

type local struct {
	sum      sumMany
	workload workload
	messages [][]byte
	digests  [][32]byte
}

func (l *local) seconds(w workload, calls int) float64 {
	if l.workload != w {
		l.workload, l.messages, l.digests = w, w.messages(), make([][32]byte, w.count)
	}
	l.sum(l.digests, l.messages)
	for i, m := range l.messages {
		if l.digests[i] != sha256.Sum256(m) {
			log.Fatalf("%v: message %d has another digest", w, i)
		}
	}
	start := time.Now()
	for i := 0; i < calls; i++ {
		l.sum(l.digests, l.messages)
	}
	return time.Since(start).Seconds()
}

// remote runs minio's server in another process. The server polls even if it is idle, and cannot be closed, so the process
// is stopped while others are measured.
type remote struct {
	process *os.Process
	in      io.Writer
	out     io.Reader
}

func newRemote() *remote {
	cmd := exec.Command("/proc/self/exe", "-server")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	return &remote{cmd.Process, in, out}
}

func (r *remote) seconds(w workload, calls int) (seconds float64) {
	r.process.Signal(syscall.SIGCONT)
	fmt.Fprintln(r.in, w.count, w.length, w.ragged, calls)
	if _, err := fmt.Fscanln(r.out, &seconds); err != nil {
		log.Fatal("the server's process: ", err)
	}
	r.process.Signal(syscall.SIGSTOP)
	return seconds
}

func serve() {
	l := local{sum: server()}
	for {
		var w workload
		var calls int
		if _, err := fmt.Scanln(&w.count, &w.length, &w.ragged, &calls); err != nil {
			log.Fatal(err)
		}
		fmt.Println(l.seconds(w, calls))
	}
}

func median(values []float64) float64 {
	sort.Float64s(values)
	return values[len(values)/2]
}

var (
	rounds   = flag.Int("rounds", 21, "rounds for each number and length of messages")
	least    = flag.Duration("time", 5*time.Millisecond, "least duration of a measurement")
	isServer = flag.Bool("server", false, "measure minio's server for the process that started this one")
)

func main() {
	flag.Parse()
	if *isServer {
		serve()
	}
	// Pdeathsig is sent when the thread ends that started the process.
	runtime.LockOSThread()
	all := []implementation{
		{"sha256x16", &local{sum: sha256x16.Sum256Many}},
		{"minio server", newRemote()},
		{"minio Sum256", &local{sum: each(minio.Sum256)}},
		{"crypto/sha256", &local{sum: each(sha256.Sum256)}},
	}
	fmt.Printf("# what: SHA-256 of many messages in Go; %d rounds, each of at least %v for each implementation\n", *rounds, *least)
	fmt.Printf("# peers: %s, GOMAXPROCS=%d, github.com/minio/sha256-simd v1.0.1\n", runtime.Version(), runtime.GOMAXPROCS(0))
	fmt.Println("# bytes: of each message; 0-128 are lengths in that range, uniformly distributed")
	fmt.Println("# ratio_median: the median of sha256x16's speed over the implementation's in the same round")
	fmt.Println("messages,bytes,implementation,mb_per_s_median,ratio_median")
	for _, ragged := range []bool{false, true} {
		for _, length := range []int{64, 1 << 10, 8 << 10, 64 << 10, 1 << 20} {
			for _, count := range []int{1, 8, 16, 64, 1024} {
				if count*length <= 64<<20 && !(ragged && count < 64) {
					measure(all, workload{count, length, ragged})
				}
			}
		}
	}
}

func measure(all []implementation, w workload) {
	calls := make([]int, len(all))
	for i, one := range all {
		for calls[i] = 1; one.seconds(w, calls[i]) < least.Seconds(); {
			calls[i] *= 2
		}
	}
	total := 0
	for _, m := range w.messages() {
		total += len(m)
	}
	speeds, ratios := make([][]float64, len(all)), make([][]float64, len(all))
	for round := 0; round < *rounds; round++ {
		for k := range all {
			i := (k + round) % len(all)
			speed := float64(total) * float64(calls[i]) / all[i].seconds(w, calls[i]) / 1e6
			speeds[i] = append(speeds[i], speed)
		}
		for i := range all {
			ratios[i] = append(ratios[i], speeds[0][round]/speeds[i][round])
		}
	}
	bytes := fmt.Sprint(w.length)
	if w.ragged {
		bytes = fmt.Sprintf("0-%d", 2*w.length)
	}
	for i, one := range all {
		fmt.Printf("%d,%s,%s,%.1f,%.3f\n", w.count, bytes, one.name, median(speeds[i]), median(ratios[i]))
	}
}
