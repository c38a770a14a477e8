#include "page_cost.h"

#include "headlight/interpret/attention_layers.h"

namespace headlight::page {

double operations_of(const nn::Transformer& model, std::size_t n) {
  const nn::TransformerConfig& c = model.config();
  const double layers = static_cast<double>(interpret::attention_layers(c).size()),
               tokens = static_cast<double>(n);
  return tokens * (2 * static_cast<double>(nn::parameter_count(nn::named_parameters(model))) +
                   4 * layers * tokens * static_cast<double>(c.d_model));
}

}  // namespace headlight::page
