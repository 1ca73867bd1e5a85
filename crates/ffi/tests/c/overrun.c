/* Passes the library a buffer that is shorter than stated: memory checkers must detect the overrun. */
#include "check.h"

int main(void) {
    unsigned char *place = malloc(31);
    HOLDS(place);
    IS(LANESUM_OK, lanesum_hash(lanesum_algorithm_from_name("sha256"), "abc", 3, place, 32));
    free(place);
    return 0;
}
