// What a module needs of its page instead of an operating system, and what it lacks.
#include <cstring>
#include <exception>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"
#include "headlight/tasks/text.h"

// Throws an error of JavaScript with this sentence. The module is then in no known state, and the page makes
// it anew.
extern "C" [[noreturn]] __attribute__((import_module("page"), import_name("raise"))) void page_raise(
    const char* sentence, std::size_t size);

// The module is compiled without exceptions. Everything that the engine throws is a std::exception.
extern "C" void* __cxa_allocate_exception(std::size_t size) { return operator new(size); }
extern "C" [[noreturn]] void __cxa_throw(void* thrown, void*, void (*)(void*)) {
  const char* what = static_cast<std::exception*>(thrown)->what();
  page_raise(what, std::strlen(what));
}

// Destructors of a thread's objects, at its end: this thread has none.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

namespace headlight::tasks {

Task text_task(const TaskConfig&) { fail("a page reads no files, so it cannot train on a text."); }

}  // namespace headlight::tasks
