// Registry: the choices that a user can name. The command line, help, JSON, checks and errors read it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight {

// Of the settings that only some entries of a registry use, the keys of those that one entry uses:
// SettingKeys{"beta2"}. A default SettingKeys is not known.
class SettingKeys {
 public:
  SettingKeys() {}
  SettingKeys(std::initializer_list<std::string> keys) : known_(true), keys_(keys) {}
  bool known() const { return known_; }
  bool contains(const std::string& key) const {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  }

 private:
  bool known_ = false;
  std::vector<std::string> keys_;
};

// An entry that uses none of them.
inline const SettingKeys kNoSettings(std::initializer_list<std::string>{});

// A name stands for a Thing: a value, or a function that makes one.
template <class Thing>
class Registry {
 public:
  struct Entry {
    Entry(std::string called, std::string said, Thing stands_for, SettingKeys used = SettingKeys())
        : name(std::move(called)),
          help(std::move(said)),
          thing(std::move(stands_for)),
          uses(std::move(used)) {}

    std::string name;  // what a user types
    std::string help;  // one sentence, without a full stop
    Thing thing;
    SettingKeys uses;  // without them there is no warning of a setting without effect
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

  bool contains(const std::string& name) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.name == name; });
  }

  // Throws Error: "unknown task 'repaet': expected repeat or copy. Did you mean 'repeat'?"
  const Thing& find(const std::string& name) const {
    for (const Entry& entry : entries_)
      if (entry.name == name) return entry.thing;
    fail("unknown {} '{}': expected {}.{}", kind_, name, listed(names()), did_you_mean(name, names()));
  }

  // Whether the setting `key` has no effect when `name` is chosen: another entry uses it, and this one does
  // not. False where that is not known.
  bool ignores(const std::string& name, const std::string& key) const {
    const auto uses = [&](const Entry& entry) { return entry.uses.contains(key); };
    const auto chosen = std::find_if(entries_.begin(), entries_.end(),
                                     [&](const Entry& entry) { return entry.name == name; });
    return chosen != entries_.end() && chosen->uses.known() && !uses(*chosen) &&
           std::any_of(entries_.begin(), entries_.end(), uses);
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

}  // namespace headlight
