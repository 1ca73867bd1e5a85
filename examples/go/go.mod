module example/sha256x16

go 1.19

require golang.org/x/sys v0.15.0
