// A transformer set by hand that copies with 97 numbers: an entry of the contest in docs/records.md.
#include <cmath>
#include <filesystem>
#include <numbers>

#include "headlight/run/config.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"

using namespace headlight;

namespace {

constexpr std::size_t kTokens = 32, kLongest = 16;

run::RunConfig config() {
  run::RunConfig c{.task = {.d_vocab = kTokens, .n_ctx = 32, .min_segment = 2, .max_segment = kLongest}};
  c.model = {.n_layers = 1, .d_model = 2, .n_heads = 1, .positions = "relative"};
  c.model.max_distance = kLongest - 1, c.model.window = kLongest;
  c.model.norm = nn::NormKind::none;
  c.model.smeared_keys = c.model.tied_embeddings = true;
  return c;
}

Array diagonal(Real number) { return Array{{number, 0}, {0, number}}; }

// Each token is a direction in the plane. A key holds the token before (smear), so a query fits the key of
// its follower. Position 0 has no token before and keeps its own, so the first token fits two keys: rel_bias
// prefers the nearer one. The follower's direction then outweighs the query's own 100 to 1.
train::Weights weights() {
  Array directions = empty_array({kTokens, 2}), bias = empty_array({1, kLongest});
  for (std::size_t token = 0; token < kTokens; ++token) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(token) / kTokens;
    directions(token, 0) = static_cast<Real>(std::cos(angle));
    directions(token, 1) = static_cast<Real>(std::sin(angle));
  }
  for (std::size_t t = 0; t < kLongest; ++t) bias(0, t) = -10 * static_cast<Real>(t);
  const std::string attn = "blocks.0.attn.";
  return {{attn + "W_Q", diagonal(20'000)}, {attn + "W_K", diagonal(1)}, {attn + "W_V", diagonal(1)},
          {attn + "W_O", diagonal(100)},    {attn + "rel_bias", bias},   {attn + "smear", Array{-100}},
          {"embed.W_E", directions}};
}

}  // namespace

int main(int argc, char** argv) {
  return run_main([&] {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "copy_97";
    const train::Weights all = weights();
    train::NamedArrays arrays;
    for (const auto& [name, array] : all) arrays.emplace_back(name, &array);
    std::filesystem::create_directories(folder);
    write_file((folder / run::files::kConfig).string(), run::to_json(config()));
    train::save_safetensors(folder / run::files::kModel, arrays);
  });
}
