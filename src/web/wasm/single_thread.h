// What this target's standard library lacks: a module of WebAssembly has one thread.
#pragma once

#include <initializer_list>

namespace std {

class mutex {
 public:
  void lock() {}
  void unlock() {}
};

template <class Mutex>
class unique_lock {
 public:
  explicit unique_lock(Mutex&) {}
};

class condition_variable {
 public:
  void notify_all() {}
  template <class Lock, class Condition>
  void wait(Lock&, Condition) {}
};

}  // namespace std
