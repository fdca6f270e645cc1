// SPDX-License-Identifier: Apache-2.0
// A disk that forgets: preloaded into a program, it keeps a second copy of a folder with only the
// synced data.
//
// POWER_CUT_FOLDER is the folder that the program writes to, POWER_CUT_DISK the folder that acts as
// the disk. Each fsync or fdatasync of a file copies its changed blocks to the disk; renames and
// removals follow at once if the disk knows the name. Data that were never synced are lost when the
// programs are killed: the power cut.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4096 };

static int place(const char *path, char *copy) {
  const char *folder = getenv("POWER_CUT_FOLDER"), *disk = getenv("POWER_CUT_DISK");
  if (!folder || !disk) return 0;
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0 || path[length] != '/') return 0;
  return snprintf(copy, PATH_MAX, "%s%s", disk, path + length) < PATH_MAX;
}

static int place_at(int at, const char *path, char *copy) {
  char full[PATH_MAX], folder[PATH_MAX];
  if (path[0] == '/') return place(path, copy);
  if (at == AT_FDCWD) {
    if (!getcwd(folder, sizeof folder)) return 0;
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t count = readlink(link, folder, sizeof folder - 1);
    if (count < 0) return 0;
    folder[count] = 0;
  }
  if (snprintf(full, sizeof full, "%s/%s", folder, path) >= (int)sizeof full) return 0;
  return place(full, copy);
}

static void make_folders(char *path) {
  for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
}

// Copies the differences: a kill in the middle leaves a mixture of old and new blocks, as a disk would.
static void keep(int descriptor) {
  int before = errno;
  char link[64], path[PATH_MAX], copy[PATH_MAX];
  struct stat status;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (count <= 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
  path[count] = 0;
  if (!place(path, copy)) return;
  int source = open(path, O_RDONLY | O_CLOEXEC);
  if (source < 0) return;
  make_folders(copy);
  int target = open(copy, O_RDWR | O_CREAT | O_CLOEXEC, status.st_mode & 0777);
  if (target >= 0) {
    char fresh[BLOCK], stale[BLOCK];
    off_t offset = 0;
    ssize_t size;
    while ((size = pread(source, fresh, BLOCK, offset)) > 0) {
      if (pread(target, stale, BLOCK, offset) != size || memcmp(fresh, stale, (size_t)size) != 0)
        if (pwrite(target, fresh, (size_t)size, offset) != size) abort();
      offset += size;
    }
    if (ftruncate(target, offset) != 0) abort();
    close(target);
  }
  close(source);
  errno = before;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int descriptor) {
  keep(descriptor);
  return 0;
}

int fdatasync(int descriptor) {
  keep(descriptor);
  return 0;
}

static void moved(int from_at, const char *from, int to_at, const char *to) {
  char old[PATH_MAX], new[PATH_MAX];
  if (!place_at(from_at, from, old) || !place_at(to_at, to, new)) return;
  make_folders(new);
  REAL(rename)(old, new);
}

int rename(const char *from, const char *to) {
  int result = REAL(rename)(from, to);
  if (result == 0) moved(AT_FDCWD, from, AT_FDCWD, to);
  return result;
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
  int result = REAL(renameat)(from_at, from, to_at, to);
  if (result == 0) moved(from_at, from, to_at, to);
  return result;
}

int unlink(const char *path) {
  char copy[PATH_MAX];
  int result = REAL(unlink)(path);
  if (result == 0 && place_at(AT_FDCWD, path, copy)) REAL(unlink)(copy);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  char copy[PATH_MAX];
  int result = REAL(mkdir)(path, mode);
  if (result == 0 && place_at(AT_FDCWD, path, copy)) {
    make_folders(copy);
    REAL(mkdir)(copy, mode);
  }
  return result;
}
