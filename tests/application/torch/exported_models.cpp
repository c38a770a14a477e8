// Writes models of every kind into a folder, each as a PyTorch module, its weights, and the logits that
// Headlight computes for some tokens. compare.py computes them with PyTorch.
#include <fmt/core.h>

#include <set>

#include "headlight/autograd/record.h"
#include "headlight/nn/settings.h"
#include "headlight/run/export.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "headlight/train/weights.h"

using namespace headlight;

namespace {

constexpr std::size_t kRandom = 60;  // models that differ from the plain one in many settings at once

using Row = Setting<nn::TransformerConfig>;

nn::TransformerConfig plain() {
  nn::TransformerConfig c;
  c.n_layers = 2, c.n_heads = 4, c.d_model = 16, c.d_mlp = 12, c.d_vocab = 11, c.n_ctx = 9;
  c.max_distance = 5;
  return c;
}

// The values of a setting worth trying: all names, both of a bool, and 2 for a number that is 0 by default.
std::vector<SettingValue> values_of(const Row& row) {
  std::vector<SettingValue> values;
  const SettingValue now = row.get(plain());
  if (row.choices)
    for (const std::string& name : row.choices()) values.emplace_back(name);
  else if (std::holds_alternative<bool>(now))
    values = {false, true};
  else if (to_string(row.get({})) == "0")
    values = {now, setting_from_text(row.key, "2", now)};
  return values;
}

std::vector<nn::TransformerConfig> configs() {
  std::vector<nn::TransformerConfig> all{plain()};
  for (const Row& row : nn::settings())
    for (const SettingValue& value : values_of(row)) row.set(all.emplace_back(plain()), value);
  Rng rng(1);
  for (std::size_t i = 0; i < kRandom; ++i) {
    nn::TransformerConfig& c = all.emplace_back(plain());
    for (const Row& row : nn::settings())
      if (const auto values = values_of(row); !values.empty()) row.set(c, values[rng.below(values.size())]);
  }
  return all;
}

IntArray random_tokens(std::size_t n, std::size_t vocab, Rng& rng) {
  IntArray tokens = IntArray::from_shape({2, n});
  for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(rng.below(vocab));
  return tokens;
}

Array as_reals(const IntArray& x) {
  Array reals = empty_array(Shape(x.shape().begin(), x.shape().end()));
  std::copy(x.begin(), x.end(), reals.begin());
  return reals;
}

void write_model(const nn::TransformerConfig& config, const std::filesystem::path& name) {
  Rng rng(2);
  const nn::Transformer model(config, rng);
  for (Tensor& p : nn::parameters(model))  // away from zeros and ones, which hide mistakes
    for (Real& number : p.mutable_array()) number += static_cast<Real>(0.3 * rng.normal());
  const IntArray tokens = random_tokens(7, config.d_vocab, rng);
  nn::Given given;
  if (config.n_source > 0) given.source = random_tokens(5, config.d_vocab, rng);
  const NoGrad no_grad;
  const Array logits = model(tokens, {}, given).array(), read = as_reals(tokens),
              source = as_reals(given.source);
  train::NamedArrays asked{{"tokens", &read}, {"logits", &logits}};
  if (config.n_source > 0) asked.emplace_back("source", &source);
  const train::Weights weights = train::weights_of(model);
  train::NamedArrays arrays;
  for (const auto& [key, array] : weights) arrays.emplace_back(key, &array);
  write_file(name.string() + ".py", run::torch_module_of(config));
  train::save_safetensors(name.string() + ".weights", arrays);
  train::save_safetensors(name.string() + ".logits", asked);
}

// With "check": reads back the weights that PyTorch has written.
void check_weights(const nn::TransformerConfig& config, const std::filesystem::path& name) {
  Rng rng(2);
  nn::Transformer model(config, rng);
  const std::string file = name.string() + ".saved";
  train::set_weights(model, train::load_safetensors(file).arrays, file);
  const train::Weights before = train::load_safetensors(name.string() + ".weights").arrays;
  for (const auto& [key, array] : train::weights_of(model))
    check(std::equal(array.begin(), array.end(), before.at(key).begin()), "'{}' has other numbers in {}.",
          key, file);
}

}  // namespace

int main(int argc, char** argv) {
  return run_main([&] {
    check(argc == 3, "usage: exported_models FOLDER write|check");
    std::size_t done = 0, refused = 0;
    for (nn::TransformerConfig c : configs()) {
      c.n_source = c.architecture == nn::Architecture::encoder_decoder ? 6 : 0;
      const std::filesystem::path name = std::filesystem::path(argv[1]) / fmt::format("model_{}", done);
      try {
        Rng rng(0);
        nn::Transformer(c, rng);
      } catch (const Error&) {
        ++refused;
        continue;
      }
      std::string(argv[2]) == "check" ? check_weights(c, name) : write_model(c, name);
      ++done;
    }
    fmt::print("{} models; {} combinations are refused\n", done, refused);
    check(done > configs().size() / 2, "most combinations are refused.");
  });
}
