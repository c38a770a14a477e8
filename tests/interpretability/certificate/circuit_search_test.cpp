// How the heads of a certificate are chosen: the limits that decide.
#include "certificate/circuit_search.h"

#include "catch.h"
#include "certificate/certificate_claims.h"
#include "headlight/nn/by_hand.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

constexpr std::size_t kChosen = 32, kWide = 2 * kChosen;  // vocabulary and context; a head's width

tasks::Task chosen_task() { return tasks::make_task({.d_vocab = kChosen, .n_ctx = kChosen}); }

// Two heads of layer 1 look at followers as sharply as is said; only the first copies.
nn::Transformer two_lookers(double first, double second) {
  nn::Transformer model = nn::induction_by_hand({.d_vocab = kChosen, .n_ctx = kChosen, .n_heads = 2});
  nn::MultiHeadAttention& attn = model.blocks[1].attn;
  for (Tensor* W : {&attn.W_Q, &attn.W_K})
    for (std::size_t i = 0; i < W->length(0); ++i)
      for (std::size_t j = 0; j < kWide; ++j) W->mutable_array()(i, kWide + j) = W->array()(i, j);
  for (std::size_t i = 0; i < attn.W_Q.length(0); ++i)
    for (std::size_t j = 0; j < 2 * kWide; ++j)
      attn.W_Q.mutable_array()(i, j) *= static_cast<Real>(j < kWide ? first : second);
  return model;
}

}  // namespace

TEST_CASE(
    "induction heads are chosen by a lift of 0.2 and by copying, or the closest, or the best that copies",
    "[interpret][certificate]") {
  struct Case {
    double first, second;
    HeadSet expected;
    double low, high;  // where the second head's lift lies
  };
  const Case cases[] = {{0, 0.044, {{1, 1}}, 0.2, 0.35},
                        {0, 0.03, {{1, 1}}, 0.06, 0.19},
                        {0, 0.012, {{1, 0}}, 0.001, 0.049},
                        {0.05, 0.07, {{1, 0}}, 0.2, 0.6},
                        {0.03, 0.044, {{1, 1}}, 0.2, 0.35}};
  ThreadPool pool(1);
  for (const Case& c : cases) {
    const nn::Transformer model = two_lookers(c.first, c.second);
    const tasks::Task task = chosen_task();
    const CertificateMeasurements measured(model, task, 8, Rng(3));
    const Looks random = measured.looks_at_random({{1, 1}}), own = measured.looks_at_own({{1, 1}});
    const double lift = std::max(random.lift(0), own.lift(0));
    CAPTURE(c.second, lift);
    REQUIRE((lift > c.low && lift < c.high));
    Certificate certificate;
    choose_heads(certificate, measured, pool);
    CHECK(certificate.induction_heads == c.expected);
    // Earlier heads are asked for where the matching is there.
    CHECK(certificate.previous_token_heads == (lift >= 0.2 ? HeadSet{{0, 0}} : HeadSet{}));
  }
}

TEST_CASE("the best of candidates is the first with the largest value", "[interpret][certificate]") {
  ThreadPool pool(1);
  const HeadSet candidates{{0, 0}, {0, 1}, {1, 0}};
  CHECK(best_of(candidates, pool, [](const HeadAt& head) { return head.layer == 0 ? 2.0 : 1.0; }) ==
        HeadAt{0, 0});
  CHECK(best_of(candidates, pool, [](const HeadAt& head) { return static_cast<double>(head.layer); }) ==
        HeadAt{1, 0});
  CHECK(earlier_heads({{0, 0}, {1, 0}, {1, 1}, {2, 0}}, {{1, 0}, {2, 0}}) == HeadSet{{0, 0}, {1, 0}, {1, 1}});
  CHECK(earlier_heads({{0, 0}, {0, 1}}, {{0, 1}}).empty());
}

TEST_CASE("a head that looks at a token is not said to look at the token's position",
          "[interpret][certificate]") {
  const nn::StreamByHand stream = nn::stream_by_hand({.d_vocab = kChosen, .n_ctx = kChosen});
  const tasks::Task fixed = tasks::make_task({.name = "copy",
                                              .d_vocab = kChosen,
                                              .n_ctx = kChosen,
                                              .max_segment = 8,
                                              .fixed_offset = true}),
                    random = tasks::make_task({.name = "copy", .d_vocab = kChosen, .n_ctx = kChosen});
  // Every query of L0H1 looks where this number of the stream is 1.
  const auto looks = [&](const tasks::Task& task, std::size_t number) {
    nn::Transformer model = nn::induction_by_hand({.d_vocab = kChosen, .n_ctx = kChosen, .n_heads = 2});
    nn::MultiHeadAttention& attn = model.blocks[0].attn;
    for (std::size_t i = 0; i < kChosen; ++i)
      attn.W_Q.mutable_array()(stream.position.first + i, kWide) = 1000;
    attn.W_K.mutable_array()(number, kWide) = 1;
    return needed_heads({{0, 1}}, CertificateMeasurements(model, task, 8, Rng(3)), model).at(0);
  };
  const std::size_t separator = stream.token.first, position = stream.position.first;
  CHECK(looks(fixed, separator).looks == "at position 8, where \"|\" always stands");
  CHECK(looks(fixed, position + 8).looks == "at position 8, where \"|\" always stands");
  CHECK(looks(fixed, position + 3).looks == "at position 3");
  CHECK(looks(random, position + 3).looks == "at position 3");
  CHECK(looks(random, separator).looks == "at \"|\"");
  CHECK(looks(random, separator).weight == Approx(1));
}

TEST_CASE("a head that does a helper's work as well is named", "[interpret][certificate]") {
  nn::Transformer model = nn::induction_by_hand({.d_vocab = kChosen, .n_ctx = kChosen, .n_heads = 2});
  nn::MultiHeadAttention& attn = model.blocks[0].attn;
  for (Tensor* W : {&attn.W_Q, &attn.W_K, &attn.W_V})
    for (std::size_t i = 0; i < W->length(0); ++i)
      for (std::size_t j = 0; j < kWide; ++j) W->mutable_array()(i, kWide + j) = W->array()(i, j);
  for (std::size_t i = 0; i < kWide; ++i)
    for (std::size_t j = 0; j < attn.W_O.length(1); ++j)
      attn.W_O.mutable_array()(kWide + i, j) = attn.W_O.array()(i, j);
  const tasks::Task task = chosen_task();
  Certificate c;
  c.induction_heads = {{1, 0}}, c.helpers = {{0, 0}};
  examine(c, CertificateMeasurements(model, task, 8, Rng(3)));
  CHECK(c.claim(kSufficiency).standing == Standing::holds);
  REQUIRE(c.stand_ins.size() == 1);
  CHECK(c.stand_ins[0].head == HeadAt{0, 1});
  CHECK(c.stand_ins[0].replaces == c.helpers);
  CHECK(c.stand_ins[0].accuracy == 1);
}

TEST_CASE("a certificate tries every set of heads, if it is asked to", "[interpret][certificate]") {
  const nn::Transformer model = nn::induction_by_hand({.d_vocab = kChosen, .n_ctx = kChosen, .n_heads = 2});
  ThreadPool pool(1);
  CHECK(!certify(model, chosen_task(), Rng(3), pool).all_sets);
  const Certificate c = certify(model, chosen_task(), Rng(3), pool, {.all_sets = true});
  REQUIRE(c.all_sets);
  const HeadSet both{{0, 0}, {1, 0}};  // the other heads are blank
  CHECK(c.all_sets->sets == 16);
  CHECK(c.all_sets->enough == 4);
  CHECK(c.all_sets->minimal == 1);
  CHECK(c.all_sets->smallest == both);
  CHECK(c.all_sets->smaller == 0);
}
