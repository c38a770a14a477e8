// The masks of lesson 7, made with the library.
#pragma once

#include "headlight/ops/ops.h"

namespace headlight::lesson {

// Of m positions the queries are the last n; a query sees its own and those before it.
inline BoolArray causal(std::size_t n, std::size_t m) {
  return visible_keys(n, m, {.causal = true, .first_query = m - n});
}

// Of the keys the first `padding` are no tokens.
inline BoolArray tokens_only(std::size_t n, std::size_t m, std::size_t padding) {
  BoolArray visible({n, m}, true);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < padding; ++j) visible(i, j) = false;
  return visible;
}

// Where both say yes.
inline BoolArray both(BoolArray a, const BoolArray& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = a.data()[i] && b.data()[i];
  return a;
}

// The pattern of q and k over the keys that may be seen.
inline Tensor pattern_of(const Tensor& q, const Tensor& k, const BoolArray& visible) {
  return reference::attention_pattern(reference::attention_scores(q, k, {.mask = visible}));
}

inline Tensor as_numbers(const BoolArray& mask) { return where(mask, 1, 0); }

}  // namespace headlight::lesson
