// Vocabulary: the texts of tokens, and the tokens of a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight::tasks {

// Token i looks like text i. Where every text is one character, tokens are written without spaces between.
// Where every token is a byte, text is read byte by byte, and a byte that is no printable ASCII looks like
// \x0a.
class Vocabulary {
 public:
  // Throws Error for no texts, an empty one, or two that are equal.
  explicit Vocabulary(std::vector<std::string> texts);

  // The signs, then A … Z a … z 0 … 9 + / if they are enough, else numbers from 0 on; `size` texts in all.
  static Vocabulary of_size(std::size_t size, std::vector<std::string> signs = {});

  // All 256 bytes; token i is byte i.
  static Vocabulary of_bytes();

  std::size_t size() const { return texts_.size(); }

  // Whether every token is one character, so that text needs no spaces between tokens.
  bool by_character() const { return by_character_; }

  // Whether tokens are words or numbers, with spaces between.
  bool by_word() const { return !by_character_ && !by_byte_; }

  // Throws Error for a number outside the vocabulary.
  const std::string& text(std::int32_t token) const;

  // What the token stands for in a text: text(token), or the byte itself. Throws Error as text().
  std::string bytes(std::int32_t token) const;

  // The tokens of a text; spaces between tokens are ignored unless the vocabulary has a space. Throws Error
  // that names text which is not a token, and for a text without tokens.
  std::vector<std::int32_t> tokens(const std::string& text) const;

 private:
  std::int32_t token(const std::string& text) const;

  std::vector<std::string> texts_;
  bool by_character_, by_byte_ = false;
};

}  // namespace headlight::tasks
