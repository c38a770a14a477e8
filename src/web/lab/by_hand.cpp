// The hand-set model, in the laboratory.
#include "headlight/nn/by_hand.h"

#include "headlight/lab/lab.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"

namespace headlight::lab {

std::unique_ptr<Lab> by_hand(nn::Broken broken, double first, double second, double output) {
  const nn::Transformer made = nn::induction_by_hand({.broken = broken});
  run::RunConfig config;
  config.model = made.config();
  auto lab = std::make_unique<Lab>(config);
  train::Weights weights = train::weights_of(made);
  const auto scale = [&](const char* name, double by) {
    Array& array = weights.at(name);
    for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] *= static_cast<Real>(by);
  };
  scale("blocks.0.attn.W_Q", first);
  scale("blocks.1.attn.W_Q", second);
  scale("unembed.W_U", output);
  train::NamedArrays arrays;
  for (const auto& [name, array] : weights) arrays.emplace_back(name, &array);
  lab->set_weights(train::to_safetensors(arrays));
  return lab;
}

}  // namespace headlight::lab
