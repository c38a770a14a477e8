// Texts of lesson 16 in which random names return.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "headlight/core/rng.h"

namespace headlight::lesson {

// A name of so many letters, each drawn from the first `letters` of the alphabet.
inline std::string random_name(std::size_t length, std::size_t letters, Rng& rng) {
  std::string name;
  while (name.size() < length) name += static_cast<char>('a' + rng.below(letters));
  return name;
}

struct Identifiers {
  std::size_t shortest = 8, longest = 12;  // letters of a name
  std::size_t letters = 16;                // different ones
  bool once = false;                       // each use has a new name
};

// Lines such as "let kfgeabcd; f(kfgeabcd); kfgeabcd += 1;". Each has a random name, three to five times.
inline std::string identifier_text(std::size_t characters, const Identifiers& kind, std::uint64_t seed) {
  Rng rng(seed);
  const auto new_name = [&] {
    return random_name(kind.shortest + rng.below(kind.longest - kind.shortest + 1), kind.letters, rng);
  };
  std::string text;
  while (text.size() < characters) {
    std::string name = new_name();
    text += "let " + name + ";";
    for (std::size_t uses = 2 + rng.below(3); uses > 0; --uses) {
      if (kind.once) name = new_name();
      const std::array<std::string, 3> forms{" f(" + name + ");", " " + name + " += 1;", " g(" + name + ");"};
      text += forms[rng.below(3)];
    }
    text += "\n";
  }
  return text;
}

}  // namespace headlight::lesson
