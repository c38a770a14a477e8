#include "catch.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/nn/by_hand.h"
#include "headlight/ops/ops.h"
#include "headlight/tasks/task.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

// A pattern in which each query gives all its attention to one key.
Array looking_at(const IntArray& tokens, auto&& place) {
  const std::size_t batch = tokens.shape()[0], n = tokens.shape()[1];
  Array pattern = full_array({batch, n, n}, 0);
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t i = 0; i < n; ++i) pattern(b, i, place(b, i)) = 1;
  return pattern;
}

constexpr std::size_t kPeriod = 5;
const IntArray& repeated() {
  static const IntArray tokens{{3, 1, 4, 0, 2, 3, 1, 4, 0, 2, 3, 1}};
  return tokens;
}

nn::Transformer small_model() {
  Rng rng(1);
  return nn::Transformer({.n_layers = 2, .d_model = 16, .n_heads = 2, .d_vocab = 10, .n_ctx = 12}, rng);
}

}  // namespace

TEST_CASE("each score finds its own kind of head and no other", "[interpret]") {
  const auto previous =
      score_pattern(looking_at(repeated(), [](auto, auto i) { return i ? i - 1 : 0; }), repeated());
  CHECK(previous[kPreviousToken] == Approx(1));
  CHECK(previous[kInduction] == Approx(0));
  CHECK(previous[kDuplicateToken] == Approx(0));
  const auto duplicate = score_pattern(
      looking_at(repeated(), [](auto, auto i) { return i >= kPeriod ? i - kPeriod : 0; }), repeated());
  CHECK(duplicate[kDuplicateToken] == Approx(1));
  CHECK(duplicate[kInduction] == Approx(0));
  const auto induction = score_pattern(
      looking_at(repeated(), [](auto, auto i) { return i >= kPeriod ? i - kPeriod + 1 : 0; }), repeated());
  CHECK(induction[kInduction] == Approx(1));
  CHECK(induction[kPreviousToken] < 0.2);
  const auto itself = score_pattern(looking_at(repeated(), [](auto, auto i) { return i; }), repeated());
  CHECK(itself[kPreviousToken] + itself[kDuplicateToken] + itself[kInduction] == Approx(0));
}

TEST_CASE("attention to any earlier follower counts", "[interpret]") {
  const auto first = score_pattern(
      looking_at(repeated(), [](auto, auto i) { return i % kPeriod + (i >= kPeriod); }), repeated());
  CHECK(first[kInduction] == Approx(1));
}

// Against the formulas written out, in this order: the digits may not change with how scores are kept.
TEST_CASE("scores are means over positions, token by token", "[interpret]") {
  Rng rng(3);
  const IntArray tokens{{3, 1, 1, 0, 3, 3, 1, 4}, {2, 2, 2, 0, 1, 2, 4, 0}};
  const Array pattern = rng.uniform_array({2, 8, 8});
  double previous = 0, duplicate = 0, induction = 0;
  std::size_t repeated = 0;
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t i = 1; i < 8; ++i) {
      previous += static_cast<double>(pattern(b, i, i - 1));
      bool seen = false;
      for (std::size_t j = 0; j < i; ++j) {
        if (tokens(b, j) != tokens(b, i)) continue;
        seen = true;
        duplicate += static_cast<double>(pattern(b, i, j));
        induction += static_cast<double>(pattern(b, i, j + 1));
      }
      repeated += seen ? 1 : 0;
    }
  const auto scores = score_pattern(pattern, tokens);
  CHECK(scores[kPreviousToken] == previous / 14);
  CHECK(scores[kDuplicateToken] == duplicate / static_cast<double>(repeated));
  CHECK(scores[kInduction] == induction / static_cast<double>(repeated));
}

TEST_CASE("a score is found by its key, and a misspelt key is answered with the nearest", "[interpret]") {
  const HeadScores scores{1, 2, {0.25, 0.5, 0.75, 0.125, 0, 0.0625, 0.5}};
  for (std::size_t i = 0; i < score_kinds().size(); ++i)
    CHECK(scores[score_kinds()[i].key] == scores.values[i]);
  CHECK(std::string(strongest(scores).key) == kInduction);
  CHECK(best_head({scores, {1, 3, {0.5, 0, 0, 0, 0}}}, kPreviousToken).head == 3);
  CHECK(error_of([&] { (void)scores["inducton"]; }) ==
        "[scores] expected previous_token, duplicate_token, induction, self, first_token, answer "
        "or same_place, got 'inducton'. Did you mean 'induction'?");
  CHECK(error_of([&] { (void)HeadScores{}[kInduction]; }) == "[scores] head 0.0 has no induction score.");
  CHECK(contains(error_of([&] { (void)strongest({}); }), "expected 1 … 7 scores, got 0"));
}

TEST_CASE("an untrained model has no head of any kind", "[interpret]") {
  nn::Transformer model = small_model();
  const auto scores = score_heads(model, repeated());
  CHECK(scores.size() == 4);
  CHECK(scores[3].layer == 1);
  CHECK(scores[3].head == 1);
  CHECK(best_head(scores, kInduction)[kInduction] < kFoundScore);
}

TEST_CASE("run_with_cache keeps every activation under its name and shape", "[interpret]") {
  nn::Transformer model = small_model();
  const CachedRun run = run_with_cache(model, repeated());
  CHECK(run.cache["hook_embed"].shape() == Shape{1, 12, 16});
  CHECK(run.cache["blocks.0.hook_resid_pre"].shape() == Shape{1, 12, 16});
  CHECK(run.cache["blocks.1.attn.hook_q"].shape() == Shape{1, 12, 2, 8});
  CHECK(run.cache["blocks.1.attn.hook_rot_k"].shape() == Shape{1, 12, 2, 8});
  CHECK(run.cache["blocks.1.attn.hook_pattern"].shape() == Shape{1, 2, 12, 12});
  CHECK(run.cache["blocks.1.attn.hook_z"].shape() == Shape{1, 12, 2, 8});
  CHECK(run.cache["ln_final.hook_scale"].shape() == Shape{1, 12, 1});
  CHECK(difference(run.logits, model(repeated()).array()) < kRounding);
  const Tensor pattern(run.cache["blocks.0.attn.hook_pattern"]);
  for (Real total : sum(pattern, {-1}).array()) CHECK(total == Approx(1));
  CHECK(difference(run.cache["blocks.0.hook_resid_post"], run.cache["blocks.1.hook_resid_pre"]) == 0);
}

TEST_CASE("only what is wanted is kept", "[interpret]") {
  const nn::Transformer model = small_model();
  const CachedRun run =
      run_with_cache(model, repeated(), [](const auto& name) { return name == "hook_embed"; });
  CHECK(run.cache.names() == std::vector<std::string>{"hook_embed"});
}

TEST_CASE("an intervention replaces an activation in its own pass only", "[interpret]") {
  const nn::Transformer model = small_model();
  const Array before = model(repeated()).array();
  const nn::Hooks silenced{{"blocks.1.hook_attn_out", [](const Tensor& x) { return x * 0; }}};
  const CachedRun run = run_with_cache(model, repeated(), {}, silenced);
  CHECK(difference(run.cache["blocks.1.hook_resid_pre"], run.cache["blocks.1.hook_resid_post"]) == 0);
  CHECK(difference(before, run.logits) > 1e-3);
  CHECK(difference(run.logits, run_with_hooks(model, repeated(), silenced).array()) == 0);
  CHECK(difference(before, model(repeated()).array()) == 0);
}

TEST_CASE("reading and scoring never change the cache", "[interpret]") {
  nn::Transformer model = small_model();
  const CachedRun run = run_with_cache(model, repeated());
  const Array before = run.cache["blocks.0.attn.hook_pattern"];
  score_pattern(looking_at(repeated(), [](auto, auto i) { return i; }), repeated());
  model(IntArray{{1, 2, 3}});
  CHECK(difference(before, run.cache["blocks.0.attn.hook_pattern"]) == 0);
}

TEST_CASE("unknown names are answered with the nearest known one", "[interpret]") {
  const nn::Transformer model = small_model();
  const nn::Hook keep = [](const Tensor&) { return Tensor(); };
  CHECK(contains(error_of([&] {
                   run_with_hooks(model, repeated(), {{"blocks.0.attn.hook_patern", keep}});
                 }),
                 "no hook point 'blocks.0.attn.hook_patern'. Did you mean 'blocks.0.attn.hook_pattern'?"));
  const CachedRun run = run_with_cache(model, repeated());
  CHECK(
      contains(error_of([&] { (void)run.cache["blocks.9.hook_resid_pre"]; }), "the cache has no activation"));
  CHECK(contains(error_of([&] {
                   score_pattern(full_array({1, 2, 2}, 0), IntArray{{1, 2}});
                 }),
                 "no token occurs twice"));
  CHECK(contains(error_of([&] {
                   score_pattern(full_array({1, 2, 3}, 0), IntArray{{1, 2}});
                 }),
                 "expected a pattern (B,n,n)"));
}

TEST_CASE("patterns that no memory holds are refused before they are computed", "[interpret]") {
  const nn::Transformer model = nn::induction_by_hand({.d_vocab = 16, .n_ctx = 16});
  const IntArray tokens = IntArray::from_shape({1, 20'000'000});
  const auto kept = [&](const std::function<bool(const std::string&)>& wanted) {
    return error_of([&] { run_with_cache(model, tokens, wanted); });
  };
  CHECK(contains(kept({}), "keeping these patterns needs about "));
  CHECK_FALSE(contains(kept([](const std::string& name) { return name == "hook_embed"; }), "memory"));
}
