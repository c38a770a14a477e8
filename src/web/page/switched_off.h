// What a model predicts with heads switched off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/run/examples.h"

namespace headlight::page {

// The sets of heads that the page can switch off, of H heads: every set (`most` = H), or those of at most one
// or two heads.
//   every set     set s has the heads whose bit is 1 in s: 2^H sets
//   at most `most` no head; each head; each pair (0,1), (0,2), …, (1,2), …
// Throws Error for `most` above 2 other than H, and for every set of more than 16 heads.
std::vector<std::vector<std::size_t>> switched_sets(std::size_t heads, std::size_t most);

// Of a larger vocabulary the page holds no predictions: a token takes two bytes at most.
inline constexpr std::size_t kMostSwitchedVocabulary = 65536;

// The predictions on one sequence of n tokens, set by set and position by position.
struct SwitchedOff {
  std::string tokens;          // the most likely token: 1 byte, or 2, low byte first, above 256 tokens
  std::string likeliest;       // its probability p as a byte, the nearest to 255 p
  std::string targets;         // the target's probability in the same way; 0 without a target
  std::vector<double> losses;  // of each set, the mean in nats; empty: the sequence has no targets

  // Appends the predictions of one set, from logits (1,n,d_vocab). `targets`: n, -1 where there is none.
  // The loss is of the tokens of which `predictable` is true, if there are any, else of all targets. Throws
  // Error for logits that are not finite, and for more than kMostSwitchedVocabulary tokens.
  void add(const Array& logits, const std::vector<std::int32_t>& targets,
           const std::vector<bool>& predictable);
};

// As the page holds them, of switched_sets(heads, most): {tokens, likeliest, targets, losses}, the first
// three in the format of compressed_json(). A target that is the likeliest token has a probability of 0 here,
// because the likeliest token's is known.
nlohmann::ordered_json switched_off_json(const SwitchedOff& off, const run::Example& example,
                                         std::size_t heads, std::size_t most);

}  // namespace headlight::page
