/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Computes digests with the kernel's hashes through AF_ALG, and compares them.
 *
 *   answers DRIVER <LINES          message and digest in hex, a line each ("-" is no message)
 *   answers DRIVER keyed <LINES    key, message and tag
 *   answers DRIVER monte <LINES    the seed, then 100 digests, a line each (SHAVS, 6.4)
 *   answers DRIVER threads BYTES   8 threads, preempted and interrupted by signals
 *   answers DRIVER hold            starts a message, reports it, and keeps it open until killed
 *
 * Each message is hashed whole, in random parts, and with a copy of its state taken half-way, which
 * the kernel makes by export and import.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_alg.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#ifndef SOL_ALG
#define SOL_ALG 279
#endif

static unsigned failures;

static void fail(const char *what)
{
	if (failures++ < 10)
		printf("FAILED: %s: %s\n", what, strerror(errno));
}

static int open_driver(const char *driver, const unsigned char *key, size_t key_len)
{
	struct sockaddr_alg address = { .salg_family = AF_ALG, .salg_type = "hash" };
	int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);

	snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s", driver);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    (key && setsockopt(fd, SOL_ALG, ALG_SET_KEY, key, key_len))) {
		printf("FAILED: %s: %s\n", driver, strerror(errno));
		exit(1);
	}
	return fd;
}

/* Signals interrupt a call; the rest of the part is sent again. */
static int put(int fd, const unsigned char *data, size_t len)
{
	do {
		ssize_t sent = send(fd, data, len, MSG_MORE);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -1;
		data += sent;
		len -= sent;
	} while (len);
	return 0;
}

static int is_digest(int fd, const unsigned char *digest, size_t len)
{
	unsigned char found[64];
	ssize_t got;

	/* A part without MSG_MORE ends the message, even if it is empty. */
	do
		got = recv(fd, found, sizeof(found), 0);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)len && !memcmp(found, digest, len);
}

static void in_parts(int driver, const unsigned char *message, size_t len, size_t most,
		     const unsigned char *digest, size_t digest_len, unsigned *seed, const char *what)
{
	int fd = accept(driver, NULL, 0), copy = -1;
	size_t done = 0, half = len / 2;

	while (done < len) {
		size_t part = 1 + rand_r(seed) % most;

		if (part > len - done)
			part = len - done;
		if (put(fd, message + done, part))
			fail(what);
		done += part;
		if (copy < 0 && done >= half) {
			copy = accept(fd, NULL, 0);
			if (copy < 0 || (done < len && put(copy, message + done, len - done)))
				fail(what);
		}
	}
	if (!is_digest(fd, digest, digest_len))
		fail(what);
	if (copy >= 0 && !is_digest(copy, digest, digest_len))
		fail("a copy");
	close(fd);
	if (copy >= 0)
		close(copy);
}

static void one(int driver, const unsigned char *message, size_t len, const unsigned char *digest,
		size_t digest_len, unsigned *seed)
{
	/* The maximum length of a part. Each part is a call, and a message has at most a few hundred. */
	static const size_t most[] = { 3, 64, 130, 5000, 1 << 20 };

	for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++)
		if (len / most[i] < 200)
			in_parts(driver, message, len, most[i], digest, digest_len, seed,
				 "a message");
}

static size_t from_hex(const char *hex, unsigned char *bytes)
{
	size_t len = 0;

	if (*hex == '-')
		return 0;
	for (; hex[0] && hex[1]; hex += 2)
		sscanf(hex, "%2hhx", &bytes[len++]);
	return len;
}

static const char *driver_name;
static size_t thread_bytes;
static unsigned char *thread_message, thread_digest[64];
static size_t thread_digest_len;

static volatile sig_atomic_t signals;

static void *hashes(void *number)
{
	unsigned seed = (unsigned)(size_t)number;
	int driver = open_driver(driver_name, NULL, 0);

	/* If the emulator gets little CPU time, signals are rare, so repeat until there were some. */
	for (int i = 0; i < 40 || (signals < 10 && i < 2000); i++)
		in_parts(driver, thread_message, thread_bytes, 1 + rand_r(&seed) % 20000, thread_digest,
			 thread_digest_len, &seed, "a thread's message");
	close(driver);
	return NULL;
}

static void count(int signal)
{
	(void)signal;
	signals++;
}

static void threads(void)
{
	struct itimerval often = { { 0, 700 }, { 0, 700 } };
	struct sigaction action = { .sa_handler = count };
	pthread_t all[8];
	unsigned seed = 1;
	int driver = open_driver(driver_name, NULL, 0), fd = accept(driver, NULL, 0);

	thread_message = malloc(thread_bytes);
	for (size_t i = 0; i < thread_bytes; i++)
		thread_message[i] = rand_r(&seed);
	/* All threads must compute the digest of a single thread; the test vectors check its correctness. */
	if (put(fd, thread_message, thread_bytes))
		fail("alone");
	thread_digest_len = recv(fd, thread_digest, sizeof(thread_digest), 0);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (size_t i = 0; i < 8; i++)
		pthread_create(&all[i], NULL, hashes, (void *)(i + 1));
	for (size_t i = 0; i < 8; i++)
		pthread_join(all[i], NULL);
	printf("%s: 8 threads, %ld signals\n", driver_name, (long)signals);
	if (signals < 10) {
		errno = 0;
		fail("too few signals");
	}
}

static void monte(void)
{
	unsigned char last[4][64], wanted[64];
	char line[200];
	int driver = open_driver(driver_name, NULL, 0), fd = accept(driver, NULL, 0), answers = 0;
	size_t len = fgets(line, sizeof(line), stdin) ? from_hex(strtok(line, "\n"), last[2]) : 0;

	for (; fgets(line, sizeof(line), stdin); answers++) {
		memcpy(last[0], last[2], 64);
		memcpy(last[1], last[2], 64);
		for (int i = 0; i < 1000; i++) {
			unsigned char message[192];

			for (int j = 0; j < 3; j++)
				memcpy(message + j * len, last[j], len);
			if (send(fd, message, 3 * len, 0) < 0 || recv(fd, last[3], len, 0) < 0)
				fail("monte");
			memmove(last[0], last[1], 3 * 64);
		}
		errno = 0;
		if (from_hex(strtok(line, "\n"), wanted) != len || memcmp(last[2], wanted, len))
			fail("monte");
	}
	printf("%s: monte: %d answers, %u wrong\n", driver_name, answers, failures);
	if (answers != 100)
		fail("100 answers are expected");
}

int main(int argc, char **argv)
{
	static char line[1 << 20];
	static unsigned char message[1 << 19];
	unsigned char key[1024], digest[64];
	unsigned seed = 7;
	long lines = 0;

	setbuf(stdout, NULL);
	if (argc < 2)
		return 2;
	driver_name = argv[1];
	if (argc > 2 && !strcmp(argv[2], "hold")) {
		int driver = open_driver(driver_name, NULL, 0), fd = accept(driver, NULL, 0);

		if (put(fd, (const unsigned char *)"abc", 3))
			return 1;
		puts("held");
		pause();
	}
	if (argc > 3 && !strcmp(argv[2], "threads")) {
		thread_bytes = atol(argv[3]);
		threads();
		return failures != 0;
	}
	if (argc > 2 && !strcmp(argv[2], "monte")) {
		monte();
		return failures != 0;
	}
	int keyed = argc > 2 && !strcmp(argv[2], "keyed");
	int driver = keyed ? -1 : open_driver(driver_name, NULL, 0);

	while (fgets(line, sizeof(line), stdin)) {
		char *words[3];

		words[0] = strtok(line, " \n");
		for (int i = 1; i < 3; i++)
			words[i] = strtok(NULL, " \n");
		if (keyed) {
			size_t key_len = from_hex(words[0], key);

			driver = open_driver(driver_name, key, key_len);
		}
		size_t len = from_hex(words[keyed], message);

		one(driver, message, len, digest, from_hex(words[1 + keyed], digest), &seed);
		if (keyed)
			close(driver);
		lines++;
	}
	printf("%s: %ld answers, %u wrong\n", driver_name, lines, failures);
	return failures != 0 || lines == 0;
}
