// Exceptions in WebAssembly, which the standard library for this target lacks.
// The tables are those of the Itanium C++ ABI, with a number for each landing pad instead of its address:
// https://github.com/WebAssembly/tool-conventions/blob/main/EHScheme.md
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

namespace __cxxabiv1 {

// As the library's own class, whose functions stand in this order in the table of virtual functions.
class __shim_type_info : public std::type_info {
 public:
  virtual ~__shim_type_info();
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};

}  // namespace __cxxabiv1

namespace {

using Type = __cxxabiv1::__shim_type_info;

struct alignas(16) Exception {
  const Type* type;
  void* (*destroy)(void*);
  void* adjusted;              // the object, as the handler's type
  int handlers = 0;            // that run now
  bool again = false;          // thrown again by one of them
  Exception* below = nullptr;  // of the caught ones
};

Exception* caught = nullptr;

void* object_of(Exception* e) { return e + 1; }
Exception* exception_of(void* object) { return static_cast<Exception*>(object) - 1; }

std::uintptr_t unsigned_leb(const std::uint8_t*& at) {
  std::uintptr_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    number |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return number;
  }
}

std::intptr_t signed_leb(const std::uint8_t*& at) {
  std::uintptr_t number = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = *at++;
    number |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift < 8 * sizeof number) number |= ~std::uintptr_t{0} << shift;
    return static_cast<std::intptr_t>(number);
  }
}

// Which handler of a landing pad takes the exception: its number, or 0 for none.
std::uintptr_t handler_for(Exception* e, std::uintptr_t pad, const std::uint8_t* at) {
  constexpr std::uint8_t kOmitted = 0xff;
  if (*at++ != kOmitted) std::abort();  // the base of landing pads, which have none here
  const Type* const* types = nullptr;
  if (*at++ != kOmitted) {
    const std::uintptr_t offset = unsigned_leb(at);
    types = reinterpret_cast<const Type* const*>(at + offset);
  }
  ++at;  // how the table is written: always as LEB128
  const std::uintptr_t length = unsigned_leb(at);
  const std::uint8_t* const actions = at + length;
  std::uintptr_t action = 0;
  for (std::uintptr_t i = 0; i <= pad; ++i) (void)unsigned_leb(at), action = unsigned_leb(at);
  if (action == 0) return 0;
  for (const std::uint8_t* record = actions + action - 1;;) {
    const std::intptr_t filter = signed_leb(record);
    if (filter > 0) {
      const Type* const type = types[-filter];
      void* object = object_of(e);
      if (type == nullptr || type->can_catch(e->type, object)) {
        e->adjusted = object;
        return static_cast<std::uintptr_t>(filter);
      }
    }
    const std::uint8_t* next = record;
    const std::intptr_t step = signed_leb(next);
    if (step == 0) return 0;
    record += step;
  }
}

}  // namespace

extern "C" {

// In a checker: so that the line is known.
__attribute__((weak)) void note_throw();

struct Landing {
  std::uintptr_t pad, table, handler;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void* thrown) {
  auto* const e = static_cast<Exception*>(thrown);
  __wasm_lpad_context.handler = handler_for(e, __wasm_lpad_context.pad,
                                            reinterpret_cast<const std::uint8_t*>(__wasm_lpad_context.table));
  return 0;
}

// Destructors of a thread's objects, at its end: a page has one thread, which ends with everything.
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

void* __cxa_allocate_exception(std::size_t size) {
  void* const memory = std::malloc(sizeof(Exception) + size);
  if (memory == nullptr) std::terminate();
  return object_of(new (memory) Exception);
}
void __cxa_free_exception(void* object) { std::free(exception_of(object)); }

[[noreturn]] void __cxa_throw(void* object, void* type, void* (*destroy)(void*)) {
  Exception* const e = exception_of(object);
  e->type = static_cast<const Type*>(type);
  e->destroy = destroy;
  e->adjusted = object;
  if (note_throw != nullptr) note_throw();
  __builtin_wasm_throw(0, e);
}

void* __cxa_get_exception_ptr(void* thrown) { return static_cast<Exception*>(thrown)->adjusted; }

void* __cxa_begin_catch(void* thrown) {
  auto* const e = static_cast<Exception*>(thrown);
  ++e->handlers;
  if (caught != e) e->below = caught, caught = e;
  e->again = false;
  return e->adjusted;
}

void __cxa_end_catch() {
  Exception* const e = caught;
  if (e == nullptr || --e->handlers > 0) return;
  caught = e->below;
  if (e->again) return;
  if (e->destroy != nullptr) e->destroy(object_of(e));
  std::free(e);
}

[[noreturn]] void __cxa_rethrow() {
  if (caught == nullptr) std::terminate();
  caught->again = true;
  __builtin_wasm_throw(0, caught);
}
}
