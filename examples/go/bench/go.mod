module example/sha256x16/bench

go 1.19

require (
	example/sha256x16 v0.0.0
	github.com/minio/sha256-simd v1.0.1
)

require (
	github.com/klauspost/cpuid/v2 v2.2.3 // indirect
	golang.org/x/sys v0.15.0 // indirect
)

replace example/sha256x16 => ../
