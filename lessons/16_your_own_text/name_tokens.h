// The text of the experiment in exercise 16.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "texts.h"

namespace headlight {

// The tokens of a text of 20,000 characters in which random names of exactly `length` letters return, as in
// the lesson. A character's token is its number among those of the text, from 0 on.
inline std::vector<int> name_tokens(std::size_t length) {
  const std::string text = lesson::identifier_text(20000, {.shortest = length, .longest = length}, 1);
  const std::set<char> characters(text.begin(), text.end());
  std::vector<int> tokens;
  for (const char c : text)
    tokens.push_back(static_cast<int>(std::distance(characters.begin(), characters.find(c))));
  return tokens;
}

}  // namespace headlight
