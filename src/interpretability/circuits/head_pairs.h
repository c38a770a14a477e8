// The circuits of a head as two factors in double.
#pragma once

#include "headlight/interpret/circuits.h"
#include "heads/head_weights.h"

namespace headlight::interpret {

// left·right, and the constant parts: `constant` (1,r) belongs to the left factor, `key_constant` (1,d_head)
// to the keys of QK.
struct Pair {
  Matrix left, right;
  Matrix constant, key_constant;
};

// The norms are those before queries and before keys or values; none to fold nothing.
Pair qk_pair(const HeadWeights& w, const Norms& of_queries, const Norms& of_keys, const CircuitOptions& o);
Pair ov_pair(const HeadWeights& w, const Norms& norms);

// The norms directly before a head's queries, keys and values, if norms are folded.
Norms queries_of(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o);
Norms keys_of(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o);

Pair plain_qk(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o);
Pair plain_ov(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o);

}  // namespace headlight::interpret
