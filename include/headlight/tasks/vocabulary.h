// Vocabulary: what tokens look like, and how they are read back from text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION::tasks {

// Token i looks like text i. Where every text is one character, tokens are written without spaces between.
class Vocabulary {
 public:
  // Throws Error for no texts, an empty one, or two that are equal.
  explicit Vocabulary(std::vector<std::string> texts);

  // A … Z a … z 0 … 9 + / while they are enough, else the numbers 0 … size-1.
  static Vocabulary of_size(std::size_t size);

  std::size_t size() const { return texts_.size(); }

  // Whether every token is one character, so that text needs no spaces between tokens.
  bool by_character() const { return by_character_; }

  // Throws Error for what is no token.
  const std::string& text(std::int32_t token) const;

  // The tokens of a text; space between them counts only where a token is a space. Throws Error, naming what
  // is no token, and for a text without tokens.
  std::vector<std::int32_t> tokens(const std::string& text) const;

 private:
  std::int32_t token(const std::string& text) const;

  std::vector<std::string> texts_;
  bool by_character_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::tasks
