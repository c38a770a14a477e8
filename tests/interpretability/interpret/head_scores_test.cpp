// Head scores on patterns made by hand, over many sequences, and how scores are compared.
#include "catch.h"
#include "headlight/core/rng.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/scores.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

// A score of one head by name, so that the tests name each score once.
double previous_token(const HeadScores& s) { return s[kPreviousToken]; }
double duplicate_token(const HeadScores& s) { return s[kDuplicateToken]; }
double induction(const HeadScores& s) { return s[kInduction]; }

IntArray random_tokens(std::size_t sequences, std::size_t n, std::size_t vocab) {
  Rng rng(3);
  IntArray tokens = IntArray::from_shape({sequences, n});
  for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(rng.below(vocab));
  return tokens;
}

// (1,3,3), the rows of three queries.
Array pattern_of(const std::vector<std::vector<double>>& rows) {
  Array pattern = full_array({1, rows.size(), rows.size()}, 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) pattern(0, i, j) = static_cast<Real>(rows[i][j]);
  return pattern;
}

IntArray one_sequence(const IntArray& tokens, std::size_t b) {
  IntArray one = IntArray::from_shape({1, tokens.shape()[1]});
  for (std::size_t t = 0; t < one.size(); ++t) one(0, t) = tokens(b, t);
  return one;
}

const std::vector<HeadScores> kHeads{{0, 0, {.5, .1, .2}},
                                     {0, 1, {.7, .2, .3}},
                                     {1, 0, {.1, .4, .9}},
                                     {1, 1, {.7, .4, .9}},
                                     {2, 0, {0, .3, .1}}};

}  // namespace

// A A B: query 1 has an equal token just before it, whose follower is query 1 itself.
TEST_CASE("the follower of the token just before is the query itself", "[interpret]") {
  const HeadScores s = score_pattern(pattern_of({{1}, {.25, .75}, {.5, .375, .125}}), IntArray{{4, 4, 9}});
  CHECK(previous_token(s) == Approx((.25 + .375) / 2));
  CHECK(duplicate_token(s) == Approx(.25));
  CHECK(induction(s) == Approx(.75));
}

// A A A: query 2 has two equal tokens before it, at 0 and 1, with the followers 1 and 2.
TEST_CASE("all earlier equal tokens count together, and the query once", "[interpret]") {
  const HeadScores s = score_pattern(pattern_of({{1}, {.25, .75}, {.5, .375, .125}}), IntArray{{4, 4, 4}});
  CHECK(duplicate_token(s) == Approx((.25 + .875) / 2));
  CHECK(induction(s) == Approx((.75 + .5) / 2));
}

TEST_CASE("attention to what comes later counts for nothing", "[interpret]") {
  Array pattern = full_array({1, 4, 4}, 0);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) pattern(0, i, j) = 1;
  const HeadScores s = score_pattern(pattern, IntArray{{1, 2, 1, 2}});
  CHECK(previous_token(s) == 0);
  CHECK(duplicate_token(s) == 0);
  CHECK(induction(s) == 0);
}

TEST_CASE("queries of all sequences weigh the same", "[interpret]") {
  Array pattern = full_array({2, 3, 3}, 0);
  pattern(0, 2, 0) = 1;                        // the only query of sequence 0 that has an equal token
  pattern(1, 1, 1) = pattern(1, 2, 2) = 0.25;  // both queries of sequence 1 have one
  const HeadScores s = score_pattern(pattern, IntArray{{1, 2, 1}, {3, 3, 3}});
  CHECK(duplicate_token(s) == Approx(1.0 / 3));
  CHECK(induction(s) == Approx((0 + .25 + .25) / 3));
}

// Patterns of about four million numbers are scored at once: 128 of these sequences, then the rest.
TEST_CASE("scores of many sequences are those of all of them together", "[interpret]") {
  Rng rng(1);
  nn::Transformer model({.n_layers = 2, .d_model = 8, .n_heads = 4, .d_vocab = 6, .n_ctx = 64}, rng);
  const IntArray tokens = random_tokens(131, 64, 6);
  std::vector<double> previous(8), induced(8);
  std::size_t queries = 0;
  std::vector<std::size_t> repeated(131);
  for (std::size_t b = 0; b < 131; ++b)
    for (std::size_t i = 1; i < 64; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (tokens(b, i) == tokens(b, j)) {
          ++repeated[b];
          break;
        }
  for (std::size_t b = 0; b < 131; ++b) {
    queries += repeated[b];
    const auto alone = score_heads(model, one_sequence(tokens, b));
    for (std::size_t h = 0; h < 8; ++h) {
      previous[h] += previous_token(alone[h]) / 131;
      induced[h] += induction(alone[h]) * static_cast<double>(repeated[b]);
    }
  }
  const auto together = score_heads(model, tokens);
  REQUIRE(together.size() == 8);
  for (std::size_t h = 0; h < 8; ++h) {
    INFO("head " << h);
    CHECK(together[h].layer == h / 4);
    CHECK(together[h].head == h % 4);
    CHECK(previous_token(together[h]) == Approx(previous[h]).epsilon(1e-6));
    CHECK(induction(together[h]) == Approx(induced[h] / static_cast<double>(queries)).epsilon(1e-6));
  }
}

TEST_CASE("any number of threads gives the same scores", "[interpret]") {
  Rng rng(2);
  const nn::Transformer model({.n_layers = 2, .d_model = 12, .n_heads = 3, .d_vocab = 5, .n_ctx = 9}, rng);
  IntArray tokens = IntArray::from_shape({20, 9});
  for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(rng.below(5));
  const tasks::Batch batch{tokens, tokens, BoolArray({20U, 9U}, true), IntArray::from_shape({0}),
                           IntArray::from_shape({0})};
  ThreadPool pool(3);
  const auto alone = score_heads(model, batch), together = score_heads(model, batch, pool);
  REQUIRE(together.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(together[i].values == alone[i].values);
}

TEST_CASE("the scores of a model are those of its patterns, head by head", "[interpret]") {
  Rng rng(2);
  nn::Transformer model({.n_layers = 2, .d_model = 12, .n_heads = 3, .d_vocab = 5, .n_ctx = 9}, rng);
  const IntArray tokens = random_tokens(4, 9, 5);
  const auto scores = score_heads(model, tokens);
  const CachedRun run = run_with_cache(model, tokens);
  for (const HeadScores& s : scores) {
    const Array& all = run.cache[pattern_name(s.layer)];
    Array one = empty_array({4, 9, 9});
    for (std::size_t b = 0; b < 4; ++b)
      for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0; j < 9; ++j) one(b, i, j) = all(b, s.head, i, j);
    const HeadScores expected = score_pattern(one, tokens);
    CHECK(previous_token(s) == Approx(previous_token(expected)));
    CHECK(duplicate_token(s) == Approx(duplicate_token(expected)));
    CHECK(induction(s) == Approx(induction(expected)));
  }
}

TEST_CASE("the best head of a score, the first of equals", "[interpret]") {
  CHECK(&best_head(kHeads, kPreviousToken) == &kHeads[1]);
  CHECK(&best_head(kHeads, kDuplicateToken) == &kHeads[2]);
  CHECK(&best_head(kHeads, kInduction) == &kHeads[2]);
  CHECK(contains(error_of([] { best_head({}, kInduction); }), "there are no heads"));
}

TEST_CASE("the strongest of a head's scores goes by its name", "[interpret]") {
  const auto name_of = [](double previous, double duplicate, double induced) {
    return std::string(strongest({0, 0, {previous, duplicate, induced}}).name);
  };
  CHECK(name_of(.5, .4, .3) == "previous token");
  CHECK(name_of(.4, .5, .3) == "duplicate token");
  CHECK(name_of(.3, .4, .5) == "induction");
  const HeadScores s{0, 0, {.1, .6, .2}};
  CHECK(s[strongest(s).key] == .6);
}

TEST_CASE("a head is of no known kind below the threshold", "[interpret]") {
  CHECK(known_kind({0, 0, {.1, .49, .2, .3, .1}}) == nullptr);
  REQUIRE(known_kind({0, 0, {.1, .2, .2, .5, .1}}) != nullptr);
  CHECK(std::string(known_kind({0, 0, {.1, .2, .2, .5, .1}})->role) == "self-attention head");
  CHECK(std::string(known_kind({0, 0, {.1, .2, .2, .2, .9}})->role) == "first-token head");
}

// The first query has only itself to look at, and counts for neither.
TEST_CASE("a head that looks at itself, and one that looks at the first token", "[interpret]") {
  const HeadScores s = score_pattern(pattern_of({{1}, {.25, .75}, {.5, .375, .125}}), IntArray{{4, 4, 9}});
  CHECK(s[kSelf] == Approx((.75 + .125) / 2));
  CHECK(s[kFirstToken] == Approx((.25 + .5) / 2));
}

TEST_CASE("what cannot be scored is refused", "[interpret]") {
  const Array square = full_array({1, 3, 3}, 0);
  const IntArray one_token = random_tokens(1, 1, 6);
  CHECK(contains(error_of([&] { score_pattern(square, IntArray{{1, 2, 3}}); }), "no token occurs twice"));
  CHECK(contains(error_of([&] { score_pattern(square, IntArray{{1, 1}}); }), "expected a pattern (B,n,n)"));
  CHECK(contains(error_of([&] {
                   score_pattern(square, IntArray{{1, 1, 1}, {1, 1, 1}});
                 }),
                 "expected a pattern (B,n,n)"));
  CHECK(contains(error_of([&] { score_pattern(full_array({1, 1, 1}, 1), one_token); }), "is too short"));
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    Array pattern = full_array({1, 2, 2}, 0);
    pattern(0, 1, 0) = static_cast<Real>(bad);
    CHECK(contains(error_of([&] { score_pattern(pattern, IntArray{{1, 1}}); }), "is not finite"));
  }
  Rng rng(1);
  nn::Transformer model({.n_layers = 1, .d_model = 8, .n_heads = 2, .d_vocab = 6, .n_ctx = 4}, rng);
  CHECK(contains(error_of([&] { score_heads(model, one_token); }), "expected tokens (B,n), n at least 2"));
  CHECK(contains(error_of([&] { score_heads(model, IntArray{{1, 2, 3, 4}}); }), "no token occurs twice"));
}
