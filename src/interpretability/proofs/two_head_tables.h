// A model of two layers with one head each as tables over tokens and positions.
#pragma once

#include <cstddef>
#include <vector>

#include "headlight/nn/transformer.h"
#include "ranges.h"

namespace headlight::interpret {

// With x(b,p) the embedding of token b at position p, and v(b,p) what the first layer's head writes when it
// looks there, every number of the model is a sum over pairs of such vectors, weighted by patterns. Sequences
// have `length` positions; the last is the query. Each entry is a range that holds the exact number.
class TwoHeadTables {
 public:
  // The model is one that bound_from_weights() accepts. Throws Error for an overflow.
  TwoHeadTables(const nn::Transformer& model, std::size_t length);

  std::size_t tokens() const { return tokens_; }
  std::size_t length() const { return length_; }

  // The score of the first layer for a query of token a at position t and a key of token b at position j.
  Range first_score(std::size_t a, std::size_t t, std::size_t b, std::size_t j) const {
    return first_scores_[(index(a, t)) * tokens_ * length_ + index(b, j)];
  }

  // The score of the second layer between parts of the last position's stream and parts of position j's: a
  // part is x(b,p), or v(b,p) if it is `written`.
  Range second_score(bool query_written, std::size_t a, std::size_t t, std::size_t j, bool key_written,
                     std::size_t b, std::size_t l) const {
    return second_scores_[j][part(query_written, a, t) * 2 * tokens_ * length_ + part(key_written, b, l)];
  }

  // What the part adds to a logit at the last position: by itself, and when the second layer's head looks at
  // a position whose stream has it.
  Range direct(bool written, std::size_t b, std::size_t p, std::size_t logit) const {
    return direct_[part(written, b, p) * tokens_ + logit];
  }
  Range attended(bool written, std::size_t b, std::size_t p, std::size_t logit) const {
    return attended_[part(written, b, p) * tokens_ + logit];
  }

 private:
  std::size_t index(std::size_t token, std::size_t position) const { return position * tokens_ + token; }
  std::size_t part(bool written, std::size_t token, std::size_t position) const {
    return (written ? tokens_ * length_ : 0) + index(token, position);
  }

  std::size_t tokens_, length_;
  Ranges first_scores_, direct_, attended_;
  std::vector<Ranges> second_scores_;  // by position of the key
};

}  // namespace headlight::interpret
