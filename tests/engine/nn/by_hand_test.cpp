// The induction transformer whose weights are set by hand: what each head does, and what each change breaks.
#include "headlight/nn/by_hand.h"
#include "catch.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"
#include "interpret/plain_forward.h"

using namespace headlight;
using nn::Broken;
using nn::InductionByHand;

namespace {

constexpr double kExact = 1e-6;  // of a pattern's weights, also in float

// Segments of distinct tokens, each repeated to the context's end. Targets are the next tokens.
tasks::Batch repeats(const InductionByHand& sizes, std::size_t period, std::size_t count = 6) {
  tasks::Batch batch{IntArray::from_shape({count, sizes.n_ctx}), IntArray::from_shape({count, sizes.n_ctx}),
                     BoolArray({count, sizes.n_ctx}, false), IntArray::from_shape({0})};
  for (std::size_t b = 0; b < count; ++b) {
    const auto segment = Rng(period).stream("segment", b).distinct(period, sizes.d_vocab);
    for (std::size_t t = 0; t < sizes.n_ctx; ++t) {
      batch.tokens(b, t) = segment[t % period];
      batch.targets(b, t) = segment[(t + 1) % period];
      batch.predictable(b, t) = t >= period;
    }
  }
  return batch;
}

train::Evaluation evaluated(const InductionByHand& options, std::size_t period) {
  ThreadPool pool(1);
  return train::evaluate(nn::induction_by_hand(options), repeats(options, period), pool);
}

double accuracy(const InductionByHand& options, std::size_t period) {
  return evaluated(options, period).accuracy_predictable.value();
}

// Tokens that repeat in every way: equal neighbours, several copies, and none.
IntArray any_tokens(const InductionByHand& sizes, std::size_t count = 8) {
  IntArray tokens = IntArray::from_shape({count, sizes.n_ctx});
  for (std::size_t b = 0; b < count; ++b) {
    Rng rng = Rng(3).stream("tokens", b);
    for (std::size_t t = 0; t < sizes.n_ctx; ++t)  // sequence b draws from 1, 2 … 64 of the tokens
      tokens(b, t) = static_cast<std::int32_t>(rng.below(std::min(sizes.d_vocab, std::size_t{1} << b)));
  }
  return tokens;
}

// Whether query i should look at key j, by the tokens (n) alone.
using Meant = bool (*)(const std::vector<int>& tokens, std::size_t i, std::size_t j);

bool previous(const std::vector<int>&, std::size_t i, std::size_t j) { return j + 1 == i; }
bool earlier_copy(const std::vector<int>& x, std::size_t i, std::size_t j) { return j < i && x[j] == x[i]; }
bool follower(const std::vector<int>& x, std::size_t i, std::size_t j) { return j > 0 && x[j - 1] == x[i]; }

// The queries with a key that is meant share their attention equally among these keys. Returns their number.
std::size_t check_pattern(const Array& pattern, const IntArray& tokens, Meant meant) {
  std::size_t queries = 0;
  for (std::size_t b = 0; b < tokens.shape()[0]; ++b) {
    const std::vector<int> x = plain_tokens(tokens, b);
    const PlainTable weights = plain_pattern(pattern, b, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      double keys = 0, largest = 0;
      for (std::size_t j = 0; j <= i; ++j) keys += meant(x, i, j);
      if (keys == 0) continue;
      ++queries;
      for (std::size_t j = 0; j < x.size(); ++j)
        largest = std::max(largest, std::abs(weights[i][j] - (j <= i && meant(x, i, j) ? 1 / keys : 0)));
      CHECK(largest < kExact);
    }
  }
  return queries;
}

Array pattern_of_layer(const interpret::CachedRun& run, std::size_t layer) {
  return run.cache[interpret::pattern_name(layer)];
}

}  // namespace

TEST_CASE("the model by hand predicts every repeat of every period", "[nn][by_hand][long]") {
  const Broken broken = GENERATE(Broken::nothing, Broken::through_queries);
  for (const std::size_t period : {4, 5, 16, 23, 32, 63}) {
    INFO(to_string(broken) << ", period " << period);
    const train::Evaluation e = evaluated({.broken = broken}, period);
    CHECK(e.accuracy_predictable.value() == 1);
    CHECK(e.loss_predictable.value() < 1e-6);
  }
  CHECK(accuracy({.d_vocab = 7, .n_ctx = 30, .n_heads = 1, .broken = broken}, 6) == 1);
  CHECK(accuracy({.d_vocab = 2, .n_ctx = 3, .n_heads = 2, .broken = broken}, 2) == 1);
}

TEST_CASE("the heads by hand look exactly where they should", "[nn][by_hand]") {
  for (const InductionByHand& options : {InductionByHand{}, {.d_vocab = 5, .n_ctx = 17, .n_heads = 1}}) {
    const nn::Transformer model = nn::induction_by_hand(options);
    const IntArray tokens = any_tokens(options);
    const auto run = interpret::run_with_cache(model, tokens);
    CHECK(check_pattern(pattern_of_layer(run, 0), tokens, previous) == 8 * (options.n_ctx - 1));
    CHECK(check_pattern(pattern_of_layer(run, 1), tokens, follower) > 5 * options.n_ctx);
  }
}

TEST_CASE("through queries, the first head looks at earlier copies and the second behind them",
          "[nn][by_hand]") {
  for (InductionByHand options : {InductionByHand{}, {.d_vocab = 5, .n_ctx = 17, .n_heads = 1}}) {
    options.broken = Broken::through_queries;
    const nn::Transformer model = nn::induction_by_hand(options);
    const IntArray tokens = any_tokens(options);
    const auto run = interpret::run_with_cache(model, tokens);
    CHECK(check_pattern(pattern_of_layer(run, 0), tokens, earlier_copy) > 5 * options.n_ctx);
    CHECK(check_pattern(pattern_of_layer(run, 1), tokens, follower) > 5 * options.n_ctx);
  }
}

TEST_CASE("the scores of the heads by hand say what they are", "[nn][by_hand]") {
  const auto scored = [](Broken broken) {
    const InductionByHand options{.broken = broken};
    return interpret::score_heads(nn::induction_by_hand(options), repeats(options, 20).tokens);
  };
  const auto circuit = scored(Broken::nothing), pointers = scored(Broken::through_queries);
  CHECK(circuit[0][interpret::kPreviousToken] > 1 - kExact);
  CHECK(circuit[4][interpret::kInduction] > 1 - kExact);
  CHECK(pointers[0][interpret::kDuplicateToken] > 1 - kExact);
  CHECK(pointers[0][interpret::kPreviousToken] < 0.1);
  CHECK(pointers[4][interpret::kInduction] > 1 - kExact);
  CHECK(scored(Broken::copying)[4][interpret::kInduction] > 1 - kExact);
  CHECK(scored(Broken::matching)[4][interpret::kInduction] < 0.05);
}

TEST_CASE("without copying the head by hand looks right and says the next token", "[nn][by_hand]") {
  const InductionByHand options{.broken = Broken::copying};
  CHECK(accuracy(options, 16) == 0);
  CHECK(accuracy(options, 30) == 0);
  tasks::Batch batch = repeats(options, 30);
  for (std::int32_t& target : batch.targets) target = (target + 1) % 64;
  ThreadPool pool(1);
  CHECK(train::evaluate(nn::induction_by_hand(options), batch, pool).accuracy_predictable.value() == 1);
}

TEST_CASE("without matching the head by hand attends to all positions but the first", "[nn][by_hand]") {
  const InductionByHand options{.broken = Broken::matching};
  for (const std::size_t period : {16, 23, 32}) CHECK(accuracy(options, period) < 0.1);
  const IntArray tokens = any_tokens(options);
  const auto run = interpret::run_with_cache(nn::induction_by_hand(options), tokens);
  const auto all_but_the_first = [](const std::vector<int>&, std::size_t i, std::size_t j) {
    return i > 0 && j > 0;
  };
  CHECK(check_pattern(pattern_of_layer(run, 1), tokens, all_but_the_first) == 8 * 63);
}

TEST_CASE("by position only, the model by hand predicts one period", "[nn][by_hand][long]") {
  const InductionByHand usual{.broken = Broken::position_only},
      own{.broken = Broken::position_only, .offset = 16};
  CHECK(accuracy(usual, 24) == 1);  // 3/8 of 64
  CHECK(accuracy(own, 17) == 1);
  for (const std::size_t period : {15, 16, 18, 25, 32}) {
    INFO(period);
    CHECK(accuracy(usual, period) < 0.05);
    CHECK(accuracy(own, period) < 0.05);
  }
  const auto run = interpret::run_with_cache(nn::induction_by_hand(own), any_tokens(own));
  const auto back = [](const std::vector<int>&, std::size_t i, std::size_t j) { return j + 16 == i; };
  CHECK(check_pattern(pattern_of_layer(run, 1), any_tokens(own), back) == 8 * 48);
}

TEST_CASE("the spare heads by hand write exactly nothing", "[nn][by_hand]") {
  for (const auto& entry : nn::broken_ingredients().entries()) {
    INFO(entry.name);
    const Broken broken = entry.thing;
    const InductionByHand options{.broken = broken};
    const auto run = interpret::run_with_cache(nn::induction_by_hand(options), any_tokens(options));
    for (const std::string layer : {"blocks.0.", "blocks.1."}) {
      const Array& result = run.cache[layer + "attn.hook_result"];  // (B,n,H,d_model)
      double spare = 0, own = 0;
      for (std::size_t i = 0; i < result.size(); ++i)
        (i / result.shape()[3] % 4 == 0 ? own : spare) += std::abs(static_cast<double>(result.data()[i]));
      CHECK(spare == 0);
      CHECK(own > 1);
      CHECK(plain_pattern(run.cache[layer + "attn.hook_pattern"], 0, 3)[9][4] == Approx(0.1));
    }
  }
}

TEST_CASE("the residual stream by hand has the blocks of its table", "[nn][by_hand]") {
  const InductionByHand options{.d_vocab = 6, .n_ctx = 9, .n_heads = 2};
  const nn::StreamByHand stream = nn::stream_by_hand(options);
  const nn::Transformer model = nn::induction_by_hand(options);
  CHECK(stream.d_model() == model.config().d_model);
  const Plain plain = plain_forward(model, {3, 1, 4, 1, 5, 3, 1});
  const PlainRow& end = plain.resid_post[1][6];  // token 1, its follower 4 or 5, previous token 3, position 6
  PlainRow expected(stream.d_model(), 0.0);
  expected[stream.token.first + 1] = expected[stream.previous.first + 3] =
      expected[stream.position.first + 6] = 1;
  expected[stream.output.first + 4] = expected[stream.output.first + 5] = 0.5;
  CHECK(plain_difference({expected}, {end}) < kExact);
  CHECK(plain.logits[6][4] == Approx(10));

  const Plain pointers =
      plain_forward(nn::induction_by_hand({.d_vocab = 6, .n_ctx = 9, .broken = Broken::through_queries}),
                    {3, 1, 4, 1, 5, 3, 1});
  expected[stream.previous.first + 3] = 0;
  expected[stream.pointer.first + 1] = expected[stream.pointer.first + 3] = 0.5;  // token 1 was at 1 and 3
  CHECK(plain_difference({expected}, {pointers.resid_post[1][6]}) < kExact);
}

TEST_CASE("the models by hand compute the same in simple loops", "[nn][by_hand]") {
  for (const auto& entry : nn::broken_ingredients().entries()) {
    INFO(entry.name);
    const Broken broken = entry.thing;
    const InductionByHand options{.d_vocab = 9, .n_ctx = 20, .n_heads = 2, .broken = broken};
    const nn::Transformer model = nn::induction_by_hand(options);
    const IntArray tokens = any_tokens(options);
    const PlainTable logits = plain_rows(model(tokens).array(), 4);
    CHECK(plain_difference(logits, plain_forward(model, plain_tokens(tokens, 4)).logits) < kPlain);
  }
}

TEST_CASE("the ways to break the model by hand have names", "[nn][by_hand]") {
  CHECK(nn::broken_ingredients().names() ==
        std::vector<std::string>{"none", "copying", "matching", "position-only", "through-queries"});
  CHECK(to_string(Broken::position_only) == "position-only");
  CHECK(nn::broken_ingredients().find("through-queries") == Broken::through_queries);
  CHECK(contains(error_of([] { nn::broken_ingredients().find("coping"); }),
                 "unknown broken ingredient 'coping': expected none, copying,"));
}

TEST_CASE("the model by hand refuses sizes that it cannot have", "[nn][by_hand]") {
  const auto message = [](const InductionByHand& options) {
    return error_of([&] { nn::induction_by_hand(options); });
  };
  CHECK(
      contains(message({.d_vocab = 1}), "d_vocab and n_ctx of at least 2, got d_vocab = 1 and n_ctx = 64."));
  CHECK(contains(message({.n_ctx = 1}), "got d_vocab = 64 and n_ctx = 1."));
  CHECK(contains(message({.d_vocab = 1000}), "d_vocab + n_ctx of at most 1024, got 1000 + 64."));
  CHECK(contains(message({.d_vocab = SIZE_MAX}), "of at most 1024"));
  CHECK(contains(message({.n_heads = 0}), "expected 1 to 64 heads, got n_heads = 0."));
  CHECK(contains(message({.offset = 3}), "but broken = 'none' and offset = 3."));
  CHECK(contains(message({.broken = Broken::position_only, .offset = 64}),
                 "an offset below n_ctx = 64, got 64."));
}
