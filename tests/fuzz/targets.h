// What is fuzzed: functions that read bytes from strangers. A target returns when the bytes were read, or
// refused with an Error. Any other exception, and any report of a sanitizer, is a finding.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "headlight/core/check.h"

namespace headlight::fuzz {

void config(const std::string& bytes);
void json(const std::string& bytes);
void manifest(const std::string& bytes);
void metrics(const std::string& bytes);
void safetensors(const std::string& bytes);
void compress(const std::string& bytes);
void state(const std::string& bytes);
void summary(const std::string& bytes);
void text(const std::string& bytes);
void tokens(const std::string& bytes);

struct Target {
  const char* name;  // also of its folder in corpus/
  void (*run)(const std::string& bytes);
};
inline const std::vector<Target>& targets() {
  static const std::vector<Target> all{{"config", config},
                                       {"json", json},
                                       {"manifest", manifest},
                                       {"metrics", metrics},
                                       {"safetensors", safetensors},
                                       {"compress", compress},
                                       {"state", state},
                                       {"summary", summary},
                                       {"text", text},
                                       {"tokens", tokens}};
  return all;
}

// Calls `read`, which may refuse the bytes.
inline void refusable(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

// What must hold of whatever was read.
inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace headlight::fuzz
