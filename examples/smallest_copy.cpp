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

namespace hl = headlight;

namespace {

constexpr std::size_t kTokens = 32, kLongest = 16;

hl::run::RunConfig config() {
  hl::run::RunConfig c{.task = {.d_vocab = kTokens, .n_ctx = 32, .min_segment = 2, .max_segment = kLongest}};
  c.model = {.n_layers = 1, .d_model = 2, .n_heads = 1, .positions = "relative"};
  c.model.max_distance = kLongest - 1, c.model.window = kLongest;
  c.model.norm = hl::nn::NormKind::none;
  c.model.smeared_keys = c.model.tied_embeddings = true;
  return c;
}

hl::Array diagonal(hl::Real number) { return hl::Array{{number, 0}, {0, number}}; }

// Each token is a direction in the plane. A key holds the token before (smear), so a query fits the key of
// its follower. Position 0 has no token before and keeps its own, so the first token fits two keys: rel_bias
// prefers the nearer one. The follower's direction then outweighs the query's own 100 to 1.
hl::train::Weights weights() {
  hl::Array directions = hl::empty_array({kTokens, 2}), bias = hl::empty_array({1, kLongest});
  for (std::size_t token = 0; token < kTokens; ++token) {
    const double angle = 2 * std::numbers::pi * token / kTokens;
    directions(token, 0) = std::cos(angle);
    directions(token, 1) = std::sin(angle);
  }
  for (std::size_t t = 0; t < kLongest; ++t) bias(0, t) = -10.0 * t;
  const std::string attn = "blocks.0.attn.";
  return {{attn + "W_Q", diagonal(20'000)}, {attn + "W_K", diagonal(1)}, {attn + "W_V", diagonal(1)},
          {attn + "W_O", diagonal(100)},    {attn + "rel_bias", bias},   {attn + "smear", hl::Array{-100}},
          {"embed.W_E", directions}};
}

}  // namespace

int main(int argc, char** argv) {
  return hl::run_main([&] {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "copy_97";
    const hl::train::Weights all = weights();
    hl::train::NamedArrays arrays;
    for (const auto& [name, array] : all) arrays.emplace_back(name, &array);
    std::filesystem::create_directories(folder);
    hl::write_file((folder / hl::run::files::kConfig).string(), hl::run::to_json(config()));
    hl::train::save_safetensors(folder / hl::run::files::kModel, arrays);
  });
}
