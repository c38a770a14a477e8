// Reads the JSON files of a run folder key by key: every number exactly and in its range.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/system/file_error.h"
#include "headlight/system/json.h"

namespace headlight::run {

// The most bytes that are read of such a file.
inline constexpr std::size_t kMostFieldBytes = std::size_t{16} << 20;

inline constexpr std::size_t kMostText = 100'000;  // bytes of a text that is shown
inline constexpr double kCentury = 3155760000;     // in seconds

// An object of a JSON file. Each function takes a key. It throws Error when the key is missing or its value
// cannot be, in words that follow "'summary.json' is damaged: ".
class Fields {
 public:
  // The object of a whole text, after check_json().
  static Fields of_text(std::string_view text);

  bool has(const char* key) const;        // also when its value is null
  bool has_value(const char* key) const;  // not when it is null

  std::int64_t count(const char* key) const;  // a whole number of at least 0
  std::size_t index(const char* key) const;   // the same, for layers and heads
  std::uint64_t seed(const char* key) const;
  double number(const char* key) const;
  double measure(const char* key) const;  // a number of at least 0: a loss, a time
  double time(const char* key) const;     // seconds, at most a century
  double part(const char* key) const;     // a number from 0 to 1: an accuracy, a weight of attention
  bool flag(const char* key) const;
  std::string text(const char* key, std::size_t most = kMostText) const;
  Fields object(const char* key) const;
  std::vector<Fields> objects(const char* key) const;
  std::vector<std::string> texts(const char* key) const;
  std::vector<std::pair<std::string, double>> numbers() const;  // each value of the object, by its name

  // What `read` gives, such as &Fields::part; nothing where the value is null.
  template <class T>
  std::optional<T> maybe(T (Fields::*read)(const char*) const, const char* key) const {
    (void)value(key);
    return has_value(key) ? std::optional<T>((this->*read)(key)) : std::nullopt;
  }

 private:
  Fields(nlohmann::ordered_json object, std::string path);
  const nlohmann::ordered_json& value(const char* key) const;
  std::string name(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  template <class T>
  T exact(const char* key) const;
  double within(const char* key, double least, double most) const;

  nlohmann::ordered_json object_;
  std::string path_;  // "accuracy" of the object accuracy, "heads[2]" of the third head
};

// The scores of heads, each from 0 to 1. A head of another stack than cross has a previous-token score.
std::vector<interpret::HeadScores> heads_from(const std::vector<Fields>& list);

// Calls `use` with the object of each line of a file. Errors name the file, which is damaged, and the line.
void for_each_line(const std::string& text, const std::string& file,
                   const std::function<void(const Fields&)>& use);

// What `read` returns. Its Errors name the file, which is damaged.
template <class Read>
auto with_file_in_errors(const std::string& file, Read read) {
  try {
    return read();
  } catch (const Error& e) {
    fail_file("'{}' is damaged: {}.", file, e.what());
  }
}

}  // namespace headlight::run
