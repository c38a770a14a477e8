// Registry: the choices that a user can name. The command line, help, JSON, checks and errors read it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// A name stands for a Thing: a value, or a function that makes one.
template <class Thing>
class Registry {
 public:
  struct Entry {
    std::string name;  // what a user types
    std::string help;  // one sentence, without a full stop
    Thing thing;
  };

  // `kind` is what the entries are, for messages: "task".
  Registry(std::string kind, std::vector<Entry> entries)
      : kind_(std::move(kind)), entries_(std::move(entries)) {}

  // Adds a choice. Call it before other threads read the registry. Throws Error for a name that is taken.
  void add(Entry entry) {
    for (const Entry& known : entries_)
      check(known.name != entry.name, "there is a {} '{}' already.", kind_, entry.name);
    entries_.push_back(std::move(entry));
  }

  // Throws Error: "unknown task 'repaet': expected repeat or copy. Did you mean 'repeat'?"
  const Thing& find(const std::string& name) const {
    for (const Entry& entry : entries_)
      if (entry.name == name) return entry.thing;
    fail("unknown {} '{}': expected {}.{}", kind_, name, listed(names()), did_you_mean(name, names()));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) names.push_back(entry.name);
    return names;
  }

  const std::string& kind() const { return kind_; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION
