// Makes the system fail at a chosen call: a library to be loaded before the program (LD_PRELOAD).
//
//   FAULT=kind:n     the n-th call of the kind fails, counted from 1
//   FAULT=kind:n+    the n-th one and all that follow
//   FAULT_COUNTS=F   at the end the number of calls of every kind is written to F
// Kinds and how they fail:
//   malloc    malloc, calloc, realloc, aligned_alloc, ...: no memory
//   write     write, pwrite to files: no space left (standard output and error are spared)
//   fsync     input/output error
//   close     of files that were opened for writing: input/output error
//   rename    input/output error
//   unlink    unlink, remove: operation not permitted
//   open      open, fopen: too many open files
//   read      input/output error
//   mmap      of files: no memory (what is mapped without a file comes from malloc)
//   thread    pthread_create: resource temporarily unavailable
//   truncate  nothing fails; the n-th file that is mapped is cut to nothing just after
// Calls are counted from the moment the program has installed its signal handlers (the first
// sigaction for SIGBUS): before that nobody can report anything.

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own allocator, which needs no dlsym to be found (dlsym itself allocates).
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum Kind {
  kMalloc,
  kWrite,
  kFsync,
  kClose,
  kRename,
  kUnlink,
  kOpen,
  kRead,
  kMmap,
  kThread,
  kTruncate,
  kNumKinds
};
constexpr const char* kNames[kNumKinds] = {"malloc", "write",  "fsync",   "close",
                                           "rename", "unlink", "open",    "read",
                                           "mmap",   "thread", "truncate"};

std::atomic<bool> is_counting = false;
std::atomic<long> counts[kNumKinds];
Kind chosen = kNumKinds;
long first = 0;
bool goes_on = false;

// Whether this call is to fail.
bool fails(Kind kind) {
  if (!is_counting.load(std::memory_order_relaxed)) return false;
  const long number = counts[kind].fetch_add(1) + 1;
  return kind == chosen && (goes_on ? number >= first : number == first);
}

template <typename Function>
Function real(Function /*like*/, const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool is_standard(int descriptor) { return descriptor <= STDERR_FILENO; }

void read_environment() {
  const char* text = std::getenv("FAULT");
  if (text == nullptr) return;
  for (int kind = 0; kind < kNumKinds; ++kind) {
    const std::size_t size = std::strlen(kNames[kind]);
    if (std::strncmp(text, kNames[kind], size) != 0 || text[size] != ':') continue;
    char* end = nullptr;
    first = std::strtol(text + size + 1, &end, 10);
    goes_on = *end == '+';
    chosen = static_cast<Kind>(kind);
    return;
  }
  std::fprintf(stderr, "inject: FAULT=%s is no fault\n", text);
  std::_Exit(99);
}

void write_counts() {
  is_counting = false;
  const char* path = std::getenv("FAULT_COUNTS");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) {
    for (int kind = 0; kind < kNumKinds; ++kind) {
      std::fprintf(file, "%s %ld\n", kNames[kind], counts[kind].load());
    }
    std::fclose(file);
  }
}

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

}  // namespace

extern "C" {

int sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  static const auto next = real(&sigaction, "sigaction");
  if (signal == SIGBUS && action != nullptr && !is_counting.load()) {
    read_environment();
    std::atexit(write_counts);
    is_counting = true;
  }
  return next(signal, action, old);
}

void* malloc(std::size_t size) { return fails(kMalloc) ? no_memory() : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return fails(kMalloc) ? no_memory() : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return fails(kMalloc) ? no_memory() : __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return fails(kMalloc) ? no_memory() : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(kMalloc) ? no_memory() : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (fails(kMalloc)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

ssize_t write(int descriptor, const void* data, std::size_t size) {
  static const auto next = real(&write, "write");
  if (!is_standard(descriptor) && fails(kWrite)) return fail_with(ENOSPC);
  return next(descriptor, data, size);
}
ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t offset) {
  static const auto next = real(&pwrite, "pwrite");
  return fails(kWrite) ? fail_with(ENOSPC) : next(descriptor, data, size, offset);
}
ssize_t pwrite64(int descriptor, const void* data, std::size_t size, off64_t offset) {
  static const auto next = real(&pwrite64, "pwrite64");
  return fails(kWrite) ? fail_with(ENOSPC) : next(descriptor, data, size, offset);
}
ssize_t read(int descriptor, void* data, std::size_t size) {
  static const auto next = real(&read, "read");
  return fails(kRead) ? fail_with(EIO) : next(descriptor, data, size);
}
int fsync(int descriptor) {
  static const auto next = real(&fsync, "fsync");
  return fails(kFsync) ? fail_with(EIO) : next(descriptor);
}
int close(int descriptor) {
  static const auto next = real(&close, "close");
  const int mode = ::fcntl(descriptor, F_GETFL);
  const bool is_output = mode >= 0 && (mode & O_ACCMODE) != O_RDONLY && !is_standard(descriptor);
  const int status = next(descriptor);
  return is_output && fails(kClose) ? fail_with(EIO) : status;
}
int rename(const char* from, const char* to) {
  static const auto next = real(&rename, "rename");
  return fails(kRename) ? fail_with(EIO) : next(from, to);
}
int unlink(const char* path) {
  static const auto next = real(&unlink, "unlink");
  return fails(kUnlink) ? fail_with(EPERM) : next(path);
}
int remove(const char* path) {
  static const auto next = real(&remove, "remove");
  return fails(kUnlink) ? fail_with(EPERM) : next(path);
}
std::FILE* fopen(const char* path, const char* mode) {
  static const auto next = real(&fopen, "fopen");
  if (!fails(kOpen)) return next(path, mode);
  errno = EMFILE;
  return nullptr;
}
std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
int open(const char* path, int flags, ...) {
  static const auto next = real(&open, "open");
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return fails(kOpen) ? fail_with(EMFILE) : next(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  static const auto next = real(&open64, "open64");
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return fails(kOpen) ? fail_with(EMFILE) : next(path, flags, mode);
}

void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor,
           off_t offset) {
  static const auto next = real(&mmap, "mmap");
  if (descriptor >= 0 && fails(kMmap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* const memory = next(address, size, protection, flags, descriptor, offset);
  if (descriptor >= 0 && fails(kTruncate)) {
    char link[64];
    char path[4097];
    std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    const ssize_t length = ::readlink(link, path, sizeof(path) - 1);
    path[length < 0 ? 0 : length] = '\0';
    if (::truncate(path, 0) != 0) std::_Exit(98);
  }
  return memory;
}
void* mmap64(void* address, std::size_t size, int protection, int flags, int descriptor,
             off64_t offset) {
  return mmap(address, size, protection, flags, descriptor, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) {
  static const auto next = real(&pthread_create, "pthread_create");
  return fails(kThread) ? EAGAIN : next(thread, attributes, work, argument);
}

}  // extern "C"
