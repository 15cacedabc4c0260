// Loaded before libc's own: of files below POWER_ROOT it notes in POWER_SHADOW what every write replaces, and forgets the notes
// of a file once that is synced. What is noted when the processes are killed is what a power cut would have taken, and is put
// back. Making, renaming and removing files is taken for durable at once.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct note {
  uint64_t at, bytes, size;
};

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);
static const char *root, *shadow;

static void load(void) {
  if (real_write) return;
  root = getenv("POWER_ROOT");
  shadow = getenv("POWER_SHADOW");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_write = dlsym(RTLD_NEXT, "write");
}

/** The notes of a file, locked; -1 where it is not watched. */
static int open_notes(int fd, struct stat *seen) {
  char link[64], path[PATH_MAX], name[PATH_MAX];
  if (!root || !shadow || fstat(fd, seen) || !S_ISREG(seen->st_mode)) return -1;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return -1;
  path[length] = 0;
  if (strncmp(path, root, strlen(root)) || path[strlen(root)] != '/') return -1;
  snprintf(name, sizeof name, "%s/%llu", shadow, (unsigned long long)seen->st_ino);
  int notes = open(name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (notes < 0) return -1;
  flock(notes, LOCK_EX);
  fstat(fd, seen);
  return notes;
}

static int note(int fd, off_t at, size_t bytes) {
  struct stat seen;
  int notes = open_notes(fd, &seen);
  if (notes < 0) return -1;
  char *text = malloc(sizeof(struct note) + bytes);
  /* A file that was opened to be written only is read through another door. */
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int reader = open(link, O_RDONLY | O_CLOEXEC);
  ssize_t had = reader < 0 ? 0 : pread(reader, text + sizeof(struct note), bytes, at);
  if (reader >= 0) close(reader);
  struct note head = {(uint64_t)at, had > 0 ? (uint64_t)had : 0, (uint64_t)seen.st_size};
  memcpy(text, &head, sizeof head);
  if (real_write(notes, text, sizeof head + head.bytes) < 0) abort();
  free(text);
  return notes;
}

static void done(int notes) {
  if (notes >= 0) close(notes);
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off_t at) {
  load();
  int notes = note(fd, at, bytes);
  ssize_t wrote = real_pwrite(fd, from, bytes, at);
  done(notes);
  return wrote;
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) {
  load();
  size_t bytes = 0;
  for (int n = 0; n < count; n++) bytes += parts[n].iov_len;
  int notes = note(fd, at, bytes);
  ssize_t wrote = real_pwritev(fd, parts, count, at);
  done(notes);
  return wrote;
}

ssize_t write(int fd, const void *from, size_t bytes) {
  load();
  off_t at = lseek(fd, 0, SEEK_CUR);
  int notes = at < 0 ? -1 : note(fd, at, bytes);
  ssize_t wrote = real_write(fd, from, bytes);
  done(notes);
  return wrote;
}

int ftruncate64(int fd, off_t size) {
  load();
  struct stat seen;
  if (fstat(fd, &seen) || size >= seen.st_size) return real_ftruncate(fd, size);
  int notes = note(fd, size, seen.st_size - size);
  int result = real_ftruncate(fd, size);
  done(notes);
  return result;
}

static int synced(int fd, int (*sync)(int)) {
  struct stat seen;
  int notes = open_notes(fd, &seen);
  int result = sync(fd);
  if (notes >= 0 && result == 0) result = real_ftruncate(notes, 0);
  done(notes);
  return result;
}

int fsync(int fd) {
  load();
  return synced(fd, real_fsync);
}

int fdatasync(int fd) {
  load();
  return synced(fd, real_fdatasync);
}

ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at) __attribute__((alias("pwrite64")));
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) __attribute__((alias("pwritev64")));
int ftruncate(int fd, off_t size) __attribute__((alias("ftruncate64")));
