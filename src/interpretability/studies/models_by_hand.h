// Models set by hand that a certificate could take for what they are not. Their parts are those of
// nn::induction_by_hand(), with two heads in each layer.
#pragma once

#include "headlight/nn/by_hand.h"

namespace headlight::studies {

// An induction circuit whose head writes this part of the copy. The answers come from L1H1, which looks one
// place after the follower.
nn::Transformer decorative_head(std::size_t size, double part);

// Two induction circuits that share no head.
nn::Transformer redundant_circuits(std::size_t size);

// An induction circuit, and beside it L1H1, which looks `offset` places back and copies.
nn::Transformer positional_backup(std::size_t size, std::size_t offset);

// Three layers: L1H0 looks at followers and writes nothing, L2H0 looks at them and copies.
nn::Transformer decoy(std::size_t size);

// An induction circuit, and beside it L1H1, which looks at followers and lowers their logits by half of what
// L1H0 raises them.
nn::Transformer anticopying_head(std::size_t size);

}  // namespace headlight::studies
