/* Preloaded into the program, this fails or kills the process at its n-th operation on the files of a folder, or at its
   n-th allocation. The rows set what:
     FAULT_KIND    log (nothing fails), kill, short, eintr, enospc, eio, malloc, exchange
     FAULT_BELOW   a text in the path of each file that counts
     FAULT_AT      n, from 1;  with FAULT_STICKY all later ones fail too
     FAULT_OTHER   for exchange: before the n-th file of FAULT_BELOW is opened to be read, the folder FAULT_BELOW changes
                   places with this one, as when a training saves its run
     FAULT_LOG     a file that gets a line for each operation; for malloc only their number
     FAULT_NO_EXCHANGE  as on a file system that cannot exchange two folders */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *kind, *below, *other;
static long at, sticky, no_exchange;
static int log_file = -1;
static atomic_long operations, allocations;

__attribute__((constructor)) static void begin(void) {
  const char* n = getenv("FAULT_AT");
  const char* log = getenv("FAULT_LOG");
  below = getenv("FAULT_BELOW");
  other = getenv("FAULT_OTHER");
  at = n ? atol(n) : 0;
  sticky = getenv("FAULT_STICKY") != NULL;
  no_exchange = getenv("FAULT_NO_EXCHANGE") != NULL;
  if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  atomic_store(&allocations, 0);
  kind = getenv("FAULT_KIND");
}

__attribute__((destructor)) static void end(void) {
  char line[40];
  if (!kind || strcmp(kind, "malloc") != 0 || log_file < 0) return;
  syscall(SYS_write, log_file, line, (size_t)snprintf(line, sizeof line, "%ld\n", atomic_load(&allocations)));
}

static int is(const char* name) { return strcmp(kind, name) == 0; }

/* The number of this operation, which gets a line in the log. */
static long counted(const char* operation, const char* path) {
  const long n = atomic_fetch_add(&operations, 1) + 1;
  if (log_file >= 0) {
    char line[PATH_MAX + 40];
    const int length = snprintf(line, sizeof line, "%ld %s %s\n", n, operation, path);
    syscall(SYS_write, log_file, line, (size_t)length);
  }
  return n;
}

/* Whether this operation is to fail. May not return. */
static int fails(const char* operation, const char* path) {
  if (!kind || !below || is("malloc") || is("exchange") || !strstr(path, below)) return 0;
  const long n = counted(operation, path);
  if (is("log") || (sticky ? n < at : n != at)) return 0;
  if (is("kill")) kill(getpid(), SIGKILL);
  errno = is("enospc") ? ENOSPC : is("eio") ? EIO : EINTR;
  return 1;
}

/* The path of an open file, or of a name in an open folder. */
static const char* path_of(char* buffer, int file, const char* name) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t n = (name && name[0] == '/') ? 0 : readlink(file == AT_FDCWD ? "/proc/self/cwd" : link, buffer, PATH_MAX - 1);
  if (n < 0) n = 0;
  buffer[n] = 0;
  if (name) snprintf(buffer + n, (size_t)(2 * PATH_MAX - n), "%s%s", n > 0 ? "/" : "", name);
  return buffer;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define INTERRUPTIBLE (!is("short"))
#define NOT_INTERRUPTIBLE (!is("short") && !is("eintr"))
#define PATH(file, name) path_of((char[3 * PATH_MAX]){0}, file, name)

static int is_output(int file) {
  const int saved = errno, flags = fcntl(file, F_GETFL);
  errno = saved;
  return kind && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static void to_be_read(const char* path) {
  if (!kind || !is("exchange") || strncmp(path, below, strlen(below)) != 0 || counted("read", path) != at) return;
  syscall(SYS_renameat2, AT_FDCWD, below, AT_FDCWD, other, RENAME_EXCHANGE);
}

static int opened(int folder, const char* name, int flags, mode_t mode) {
  if ((flags & (O_ACCMODE | O_DIRECTORY)) == O_RDONLY) to_be_read(PATH(folder, name));
  if ((flags & (O_CREAT | O_TRUNC)) && fails("open", PATH(folder, name)) && INTERRUPTIBLE) return -1;
  return (int)syscall(SYS_openat, folder, name, flags, mode);
}

static mode_t mode_of(int flags, va_list arguments) { return (flags & O_CREAT) ? va_arg(arguments, mode_t) : 0; }

#define OPEN(flags, folder, name)                       \
  va_list arguments;                                    \
  va_start(arguments, flags);                           \
  const mode_t mode = mode_of(flags, arguments);        \
  va_end(arguments);                                    \
  return opened(folder, name, flags, mode)

int open(const char* name, int flags, ...) { OPEN(flags, AT_FDCWD, name); }
int open64(const char* name, int flags, ...) { OPEN(flags, AT_FDCWD, name); }
int openat(int folder, const char* name, int flags, ...) { OPEN(flags, folder, name); }
int openat64(int folder, const char* name, int flags, ...) { OPEN(flags, folder, name); }

ssize_t write(int file, const void* bytes, size_t count) {
  if (is_output(file) && fails("write", PATH(file, NULL))) {
    if (!is("short")) return -1;
    count = count > 1 ? count / 2 : count;
  }
  return syscall(SYS_write, file, bytes, count);
}

int fsync(int file) {
  if (kind && fails("fsync", PATH(file, NULL)) && INTERRUPTIBLE) return -1;
  return (int)syscall(SYS_fsync, file);
}

int ftruncate(int file, off_t size) {
  if (kind && fails("ftruncate", PATH(file, NULL)) && INTERRUPTIBLE) return -1;
  return (int)syscall(SYS_ftruncate, file, size);
}

/* The file is closed all the same, as Linux does it. */
int close(int file) {
  const int failed = is_output(file) && fails("close", PATH(file, NULL)) && INTERRUPTIBLE, error = errno;
  const int result = (int)syscall(SYS_close, file);
  if (!failed) return result;
  errno = error;
  return -1;
}

int flock(int file, int operation) {
  if (kind && fails("flock", PATH(file, NULL)) && INTERRUPTIBLE) return -1;
  return (int)syscall(SYS_flock, file, operation);
}

int rename(const char* from, const char* to) {
  if (kind && fails("rename", PATH(AT_FDCWD, to)) && NOT_INTERRUPTIBLE) return -1;
  return REAL(rename)(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (no_exchange && flags != 0) {
    errno = EINVAL;
    return -1;
  }
  if (kind && fails("exchange", PATH(to_folder, to)) && NOT_INTERRUPTIBLE) return -1;
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int mkdir(const char* name, mode_t mode) {
  if (kind && fails("mkdir", PATH(AT_FDCWD, name)) && NOT_INTERRUPTIBLE) return -1;
  return REAL(mkdir)(name, mode);
}

int rmdir(const char* name) {
  if (kind && fails("rmdir", PATH(AT_FDCWD, name)) && NOT_INTERRUPTIBLE) return -1;
  return REAL(rmdir)(name);
}

int unlink(const char* name) {
  if (kind && fails("unlink", PATH(AT_FDCWD, name)) && NOT_INTERRUPTIBLE) return -1;
  return REAL(unlink)(name);
}

int remove(const char* name) {
  if (kind && fails("remove", PATH(AT_FDCWD, name)) && NOT_INTERRUPTIBLE) return -1;
  return REAL(remove)(name);
}

int unlinkat(int folder, const char* name, int flags) {
  if (kind && fails("unlinkat", PATH(folder, name)) && NOT_INTERRUPTIBLE) return -1;
  return REAL(unlinkat)(folder, name, flags);
}

int fchmodat(int folder, const char* name, mode_t mode, int flags) {
  if (kind && fails("chmod", PATH(folder, name)) && NOT_INTERRUPTIBLE) return -1;
  return REAL(fchmodat)(folder, name, mode, flags);
}

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static int no_memory(void) {
  if (!kind || !is("malloc")) return 0;
  const long n = atomic_fetch_add(&allocations, 1) + 1;
  if (at == 0 || (sticky ? n < at : n != at)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return no_memory() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return no_memory() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return no_memory() ? NULL : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) { return no_memory() ? NULL : __libc_memalign(alignment, size); }
void* memalign(size_t alignment, size_t size) { return no_memory() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void** result, size_t alignment, size_t size) {
  void* found = no_memory() ? NULL : __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *result = found;
  return 0;
}
