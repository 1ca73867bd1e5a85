/* Ends the program unless a condition holds. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

#define HOLDS(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #condition);              \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)
