#include "run_circuits.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/positions.h"
#include "headlight/system/json_output.h"
#include "page/packed_numbers.h"
#include "run_terms.h"

namespace headlight::page {
namespace {

using interpret::HeadAt;
using interpret::Stack;
using nlohmann::ordered_json;

// The bytes that the factors of all heads may take, those of the first sequence, and those of all sequences
// where the first takes less; base64 adds a third.
constexpr std::size_t kMatrixBytes = 400'000, kFirstBytes = 4'000'000, kSequencesBytes = 400'000;
constexpr std::size_t kLargestVocabulary = 128;

// About the bytes of the terms of a sequence of n tokens; those of logits are few.
std::size_t bytes_of_terms(const nn::TransformerConfig& c, std::size_t n) {
  const std::size_t d_head = c.d_head != 0 ? c.d_head : c.d_model / c.n_heads;
  const std::size_t in_layer =
      (c.architecture == nn::Architecture::encoder_decoder ? 2 : 1) * c.n_heads + (c.d_mlp > 0 ? 1 : 0);
  std::size_t numbers = 0;
  for (std::size_t l = 0; l < c.n_layers; ++l)
    numbers += (2 + l * in_layer) * c.n_heads * (c.smeared_keys ? 3 : 2) * d_head;
  return 2 * n * numbers;
}

// Row t of W_E·OV of `from`, as keys of `to`: the right factor of W_E·QK·(W_E·OV)ᵀ, (d_head,V).
Array keys_through(const nn::Transformer& model, const HeadAt& from, const HeadAt& to) {
  const interpret::Factored ov = interpret::ov_circuit(model, from), qk = interpret::qk_circuit(model, to);
  const Array values = interpret::Factored{model.embed.W.array(), ov.left}.product();  // (V,r)
  const Array written = interpret::Factored{values, ov.right}.product();               // (V,d_model)
  return interpret::Factored{qk.right, Array(xt::transpose(written))}.product();
}

ordered_json packed_factors(const interpret::Factored& matrix) {
  return {packed_numbers(matrix.left), packed_numbers(matrix.right)};
}

// The keys that positions make, smeared or not.
interpret::Factored positions_circuit(const nn::Transformer& model, const HeadAt& at, bool smeared) {
  using enum interpret::CircuitInput;
  interpret::Factored whole = interpret::full_qk(model, at, positions, positions);
  if (!smeared) return whole;
  const Array own = interpret::full_qk(model, at, positions, positions, {.smeared_from = 0}).right;
  const Array before = interpret::full_qk(model, at, positions, positions, {.smeared_from = 1}).right;
  for (std::size_t c = 0; c < own.shape()[0]; ++c)  // (d_head,n)
    for (std::size_t j = 1; j < own.shape()[1]; ++j) whole.right(c, j) = own(c, j) + before(c, j - 1);
  return whole;
}

void add_factors(ordered_json& json, const nn::Transformer& model, const HeadAt& at) {
  const std::optional<double> own = interpret::share_of_own_key(model, at);
  if (own) json["smear"] = *own;
  if (at.stack != Stack::encoder) json["ov"] = packed_factors(interpret::full_ov(model, at));
  json["qk"] = packed_factors(interpret::full_qk(model, at));
  if (at.stack != Stack::self || !nn::positions().find(model.config().positions).vectors) return;
  json["positions"] = packed_factors(positions_circuit(model, at, own.has_value()));
}

// The earlier head that the keys of this head read most. Norms between the two layers are on the way where
// norms follow the sums, so there it is left out.
void add_keys_through(ordered_json& json, const nn::Transformer& model, const HeadAt& to,
                      const std::vector<interpret::Composition>& compositions) {
  if (to.stack != Stack::self || model.config().norm_place != nn::NormPlace::pre) return;
  const interpret::Composition* best = nullptr;
  for (const interpret::Composition& c : compositions)
    if (c.to == to && (best == nullptr || c.score.k > best->score.k)) best = &c;
  if (best == nullptr) return;
  json["through"] = {{"head", head_number(best->from, model.config())},
                     {"right", packed_numbers(keys_through(model, best->from, to))}};
}

// Matrices whose largest number a picture would call 0 compose with nothing: a ratio of their norms would be
// that of rounding.
constexpr double kZero = 1e-12;

interpret::ByInput without_zeros(const interpret::ByInput& ratio, const interpret::HeadCircuit& from,
                                 const interpret::HeadCircuit& to) {
  const auto is_zero = [](const std::vector<double>& singular) { return singular.front() <= kZero; };
  if (is_zero(from.ov_singular)) return {};
  const bool qk = is_zero(to.qk_singular), ov = is_zero(to.ov_singular);
  return {qk ? 0 : ratio.q, qk ? 0 : ratio.k, ov ? 0 : ratio.v};
}

std::vector<interpret::Composition> all_compositions(const nn::Transformer& model) {
  std::vector<interpret::Composition> all;
  for (const Stack stack : stacks_of(model.config())) {
    if (stack == Stack::cross) continue;
    interpret::CompositionOptions options;
    options.stack = stack;
    for (const interpret::Composition& c : interpret::compositions(model, options)) all.push_back(c);
  }
  return all;
}

std::string why_no_matrices(const nn::TransformerConfig& c, std::size_t heads) {
  const std::size_t d_head = c.d_head != 0 ? c.d_head : c.d_model / c.n_heads;
  if (c.d_vocab <= kLargestVocabulary && heads * 5 * c.d_vocab * d_head * 2 <= kMatrixBytes) return "";
  return fmt::format(
      "The matrices of the heads are not on this page, because a vocabulary of {} tokens and {} heads would "
      "take too much room.",
      c.d_vocab, heads);
}

}  // namespace

std::string add_terms(ordered_json& sequences, const nn::Transformer& model, const std::vector<Shown>& shown,
                      std::size_t most) {
  std::size_t taken = 0;
  for (std::size_t i = 0; i < shown.size() && i < most; ++i) {
    const std::size_t bytes = bytes_of_terms(model.config(), shown[i].example.tokens.size());
    if (i == 0 && bytes > kFirstBytes)
      return fmt::format(
          "The attention logits of this model are not taken apart here: the terms of one sequence "
          "would take {:.0f} MB.",
          4.0 / 3 * static_cast<double>(bytes) / 1e6);
    if (i > 0 && taken + bytes > kSequencesBytes) break;
    try {
      sequences[i]["terms"] = terms_json(model, shown[i]);
    } catch (const Error& refused) {
      for (ordered_json& sequence : sequences) sequence.erase("terms");
      return fmt::format("The library cannot take this model's attention logits apart: {}", refused.what());
    }
    taken += bytes;
  }
  return "";
}

ordered_json circuits_json(const nn::Transformer& model, const std::string& no_terms) {
  const NoGrad no_grad;
  const nn::TransformerConfig& config = model.config();
  const std::vector<interpret::Composition> compositions = all_compositions(model);
  const interpret::HeadSet all = interpret::all_heads(config);
  const std::string no_matrices = why_no_matrices(config, all.size());
  const std::vector<interpret::HeadCircuit> circuits = interpret::circuits_of(model);
  ordered_json heads = ordered_json::array(), edges = ordered_json::array();
  for (const HeadAt& at : all) {
    ordered_json& json = heads.emplace_back(ordered_json{{"eigen", nullptr}});
    if (!no_matrices.empty()) continue;
    json["eigen"] = or_null(circuits[head_number(at, config)].copying_eigen);
    add_factors(json, model, at);
    add_keys_through(json, model, at, compositions);
  }
  for (const interpret::Composition& c : compositions) {
    const std::size_t from = head_number(c.from, config), to = head_number(c.to, config);
    const interpret::ByInput ratio = without_zeros(c.ratio, circuits[from], circuits[to]);
    edges.push_back({from, to, {ratio.q, ratio.k, ratio.v}, {c.baseline.q, c.baseline.k, c.baseline.v}});
  }
  return {{"turn", no_matrices.empty() ? turn_of(model) : std::vector<double>()},
          {"heads", std::move(heads)},
          {"edges", std::move(edges)},
          {"no_terms", no_terms},
          {"no_matrices", no_matrices}};
}

}  // namespace headlight::page
