#include "headlight/run/generate.h"

#include <algorithm>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/nn/one_sequence.h"

namespace headlight::run {
namespace {

void check_writes(const Run& run) {
  check(run.model->config().architecture != nn::Architecture::encoder,
        "an encoder cannot generate: it reads whole sequences. Hint: train with --architecture decoder, on a "
        "task of next tokens such as --task repeat.");
  check(!run.task.sees_ahead,
        "a model of the task '{}' cannot generate: it predicts labels of the tokens it reads, not the next "
        "tokens. Hint: ./headlight report DIR shows its predictions; a run of --text FILE or --task repeat "
        "generates.",
        run.task.config.name);
}

// What the encoder reads (1,m); nothing for a model without one.
IntArray source_of(const Run& run, const std::string& source) {
  const nn::TransformerConfig& c = run.model->config();
  if (c.architecture != nn::Architecture::encoder_decoder) {
    check(source.empty(),
          "this model has no encoder, so it takes no source. Hint: without --source, the model reads what "
          "--prompt says.");
    return {};
  }
  check(!source.empty(),
        "an encoder-decoder needs a source to read. Hint: --source TOKENS; --prompt begins with '{}'.",
        run.task.vocabulary.text(tasks::kSeparator));
  const std::vector<std::int32_t> tokens = run.task.vocabulary.tokens(source);
  check(tokens.size() <= c.n_source,
        "a source of {} tokens does not fit the encoder: expected at most {}. Hint: a shorter --source.",
        tokens.size(), c.n_source);
  return nn::one_sequence(tokens);
}

}  // namespace

Generation::Generation(const Run& run, const GenerateOptions& options)
    : run_(run), options_(options), rng_(Rng(options.seed).stream("generation")) {
  const nn::TransformerConfig& c = run.model->config();
  check_writes(run);
  source_ = source_of(run, options.source);
  prompt_ = run.task.vocabulary.tokens(options.prompt);
  const std::size_t seen = std::min(prompt_.size(), c.n_ctx);
  context_.assign(prompt_.end() - static_cast<std::ptrdiff_t>(seen), prompt_.end());
}

// (d_vocab), of the position after the context.
const Real* Generation::next_logits() {
  const NoGrad no_grad;
  const std::size_t vocab = run_.model->config().d_vocab;
  if (options_.cache) {
    if (!decoding_) decoding_.emplace(*run_.model, source_);
    logits_ = decoding_->read({context_.begin() + static_cast<std::ptrdiff_t>(read_), context_.end()});
    read_ = context_.size();
  } else {
    logits_ = (*run_.model)(nn::one_sequence(context_), {}, {.source = source_}).array();
  }
  return logits_.data() + logits_.size() - vocab;
}

std::int32_t Generation::next() {
  const nn::TransformerConfig& c = run_.model->config();
  const std::int32_t token = nn::sample(next_logits(), c.d_vocab, options_.sampling, rng_);
  if (context_.size() == c.n_ctx) {
    context_.erase(context_.begin(), context_.end() - static_cast<std::ptrdiff_t>(c.n_ctx / 2));
    decoding_.reset();
    read_ = 0;
  }
  context_.push_back(token);
  return token;
}

}  // namespace headlight::run
