/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Makes each kernel allocation in a call of this program fail once: the first, then the second, and so on.
 * Requires a kernel with CONFIG_FAULT_INJECTION, including allocations that may wait.
 *
 *   failures load MODULE FILE     loads a module, and unloads it if loading succeeded
 *   failures hash DRIVER DIGEST   hashes "abc" by AF_ALG
 *
 * A call that fails must return an error, and must leave no driver registered; a call that succeeds must be
 * correct.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned wrong;

static void fail(const char *what, int error)
{
	if (wrong++ < 10)
		printf("FAILED: %s: %s\n", what, strerror(error));
}

/* The tested call. Returns 0 or its error. */
typedef int attempt(char **words);

static int is_listed(const char *name)
{
	char line[256], wanted[128];
	FILE *list = fopen("/proc/crypto", "r");
	int found = 0;

	snprintf(wanted, sizeof(wanted), "module       : %s\n", name);
	while (list && fgets(line, sizeof(line), list))
		found |= !strcmp(line, wanted);
	if (!list || fclose(list))
		fail("/proc/crypto", errno);
	return found;
}

static int load(char **words)
{
	static int fd;

	fd = fd ?: open(words[1], O_RDONLY | O_CLOEXEC);
	return syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
}

static int unload(char **words)
{
	return syscall(SYS_delete_module, words[0], O_NONBLOCK) ? errno : 0;
}

static int hash(char **words)
{
	struct sockaddr_alg address = { .salg_family = AF_ALG, .salg_type = "hash" };
	unsigned char digest[64];
	char hex[129] = "";
	int driver, fd = -1, error = 0;
	ssize_t len = 0;

	snprintf((char *)address.salg_name, sizeof(address.salg_name), "%s", words[0]);
	driver = socket(AF_ALG, SOCK_SEQPACKET, 0);
	if (driver < 0 || bind(driver, (struct sockaddr *)&address, sizeof(address)) ||
	    (fd = accept(driver, NULL, 0)) < 0 || send(fd, "abc", 3, 0) != 3 ||
	    (len = recv(fd, digest, sizeof(digest), 0)) < 0)
		error = errno;
	for (ssize_t i = 0; i < len; i++)
		sprintf(hex + 2 * i, "%02x", digest[i]);
	if (!error && strcmp(hex, words[1]))
		fail("a digest", 0);
	if (fd >= 0)
		close(fd);
	if (driver >= 0)
		close(driver);
	return error;
}

int main(int argc, char **argv)
{
	int nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	int is_load = argc == 4 && !strcmp(argv[1], "load");
	attempt *tried = is_load ? load : hash;
	unsigned failed = 0, went_on = 0;

	if (argc != 4 || nth < 0)
		return 2;
	/* Run once without failures, so that one-time allocations, such as pages of the file, exist. */
	if (tried(argv + 2) || (is_load && unload(argv + 2)))
		fail("without failures", errno);
	for (unsigned point = 1; !wrong; point++) {
		char number[16];
		int error, all;

		snprintf(number, sizeof(number), "%u", point);
		if (pwrite(nth, number, strlen(number), 0) < 0)
			fail("fail-nth", errno);
		error = tried(argv + 2);
		/* The remaining count is 0 if an allocation failed. */
		memset(number, 0, sizeof(number));
		if (pread(nth, number, sizeof(number) - 1, 0) < 0 || pwrite(nth, "0", 1, 0) < 0)
			fail("fail-nth", errno);
		all = atoi(number) == 0;
		if (error && !all)
			fail("an error although no allocation failed", error);
		/* Failing to create a socket reports too many open files. */
		if (error && error != ENOMEM && error != ENFILE && error != ENOENT && error != EAGAIN)
			fail("not because of missing memory", error);
		if (is_load && !error && unload(argv + 2))
			fail("unloading", errno);
		if (is_load && is_listed(argv[2]))
			fail("a driver is still registered", 0);
		if (!all)
			break;
		error ? failed++ : went_on++;
	}
	printf("%s: %u allocations, of which %u were errors\n", argv[2], failed + went_on, failed);
	if (!failed)
		fail("nothing failed", 0);
	return wrong != 0;
}
