// A forward pass whose residual stream is kept as a sum of what was written to it.
#pragma once

#include <vector>

#include "headlight/interpret/attribution.h"
#include "headlight/interpret/hooks.h"
#include "heads/head_weights.h"

namespace headlight::interpret {

struct Part {
  Source source;
  Array x;  // (B,n,d_model)
};

// Throws Error for a cache or a dropout.
void check_plain(const nn::Given& given);

// Runs the model with all that an attribution needs. Throws as check_plain().
CachedRun run_for_attribution(const nn::Transformer& model, const IntArray& tokens, const nn::Given& given);

// "blocks.<layer>."
std::string block_name(std::size_t layer);

bool is_beside(const nn::Transformer& model);  // whether positions are added to queries and keys only

// The linear part of a norm with this scale (…,1): x ← C x / scale ⊙ w. Its transpose on the rows of a
// cotangent is below.
void normalize(const nn::Norm& norm, const Array& scale, Array& x);
void normalize_back(const nn::Norm& norm, const Array& scale, Matrix& cotangent);

Source bias_source(const std::string& name, std::size_t layer);
Source mlp_source(std::size_t layer);
Source head_source(const HeadAt& at);

// One head of an array (B,n,H,d): (B,n,d).
Array one_head(const Array& results, std::size_t head);

// The stream, from the embedding on, block by block.
class Stream {
 public:
  Stream(const nn::Transformer& model, const CachedRun& run);

  const std::vector<Part>& parts() const { return parts_; }

  // Through the next block.
  void advance();

  // The parts behind a norm, and its b as a further part.
  std::vector<Part> behind_norm(const nn::Norm& norm, const std::string& name, std::size_t layer) const;

 private:
  void add_heads(const nn::MultiHeadAttention& attn, const std::string& name, Stack stack);
  void add_constant(const std::string& name, const Tensor& b);
  void norm_of_sum(const nn::Norm& norm, const std::string& name);

  const nn::Transformer& model_;
  const CachedRun& run_;
  std::vector<Part> parts_;
  std::size_t layer_ = 0;
};

// Throws Error, naming the op, if a sum of contributions is not the model's number. `largest` is the largest
// modulus of a contribution.
void check_sum(const char* op, double sum, double number, double largest);

// Throws Error unless tokens are one sequence (1,n).
void check_one_sequence(const char* op, const IntArray& tokens);

}  // namespace headlight::interpret
