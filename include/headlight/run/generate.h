// Generates tokens with a run's model, one after the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headlight/nn/decoding.h"
#include "headlight/nn/sample.h"
#include "headlight/run/run.h"

namespace headlight::run {

struct GenerateOptions {
  std::string prompt = {};  // in the run's tokens
  std::string source = {};  // for an encoder–decoder, likewise
  nn::SampleOptions sampling = {};
  std::uint64_t seed = 0;
  bool cache = true;  // keep keys and values; without it each token costs a pass over the whole context
};

// The model sees at most n_ctx tokens. When its context is full, it goes on with the latter half of it.
//   Generation text(run, {.prompt = "The"});
//   for (int i = 0; i < 200; ++i) std::cout << run.task.vocabulary.bytes(text.next());
class Generation {
 public:
  // The run must outlive the generation. Throws Error for an encoder, which cannot continue a text; for a
  // task whose targets are labels, not the next tokens; for a prompt that is missing or has unknown tokens;
  // for a source that is missing, too long, or given to a model without an encoder.
  Generation(const Run& run, const GenerateOptions& options);

  const std::vector<std::int32_t>& prompt() const { return prompt_; }

  // The next token. With the same options, the same tokens on every machine.
  std::int32_t next();

 private:
  const Real* next_logits();

  const Run& run_;
  GenerateOptions options_;
  Rng rng_;
  IntArray source_;
  std::vector<std::int32_t> prompt_;
  std::vector<std::int32_t> context_;  // what the model sees
  std::size_t read_ = 0;               // how much of it is in the cache
  std::optional<nn::Decoding> decoding_;
  Array logits_;
};

}  // namespace headlight::run
