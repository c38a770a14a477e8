// How heads compose, and their weights.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "headlight/nn/transformer.h"
#include "page/shown.h"

namespace headlight::page {

// Adds terms_json() to the first `most` sequences, of which `shown` are, as many as fit. Returns why none has
// terms: the library refuses the model, or they would be too large; empty if the first has them.
std::string add_terms(nlohmann::ordered_json& sequences, const nn::Transformer& model,
                      const std::vector<Shown>& shown, std::size_t most);

// The heads' weights, as the circuits of interpret/circuits.h without constants.
//   turn    as turn_of()
//   heads   of all stacks: {eigen, smear, ov, qk, positions, through}. Each matrix is a pair of factors:
//             ov         (V,r)·(r,V): W_E·OV·W_U
//             qk         (V,d_head)·(d_head,V): W_E·QK·W_Eᵀ, at distance 0
//             positions  (n_ctx,d_head)·(d_head,n_ctx): W_pos·QK·W_posᵀ
//           eigen is the copying score or null; through {head, right} the head with which the keys compose
//           most, and the keys that this head writes, QK·(W_E·OV)ᵀ, (d_head,V); smear the share of a smeared
//           key's own token. qk and through are of keys before they are smeared, positions of smeared ones.
//           What does not exist for a head is absent; where the matrices would be too large, no_matrices says
//           so.
//   edges   [from, to, ratio, baseline]: how strongly one head reads what another wrote
//           (interpret::Composition), for queries, keys and values
// `no_terms`: what add_terms() returned.
nlohmann::ordered_json circuits_json(const nn::Transformer& model, const std::string& no_terms);

}  // namespace headlight::page
