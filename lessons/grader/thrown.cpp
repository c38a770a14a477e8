#include "grader/thrown.h"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HEADLIGHT_SEES_THROWS 1
#include <execinfo.h>
#endif

#ifdef __wasi__
// Fills in where each function of the stack is, the last called first; returns how many.
extern "C" __attribute__((import_module("page"), import_name("stack"))) int page_stack(std::uint32_t* into,
                                                                                       int most);
#endif

namespace headlight::grader {
namespace {

constexpr int kMostFrames = 32;
thread_local std::array<void*, kMostFrames> frames{};
thread_local int frame_count = 0;

}  // namespace

std::vector<std::string> thrown_at() {
  std::vector<std::string> addresses;
  // A frame holds the address after its call, which may be on the next line.
  for (void* frame : std::span(frames).first(static_cast<std::size_t>(frame_count)))
    addresses.push_back(fmt::format("0x{:x}", reinterpret_cast<std::uintptr_t>(frame) - 1));
  return addresses;
}

#ifdef HEADLIGHT_SEES_THROWS

namespace {

// RTLD_NEXT.
void* const kNextLibrary = reinterpret_cast<void*>(-1L);

void note_throw() { frame_count = ::backtrace(frames.data(), kMostFrames); }

}  // namespace

#endif

}  // namespace headlight::grader

#ifdef HEADLIGHT_SEES_THROWS

extern "C" void* dlsym(void* library, const char* name);

// What a throw calls, under its name there: the one in the program comes before that in the library of
// exceptions.
extern "C" [[noreturn]] void noted_throw(void* exception, void* type,
                                         void (*destroy)(void*)) __asm__("__cxa_throw");
void noted_throw(void* exception, void* type, void (*destroy)(void*)) {
  using Throw = void (*)(void*, void*, void (*)(void*));
  static const auto of_library =
      reinterpret_cast<Throw>(::dlsym(headlight::grader::kNextLibrary, "__cxa_throw"));
  headlight::grader::note_throw();
  of_library(exception, type, destroy);
  std::abort();  // it does not return
}

#endif

#ifdef __wasi__

// Called by __cxa_throw of src/web/solve/runtime.cpp.
extern "C" void note_throw() {
  using namespace headlight::grader;
  std::array<std::uint32_t, kMostFrames> stack{};
  frame_count = page_stack(stack.data(), kMostFrames);
  for (std::size_t i = 0; i < stack.size(); ++i) frames[i] = reinterpret_cast<void*>(stack[i]);
}

#endif
