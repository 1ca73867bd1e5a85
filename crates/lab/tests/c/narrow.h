/* As much of a C library as the example needs where there is none: 32-bit code on a Linux of
   64 bits. */
#include <stdarg.h>
#include <stddef.h>

static int call(int number, int a, const void *b, int c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}

/* Texts, and numbers as "%0*llx". */
static void printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (; *format; format++) {
    char digit = *format;
    if (*format != '%') {
      call(4, 1, &digit, 1);
      continue;
    }
    while (*format != 'x') format++;
    int digits = va_arg(arguments, int);
    unsigned long long number = va_arg(arguments, unsigned long long);
    while (digits--) {
      digit = "0123456789abcdef"[number >> (4 * digits) & 15];
      call(4, 1, &digit, 1);
    }
  }
  va_end(arguments);
}

void *memset(void *at, int byte, size_t len) {
  for (char *to = at; len--; to++) *(volatile char *)to = (char)byte;
  return at;
}

void *memcpy(void *at, const void *from, size_t len) {
  for (size_t i = 0; i < len; i++) ((volatile char *)at)[i] = ((const char *)from)[i];
  return at;
}

int main(void);

__attribute__((force_align_arg_pointer)) void _start(void) { call(1, main(), 0, 0); }
