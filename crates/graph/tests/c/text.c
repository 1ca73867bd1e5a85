/* Runs a stitched kernel on standard input: a chaining value, followed by blocks. The argument is
   the number of blocks. Writes the resulting chaining value. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void text(uint64_t *state, const void *blocks, uint64_t count, const void *table);
extern const unsigned char table[];

int main(int argc, char **argv) {
    static unsigned char blocks[1 << 16];
    uint64_t state[8];
    if (argc != 2 || fread(state, sizeof state, 1, stdin) != 1) return 2;
    if (fread(blocks, 1, sizeof blocks, stdin) == 0) return 2;
    text(state, blocks, strtoull(argv[1], NULL, 10), table);
    return fwrite(state, sizeof state, 1, stdout) == 1 ? 0 : 2;
}
