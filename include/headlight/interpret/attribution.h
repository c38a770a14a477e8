// Where a number comes from: a logit or an attention logit as an exact sum of contributions (Elhage et al.
// 2021; direct logit attribution as in Wang et al. 2022 and ARENA 1.2).
//
// With the scales of the norms and the patterns held as they were in the forward pass, everything except the
// MLPs is linear. So the residual stream is a sum of what was written to it, and each function here says what
// each source contributes. An MLP's output, and the result of a head of cross-attention, is a source of its
// own. Norms before and after the sums, learned positions of any place, grouped heads, rotary positions,
// biases, sinks, windows, smeared keys and norms of queries and keys are included exactly.
//
// Every function adds the contributions and compares the sum with the model's own number. It throws Error if
// they differ by more than 1e-5 (1e-9 in the double build), relative to the largest of the number, the
// contributions and 1. All functions throw Error for a cache of keys or a dropout in `given`, and for tokens
// that the model refuses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headlight/interpret/attention_layers.h"

namespace headlight::interpret {

enum class SourceKind {
  embed,      // the token's row of W_E
  pos_embed,  // the position's row of W_pos
  head,       // a head's result, without b_O
  mlp,        // an MLP's output
  bias,       // b_O, b_Q and b_K, b_V, or the b of a norm
};

// What writes to the residual stream, or adds to what is read from it.
struct Source {
  SourceKind kind = SourceKind::embed;
  std::string name;            // "embed", "pos_embed", "L0H1", "blocks.0.mlp", "blocks.0.attn.b_O"
  std::size_t layer = 0;       // of a head, an MLP or a bias of a block
  std::optional<HeadAt> head;  // of a head
  std::size_t back = 0;        // 1: written at the position before, which a smeared key takes in
};

// ---- The output

// logits after 0, 1, … L layers (L+1,B,n,d_vocab): ln_final and the unembedding applied to each layer's input
// and to the last output (nostalgebraist 2020, "the logit lens"). The last are the model's logits. `changes`
// are hooks of the pass.
Array logit_lens(const nn::Transformer& model, const IntArray& tokens, const nn::Given& given = {},
                 const nn::Hooks& changes = {});

struct DirectAttribution {
  std::vector<Source> sources;  // (S), in the order in which they are written; the last is ln_final.b if any
  Array values;                 // (S,B,n): the contribution to the logit of each position's target
  Array logits;                 // (B,n): the logit, which is the sum over the sources
};

// The contribution of every source by the direct path to the logits of `targets` (B,n), in logits. A target
// of tasks::kNoTarget gives zeros. With `minus_mean` the logit is taken less the mean over the vocabulary.
DirectAttribution direct_logit_attribution(const nn::Transformer& model, const IntArray& tokens,
                                           const IntArray& targets, bool minus_mean = false,
                                           const nn::Given& given = {});

// The final residual stream source by source, behind ln_final:
//   logit(i, t) = Σ_s x[s,i] · W_U[:,t]
struct LogitSources {
  std::vector<Source> sources;  // (S)
  Array x;                      // (S,n,d_model)
};

// Of one sequence, tokens (1,n).
LogitSources factored_logits(const nn::Transformer& model, const IntArray& tokens,
                             const nn::Given& given = {});

// A path through the model: from a source through heads of rising layers to the output.
struct PathTerm {
  std::vector<HeadAt> heads;  // first the one that reads the source; empty: the direct path
  Source source;
  double value = 0;                 // the contribution to the logit
  std::vector<double> by_position;  // (n): of it, what the source contributes at each position

  // The position whose contribution has the sign of the whole and is the largest.
  std::size_t main_position() const;
};

struct LogitAttribution {
  std::size_t position = 0;
  std::int32_t token = 0;
  double logit = 0;             // as the options define it: the sum over all paths
  std::vector<PathTerm> paths;  // those through a layer's heads follow one another; no order of size
};

struct LogitOptions {
  bool minus_mean = false;                 // the logit less the mean over the vocabulary
  std::optional<std::int32_t> minus = {};  // the logit less that of this token; not with minus_mean
  std::size_t most_paths = 100'000;        // sequences of heads, (1 + n_heads)^n_layers
};

// The logit of `token` at `position` of one sequence, tokens (1,n), as a sum over all paths: for each
// sequence of heads, and each source that the first of them reads. (A source is the embedding, W_pos, an
// MLP's output, the result of a head of cross-attention, or a bias.) Throws Error for a position or token
// that there is not, and if there are more than most_paths sequences of heads.
LogitAttribution logit_attribution(const nn::Transformer& model, const IntArray& tokens, std::size_t position,
                                   std::int32_t token, const LogitOptions& options = {},
                                   const nn::Given& given = {});

// The sum over embeddings, positions and biases, for each sequence of heads; by_position is summed too, and
// the source is left empty. A path that begins with what an MLP or cross-attention wrote keeps that as its
// source.
std::vector<PathTerm> by_writers(const LogitAttribution& attribution);

// ---- The attention logits

// The attention logits (scores) of one head of the stack that predicts, source by source:
//   Σ_s Σ_t q[s,i] · k[t,j]  =  the scaled score of query i for key j, before the cap and without the bias
//   scores(i,j) = cap(that) + bias(i,j),  cap(x) = c·tanh(x/c) if the model has a score cap c, else x
struct HeadScoreSources {
  HeadAt at;
  std::vector<Source> sources;      // (S), of queries
  std::vector<Source> key_sources;  // (T): the same, and for smeared keys all again with `back` 1
  Array q, k;                       // (S,n,d_head) divided by √d_head, (T,n,d_head): normalized, rotated
  Array bias;                       // (n,n), by head and distance; 0 without such positions
  double cap = 0;                   // 0: none
  Array scores;                     // (n,n), the model's; -∞ where a key is hidden
};

struct ScoreSources {
  std::vector<HeadScoreSources> heads;  // layer by layer
};

// Of one sequence, tokens (1,n). The sources of layer l are all that was written before it, ln1.b, positions
// that are added to queries and keys (pos_embed), and one for b_Q and b_K. A smeared key is σ(α) times what
// its own position makes plus 1 - σ(α) times what the position before makes; key 0 is its own throughout.
ScoreSources factored_scores(const nn::Transformer& model, const IntArray& tokens,
                             const nn::Given& given = {});

struct ScoreAttribution {
  HeadAt at;
  std::size_t query = 0, key = 0;
  std::vector<Source> sources, key_sources;  // (S), (T), without those before key 0
  // For a source that is a head: the position that this head attends to most, at the query, and at the key or
  // as far before it as the source is (of cross-attention a position of the source sequence).
  std::vector<std::optional<std::size_t>> query_from, key_from;  // (S), (T)
  Array terms;       // (S,T): rows are the query's sources, columns the key's
  double sum = 0;    // Σ terms: the score before the cap and the bias
  double bias = 0;   // by head and distance
  double score = 0;  // the model's: cap(sum) + bias
};

// The attention logit of one head of one query for one key, tokens (1,n). A score cap is not linear, so the
// terms are those of the score before the cap. Throws Error for a head of another stack, and for a key that
// the query does not see.
ScoreAttribution score_attribution(const nn::Transformer& model, const IntArray& tokens, const HeadAt& at,
                                   std::size_t query, std::size_t key, const nn::Given& given = {});

}  // namespace headlight::interpret
