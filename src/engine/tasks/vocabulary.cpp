#include "headlight/tasks/vocabulary.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "headlight/core/ascii.h"
#include "headlight/core/check.h"
#include "headlight/system/text.h"

namespace headlight::tasks {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The same as character_end, but a byte that begins no character stands for itself.
std::size_t end_of_character(const std::string& text, std::size_t at) {
  return std::max(character_end(text, at), at + 1);
}

bool is_number(const std::string& text) { return std::all_of(text.begin(), text.end(), ascii::is_digit); }

}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> texts) : texts_(std::move(texts)) {
  check(!texts_.empty(), "a vocabulary needs at least one token.");
  std::set<std::string_view> seen;
  by_character_ = true;
  for (const std::string& text : texts_) {
    check(!text.empty(), "a token of the vocabulary has no text.");
    check(seen.insert(text).second, "two tokens of the vocabulary look alike: '{}'.", text);
    by_character_ = by_character_ && end_of_character(text, 0) == text.size();
  }
}

Vocabulary Vocabulary::of_size(std::size_t size, std::vector<std::string> signs) {
  check(size >= signs.size(), "a vocabulary of {} tokens cannot hold {} signs.", size, signs.size());
  std::vector<std::string> texts = std::move(signs);
  const std::size_t letters = size - texts.size();
  texts.reserve(size);
  for (std::size_t i = 0; i < letters; ++i)
    texts.push_back(letters <= kLetters.size() ? std::string(1, kLetters[i]) : std::to_string(i));
  return Vocabulary(std::move(texts));
}

const std::string& Vocabulary::text(std::int32_t token) const {
  check(token >= 0 && static_cast<std::size_t>(token) < size(), "{} is not a token: expected 0 … {}.", token,
        size() - 1);
  return texts_[static_cast<std::size_t>(token)];
}

Vocabulary Vocabulary::of_bytes() {
  std::vector<std::string> texts;
  for (int byte = 0; byte < 256; ++byte)
    texts.push_back(byte >= ' ' && byte <= '~' ? std::string(1, static_cast<char>(byte))
                                               : fmt::format("\\x{:02x}", byte));
  Vocabulary bytes(std::move(texts));
  bytes.by_byte_ = true;
  return bytes;
}

std::string Vocabulary::bytes(std::int32_t token) const {
  const std::string& shown = text(token);
  return by_byte_ ? std::string(1, static_cast<char>(token)) : shown;
}

std::int32_t Vocabulary::token(const std::string& text) const {
  const auto found = std::find(texts_.begin(), texts_.end(), text);
  if (found != texts_.end()) return static_cast<std::int32_t>(found - texts_.begin());
  if (by_character_) {
    std::string all;
    for (const std::string& known : texts_) all += printable(known);
    fail("'{}' is not a token: expected characters of '{}'.", printable_token(text), all);
  }
  if (std::all_of(texts_.begin(), texts_.end(), is_number))
    fail("'{}' is not a token: expected numbers {} … {} with spaces between.", text, texts_.front(),
         texts_.back());
  fail("'{}' is not a token: expected words such as '{}', with spaces between.", text, texts_.front());
}

std::vector<std::int32_t> Vocabulary::tokens(const std::string& text) const {
  std::unordered_map<std::string_view, std::int32_t> number;  // a text may be long, and its tokens many
  for (std::size_t i = 0; i < size(); ++i) number.emplace(texts_[i], static_cast<std::int32_t>(i));
  const auto token_of = [&](const std::string& part) {
    const auto found = number.find(part);
    return found == number.end() ? token(part) : found->second;  // token() says why there is none
  };
  std::vector<std::int32_t> tokens;
  if (by_byte_) {
    for (const char byte : text) tokens.push_back(static_cast<unsigned char>(byte));
  } else if (by_character_) {
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
      next = end_of_character(text, at);
      const std::string character = text.substr(at, next - at);
      const bool known = number.contains(character);
      if (!known && ascii::is_space(character[0])) continue;
      tokens.push_back(token_of(character));
    }
  } else {
    for (const std::string& word : text_words(text)) tokens.push_back(token_of(word));
  }
  check(!tokens.empty(), "there are no tokens in '{}'.", text);
  return tokens;
}

}  // namespace headlight::tasks
