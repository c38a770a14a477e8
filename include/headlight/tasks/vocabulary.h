// Vocabulary: the texts of tokens, and the tokens of a text.
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

  // A … Z a … z 0 … 9 + / if they are enough, else the numbers 0 … size-1.
  static Vocabulary of_size(std::size_t size);

  std::size_t size() const { return texts_.size(); }

  // Whether every token is one character, so that text needs no spaces between tokens.
  bool by_character() const { return by_character_; }

  // Throws Error for a number outside the vocabulary.
  const std::string& text(std::int32_t token) const;

  // The tokens of a text; spaces between tokens are ignored unless the vocabulary has a space. Throws Error
  // that names text which is not a token, and for a text without tokens.
  std::vector<std::int32_t> tokens(const std::string& text) const;

 private:
  std::int32_t token(const std::string& text) const;

  std::vector<std::string> texts_;
  bool by_character_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::tasks
