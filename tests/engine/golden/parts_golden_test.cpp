// Models with each part against PyTorch.
#include "golden/golden.h"
#include "headlight/nn/settings.h"
#include "headlight/ops/softmax.h"

using namespace headlight;
using golden::Case;

namespace {

// A case names the settings that differ from the defaults as JSON does.
nn::TransformerConfig part_config_of(Case& c) {
  nn::TransformerConfig config;
  config.d_vocab = c.setting<std::size_t>("d_vocab");
  config.n_ctx = c.setting<std::size_t>("n_ctx");
  for (const auto& row : nn::settings()) {
    if (!c.has("settings", row.key)) continue;
    std::visit(
        [&](const auto& usual) { row.set(config, c.setting<std::remove_cvref_t<decltype(usual)>>(row.key)); },
        row.get(config));
  }
  return config;
}

}  // namespace

TEST_CASE("models with each part agree with PyTorch in loss and every gradient", "[golden][parts]") {
  golden::each_case("parts.json", 20, [](Case& c) {
    Rng rng(1);
    nn::Transformer model(part_config_of(c), rng);
    c.load(model);
    const Tensor logits = model(c.integers("tokens"));
    const Tensor loss = cross_entropy(logits, c.integers("targets"));
    loss.backward();
    c.agrees("logits", logits.array());
    c.agrees("loss", loss.array());
    c.gradients_agree();
  });
}
