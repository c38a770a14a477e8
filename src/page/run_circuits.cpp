#include "run_circuits.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/interpret/attribution.h"
#include "headlight/interpret/circuits.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/nn/positions.h"

namespace headlight::page {
namespace {

using interpret::HeadAt;
using interpret::Stack;

// The bytes that the factors of all heads may take, those of the first sequence, and those of all sequences
// where the first takes less; base64 adds a third.
constexpr std::size_t kMatrixBytes = 400'000, kFirstBytes = 4'000'000, kSequencesBytes = 400'000;
constexpr std::size_t kLargestVocabulary = 128;

std::size_t index_on_page(const Page& page, const HeadAt& at) {
  const auto stack = std::find(page.stacks.begin(), page.stacks.end(), at.stack) - page.stacks.begin();
  return (static_cast<std::size_t>(stack) * page.n_layers + at.layer) * page.n_heads + at.head;
}

// Sources as the page names them, and which of the sources each part is made of.
struct Grouped {
  std::vector<PagePart> parts;
  std::vector<std::size_t> part_of;  // of each source
};

Grouped grouped(const std::vector<interpret::Source>& sources, const Page& page) {
  using Kind = interpret::SourceKind;
  Grouped result;
  std::size_t biases = sources.size();
  for (const interpret::Source& source : sources) {
    if (source.kind == Kind::bias && biases < sources.size()) {
      result.part_of.push_back(biases);
      continue;
    }
    result.part_of.push_back(result.parts.size());
    if (source.kind == Kind::bias) biases = result.parts.size();
    switch (source.kind) {
      case Kind::embed:
        result.parts.push_back({"embed"});
        break;
      case Kind::pos_embed:
        result.parts.push_back({"pos_embed"});
        break;
      case Kind::head:
        result.parts.push_back({"head", index_on_page(page, *source.head)});
        break;
      case Kind::mlp:
        result.parts.push_back({"mlp", source.layer});
        break;
      case Kind::bias:
        result.parts.push_back({"bias"});
        break;
    }
  }
  return result;
}

// x (S,n,d), summed over the sources of each part, with a step for each part.
PackedNumbers packed_parts(const Array& x, const Grouped& groups) {
  const std::size_t n = x.shape()[1], d = x.shape()[2];
  Array sums = full_array({groups.parts.size(), n, d}, 0);
  for (std::size_t s = 0; s < groups.part_of.size(); ++s)
    for (std::size_t i = 0; i < n * d; ++i)
      sums.data()[groups.part_of[s] * n * d + i] += x.data()[s * n * d + i];
  return PackedNumbers(sums, groups.parts.size());
}

// The bias of query - key = 1-n … n-1; empty if there is none.
PackedNumbers packed_bias(const Array& bias) {
  if (std::all_of(bias.begin(), bias.end(), [](Real x) { return x == 0; })) return {};
  const std::size_t n = bias.shape()[0];
  Array by_distance = empty_array({2 * n - 1});
  for (std::size_t i = 0; i < n; ++i) {
    by_distance.data()[n - 1 + i] = bias(i, 0);
    by_distance.data()[n - 1 - i] = bias(0, i);
  }
  return PackedNumbers(by_distance);
}

// W_U less its mean over the vocabulary.
Array centred_unembedding(const nn::Transformer& model) {
  const nn::TransformerConfig& c = model.config();
  const Array& W = c.tied_embeddings ? model.embed.W.array() : model.unembed.W.array();
  Array U = empty_array({c.d_model, c.d_vocab});
  for (std::size_t i = 0; i < c.d_model; ++i) {
    double mean = 0;
    for (std::size_t t = 0; t < c.d_vocab; ++t)
      mean += static_cast<double>(c.tied_embeddings ? W(t, i) : W(i, t)) / static_cast<double>(c.d_vocab);
    for (std::size_t t = 0; t < c.d_vocab; ++t)
      U(i, t) = static_cast<Real>(static_cast<double>(c.tied_embeddings ? W(t, i) : W(i, t)) - mean);
  }
  return U;
}

// What each source contributes to the logits of the predictions that the page lists, less the mean: see
// PageTerms.
Array contributions_of(const Array& x, const Array& U, const PageSequence& s) {
  std::size_t listed = 0;
  for (const auto& guesses : s.guesses) listed = std::max(listed, guesses.size());
  const std::size_t n = x.shape()[1], d = x.shape()[2];
  Array values = full_array({x.shape()[0], n, listed + 1}, 0);
  const auto put = [&](std::size_t i, std::size_t place, std::int32_t token) {
    for (std::size_t source = 0; source < x.shape()[0]; ++source) {
      double sum = 0;
      for (std::size_t c = 0; c < d; ++c)
        sum +=
            static_cast<double>(x(source, i, c)) * static_cast<double>(U(c, static_cast<std::size_t>(token)));
      values(source, i, place) = static_cast<Real>(sum);
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t g = 0; i < s.guesses.size() && g < s.guesses[i].size(); ++g)
      put(i, g, s.guesses[i][g].token);
    if (i < s.targets.size() && s.targets[i] >= 0) put(i, listed, s.targets[i]);
  }
  return values;
}

PageTerms terms_of(const Page& page, const nn::Transformer& model, const run::Example& example,
                   const PageSequence& shown) {
  const nn::Given given{nn::one_sequence(example.source)};
  const IntArray tokens = nn::one_sequence(example.tokens);
  PageTerms terms;
  for (const interpret::HeadScoreSources& h : interpret::factored_scores(model, tokens, given).heads) {
    const Grouped groups = grouped(h.sources, page);
    PageScores& scores = terms.heads.emplace_back(PageScores{
        groups.parts, packed_parts(h.q, groups), packed_parts(h.k, groups), packed_bias(h.bias), h.cap});
    const nn::MultiHeadAttention& attn = model.blocks[h.at.layer].attn;
    if (attn.sinks.defined()) scores.sink = static_cast<double>(attn.sinks.array().data()[h.at.head]);
    scores.window = model.config().window;
  }
  const interpret::LogitSources logits = interpret::factored_logits(model, tokens, given);
  const Grouped groups = grouped(logits.sources, page);
  terms.parts = groups.parts;
  terms.contributions = packed_parts(contributions_of(logits.x, centred_unembedding(model), shown), groups);
  return terms;
}

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
  for (std::size_t i = 0; i < shown.size() && i < page.sequences.size(); ++i) {
    const std::size_t bytes = bytes_of_terms(model.config(), shown[i].tokens.size());
    if (i == 0 && bytes > kFirstBytes) {
      page.circuits.no_terms = fmt::format(
          "The attention logits of this model are not taken apart here: the terms of one sequence would take "
          "{:.0f} "
          "MB.",
          4.0 / 3 * static_cast<double>(bytes) / 1e6);
      return;
    }
    if (i > 0 && taken + bytes > kSequencesBytes) return;
    page.sequences[i].terms = terms_of(page, model, shown[i], page.sequences[i]);
    taken += bytes;
  }
}

// The rotation of a query by one position, (d_head,d_head); empty for positions that do not rotate.
std::vector<double> turn_of(const nn::Transformer& model) {
  const nn::MultiHeadAttentionConfig& c = model.blocks[0].attn.config();
  const nn::Positions& kind = nn::positions().find(c.positions);
  if (!kind.rotation || c.n_ctx < 2) return {};
  const std::size_t d = *c.d_head;
  Array unit = full_array({d, 1, d}, 0);
  for (std::size_t i = 0; i < d; ++i) unit(i, 0, i) = 1;
  const Array turned = kind.rotation(nn::position_sizes(c))(Tensor(std::move(unit)), 1).array();
  return {turned.begin(), turned.end()};
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
  circuit.olsson = weights.copying_olsson;
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
  for (const Stack stack : page.stacks) {
    if (stack == Stack::cross) continue;
    interpret::CompositionOptions options;
    options.stack = stack;
    for (const interpret::Composition& c : interpret::compositions(model, options))
      page.circuits.edges.push_back({index_on_page(page, c.from),
                                     index_on_page(page, c.to),
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
        "The matrices of the heads are not on this page, because a vocabulary of {} tokens and {} heads "
        "would "
        "take too much room.",
        c.d_vocab, page.circuits.heads.size());
    return;
  }
  page.circuits.turn = turn_of(model);
  for (const interpret::AttentionLayer& layer : interpret::attention_layers(c))
    for (std::size_t head = 0; head < c.n_heads; ++head) {
      const HeadAt at{layer.layer, head, layer.stack};
      page.circuits.heads[index_on_page(page, at)] = circuit_on_page(model, at);
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
