#include "run_circuits.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/nn/positions.h"
#include "run_terms.h"

namespace headlight::page {
namespace {

using interpret::HeadAt;
using interpret::Stack;

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
  for (std::size_t l = 0; l < c.n_layers; ++l) numbers += (2 + l * in_layer) * c.n_heads * 2 * d_head;
  return 2 * n * numbers;
}

void add_terms(Page& page, const nn::Transformer& model, const std::vector<run::Example>& shown) {
  std::size_t taken = 0;
  const std::size_t most = page.lab ? 1 : page.sequences.size();
  for (std::size_t i = 0; i < shown.size() && i < most; ++i) {
    const std::size_t bytes = bytes_of_terms(model.config(), shown[i].tokens.size());
    if (i == 0 && bytes > kFirstBytes) {
      page.circuits.no_terms = fmt::format(
          "The attention logits of this model are not taken apart here: the terms of one sequence "
          "would take {:.0f} MB.",
          4.0 / 3 * static_cast<double>(bytes) / 1e6);
      return;
    }
    if (i > 0 && taken + bytes > kSequencesBytes) return;
    page.sequences[i].terms =
        terms_of(model, page.stacks, {nn::one_sequence(shown[i].source)}, page.sequences[i]);
    taken += bytes;
  }
}

// Row t of W_E·OV of `from`, as keys of `to`: the right factor of W_E·QK·(W_E·OV)ᵀ, (d_head,V).
Array keys_through(const nn::Transformer& model, const HeadAt& from, const HeadAt& to) {
  const interpret::Factored ov = interpret::ov_circuit(model, from), qk = interpret::qk_circuit(model, to);
  const Array values = interpret::Factored{model.embed.W.array(), ov.left}.product();  // (V,r)
  const Array written = interpret::Factored{values, ov.right}.product();               // (V,d_model)
  return interpret::Factored{qk.right, Array(xt::transpose(written))}.product();
}

PageHeadCircuit circuit_on_page(const nn::Transformer& model, const HeadAt& at) {
  PageHeadCircuit circuit;
  const interpret::HeadCircuit weights = interpret::circuit_of(model, at);
  circuit.eigen = weights.copying_eigen;
  const interpret::Factored qk = interpret::full_qk(model, at);
  circuit.qk_left = PackedNumbers(qk.left);
  circuit.qk_right = PackedNumbers(qk.right);
  if (at.stack == Stack::self && nn::positions().find(model.config().positions).vectors) {
    using enum interpret::CircuitInput;
    const interpret::Factored by_place = interpret::full_qk(model, at, positions, positions);
    circuit.positions_left = PackedNumbers(by_place.left);
    circuit.positions_right = PackedNumbers(by_place.right);
  }
  if (at.stack == Stack::encoder) return circuit;
  const interpret::Factored ov = interpret::full_ov(model, at);
  circuit.ov_left = PackedNumbers(ov.left);
  circuit.ov_right = PackedNumbers(ov.right);
  return circuit;
}

void add_edges(Page& page, const nn::Transformer& model) {
  const auto index = [&](const HeadAt& at) { return index_on_page(at, model.config(), page.stacks); };
  for (const Stack stack : page.stacks) {
    if (stack == Stack::cross) continue;
    interpret::CompositionOptions options;
    options.stack = stack;
    for (const interpret::Composition& c : interpret::compositions(model, options))
      page.circuits.edges.push_back({index(c.from),
                                     index(c.to),
                                     {c.ratio.q, c.ratio.k, c.ratio.v},
                                     {c.baseline.q, c.baseline.k, c.baseline.v}});
  }
}

// For each head of a later layer, the earlier head that its keys read most. Norms between the two layers are
// on the way where norms follow the sums, so there it is left out.
void add_keys_through(Page& page, const nn::Transformer& model) {
  if (model.config().norm_place != nn::NormPlace::pre) return;
  for (std::size_t to = 0; to < page.n_layers * page.n_heads; ++to) {
    const PageEdge* best = nullptr;
    for (const PageEdge& edge : page.circuits.edges)
      if (edge.to == to &&
          (best == nullptr || edge.ratio[1] - edge.baseline[1] > best->ratio[1] - best->baseline[1]))
        best = &edge;
    if (best == nullptr) continue;
    const auto at = [&](std::size_t head) { return HeadAt{head / page.n_heads, head % page.n_heads}; };
    page.circuits.heads[to].through = best->from;
    page.circuits.heads[to].through_right = PackedNumbers(keys_through(model, at(best->from), at(to)));
  }
}

void add_matrices(Page& page, const nn::Transformer& model) {
  const nn::TransformerConfig& c = model.config();
  const std::size_t d_head = c.d_head != 0 ? c.d_head : c.d_model / c.n_heads;
  page.circuits.heads.resize(page.stacks.size() * page.n_layers * page.n_heads);
  const std::size_t bytes = page.circuits.heads.size() * 5 * c.d_vocab * d_head * 2;
  if (c.d_vocab > kLargestVocabulary || bytes > kMatrixBytes) {
    page.circuits.no_matrices = fmt::format(
        "The matrices of the heads are not on this page, because a vocabulary of {} tokens and {} "
        "heads would take too much room.",
        c.d_vocab, page.circuits.heads.size());
    return;
  }
  page.circuits.turn = turn_of(model);
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(c))
    for (std::size_t head = 0; head < c.n_heads; ++head) {
      const HeadAt at{layer.layer, head, layer.stack};
      page.circuits.heads[index_on_page(at, c, page.stacks)] = circuit_on_page(model, at);
    }
  add_keys_through(page, model);
}

}  // namespace

void add_circuits(Page& page, const nn::Transformer& model, const std::vector<run::Example>& shown) {
  const NoGrad no_grad;
  add_edges(page, model);
  add_matrices(page, model);
  try {
    add_terms(page, model, shown);
  } catch (const Error& refused) {
    for (PageSequence& s : page.sequences) s.terms = {};
    page.circuits.no_terms =
        fmt::format("The library cannot take this model's attention logits apart: {}", refused.what());
  }
}

}  // namespace headlight::page
