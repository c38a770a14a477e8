// A sequence taken apart by the writers of the residual stream.
#pragma once

#include <vector>

#include "headlight/interpret/attention_layers.h"
#include "headlight/nn/transformer.h"
#include "headlight/page/page.h"

namespace headlight::page {

// The number of a head, counted through the page's stacks.
std::size_t index_on_page(const interpret::HeadAt& at, const nn::TransformerConfig& config,
                          const std::vector<interpret::Stack>& stacks);

// The rotation of a query by one position, (d_head,d_head); empty for positions that do not rotate.
std::vector<double> turn_of(const nn::Transformer& model);

// The attention logits of s.tokens, and the logits of its guesses and targets. Throws Error for a model that
// the library cannot take apart.
PageTerms terms_of(const nn::Transformer& model, const std::vector<interpret::Stack>& stacks,
                   const nn::Given& given, const PageSequence& s);

}  // namespace headlight::page
