// The attention layers of each architecture, and the scores of their heads.
#include "headlight/interpret/attention_layers.h"

#include "catch.h"
#include "headlight/interpret/hooks.h"
#include "headlight/interpret/patching.h"
#include "headlight/interpret/scores.h"

using namespace headlight;
using namespace headlight::interpret;
using nn::Architecture;

namespace {

nn::TransformerConfig config_of(Architecture architecture) {
  const bool both = architecture == Architecture::encoder_decoder;
  return {.architecture = architecture,
          .n_layers = 2,
          .d_model = 8,
          .n_heads = 2,
          .d_vocab = 9,
          .n_ctx = 4,
          .n_source = both ? 5U : 0U};
}

nn::Transformer model_of(Architecture architecture) {
  Rng rng(3);
  return {config_of(architecture), rng};
}

// Two sequences of 4 tokens with a source of 5; target t is the token of the source at 3 - t.
tasks::Batch reversed() {
  return {IntArray{{0, 5, 4, 3}, {0, 8, 7, 6}}, IntArray{{5, 4, 3, 2}, {8, 7, 6, 2}}, BoolArray({2, 4}, true),
          IntArray{{2, 3, 4, 5, 1}, {2, 6, 7, 8, 1}}, IntArray{{3, 2, 1, 0}, {3, 2, 1, 0}}};
}

}  // namespace

TEST_CASE("each architecture has its attention layers, in one order", "[interpret]") {
  const auto of = [](Architecture architecture) {
    std::vector<std::string> layers;
    for (const AttentionLayer& l : attention_layers(config_of(architecture)))
      layers.push_back(fmt::format("{} {} {}{}{}", names_of(l.stack).key, l.layer, l.pattern,
                                   l.causal ? " causal" : "", l.square() ? "" : " n × m"));
    return layers;
  };
  CHECK(of(Architecture::decoder) == std::vector<std::string>{"self 0 blocks.0.attn.hook_pattern causal",
                                                              "self 1 blocks.1.attn.hook_pattern causal"});
  CHECK(of(Architecture::encoder) ==
        std::vector<std::string>{"self 0 blocks.0.attn.hook_pattern", "self 1 blocks.1.attn.hook_pattern"});
  CHECK(of(Architecture::encoder_decoder) ==
        std::vector<std::string>{
            "self 0 blocks.0.attn.hook_pattern causal", "self 1 blocks.1.attn.hook_pattern causal",
            "encoder 0 encoder.0.attn.hook_pattern", "encoder 1 encoder.1.attn.hook_pattern",
            "cross 0 blocks.0.cross_attn.hook_pattern n × m",
            "cross 1 blocks.1.cross_attn.hook_pattern n × m"});
}

TEST_CASE("a pattern that the list names is an activation of the model", "[interpret]") {
  const tasks::Batch batch = reversed();
  const nn::Transformer model = model_of(Architecture::encoder_decoder);
  const CachedRun run = run_with_cache(model, batch.tokens, {}, {}, {batch.source});
  const std::vector<Shape> expected{{2, 2, 4, 4}, {2, 2, 5, 5}, {2, 2, 4, 5}};
  for (const AttentionLayer& layer : attention_layers(model.config())) {
    INFO(layer.pattern);
    CHECK(run.cache[layer.pattern].shape() == expected[static_cast<std::size_t>(layer.stack)]);
  }
}

TEST_CASE("heads are called by their stack, layer and number", "[interpret]") {
  CHECK(head_code({1, 2}) == "L1H2");
  CHECK(head_words({1, 2}) == "layer 1, head 2");
  CHECK(head_code({0, 1, Stack::encoder}) == "E0H1");
  CHECK(head_words({0, 1, Stack::encoder}) == "layer 0, head 1 of the encoder");
  CHECK(head_code({3, 0, Stack::cross}) == "C3H0");
  CHECK(head_words({3, 0, Stack::cross}) == "layer 3, head 0 of cross-attention");
  CHECK(contains(error_of([] { stacks().find("crss"); }), "Did you mean 'cross'?"));
}

TEST_CASE("a head that a model lacks is refused", "[interpret]") {
  const auto message = [](Architecture architecture, const HeadAt& head) {
    return error_of([&] { layer_of(config_of(architecture), head); });
  };
  CHECK(layer_of(config_of(Architecture::encoder_decoder), {1, 1, Stack::cross}).pattern ==
        "blocks.1.cross_attn.hook_pattern");
  CHECK(message(Architecture::decoder, {2, 0}) == "there is no layer 2: the model has layers 0 … 1.");
  CHECK(message(Architecture::encoder_decoder, {0, 2, Stack::cross}) ==
        "there is no head 2: each layer has heads 0 … 1.");
  CHECK(message(Architecture::encoder, {0, 0, Stack::cross}) ==
        "there are no heads of cross-attention: the model's architecture is 'encoder'. Hint: an "
        "encoder-decoder has them.");
}

TEST_CASE("each head has the scores that are defined for its patterns", "[interpret]") {
  const auto scores = score_heads(model_of(Architecture::encoder_decoder), reversed());
  REQUIRE(scores.size() == 12);
  const auto keys = [](const HeadScores& head) {
    std::vector<std::string> all;
    for (const ScoreKind* kind : measured_kinds({head})) all.emplace_back(kind->key);
    return all;
  };
  using Keys = std::vector<std::string>;
  CHECK(scores[0].at() == HeadAt{0, 0, Stack::self});
  CHECK(keys(scores[0]) == Keys{kPreviousToken, kSelf, kFirstToken});
  CHECK(scores[5].at() == HeadAt{0, 1, Stack::encoder});
  CHECK(keys(scores[5]) == Keys{kPreviousToken, kSelf, kFirstToken});
  CHECK(scores[10].at() == HeadAt{1, 0, Stack::cross});
  CHECK(keys(scores[10]) == Keys{kAnswer, kSamePlace});
  CHECK(by_stack(scores).size() == 3);
  CHECK(contains(error_of([&] { (void)scores[10][kInduction]; }), "head 1.0 has no induction score"));
  CHECK(std::string(score_to_show_first(scores)) == kAnswer);
}

TEST_CASE("answer and same place are means over the cells of the pattern", "[interpret]") {
  const nn::Transformer model = model_of(Architecture::encoder_decoder);
  tasks::Batch batch = reversed();
  batch.answers(1, 3) = -1;  // no copy: not counted
  const Array pattern =
      run_with_cache(model, batch.tokens, {}, {}, {batch.source}).cache["blocks.1.cross_attn.hook_pattern"];
  double answer = 0, same = 0;
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t i = 0; i < 4; ++i) {
      if (b == 0 || i < 3) answer += static_cast<double>(pattern(b, 1, i, 3 - i)) / 7;
      same += static_cast<double>(pattern(b, 1, i, i)) / 8;
    }
  const HeadScores head = score_heads(model, batch)[11];
  CHECK(head[kAnswer] == Approx(answer));
  CHECK(head[kSamePlace] == Approx(same));
}

TEST_CASE("queries without a target count for no score of the stack that predicts", "[interpret]") {
  const nn::Transformer model = model_of(Architecture::encoder_decoder);
  tasks::Batch batch = reversed();
  batch.tokens(0, 3) = batch.tokens(0, 2);  // equal tokens, which fill up
  CHECK(score_heads(model, batch)[0].has(kInduction));
  batch.targets(0, 3) = tasks::kNoTarget;
  const auto scores = score_heads(model, batch);
  CHECK_FALSE(scores[0].has(kInduction));
  batch.source(0, 4) = batch.source(0, 3);
  CHECK(scores[4][kSelf] != score_heads(model, batch)[4][kSelf]);
}

TEST_CASE("without a source the answers are keys of the tokens themselves", "[interpret]") {
  const nn::Transformer model = model_of(Architecture::decoder);
  tasks::Batch batch = reversed();
  batch.source = IntArray::from_shape({0});
  batch.answers = IntArray{{-1, 0, 1, 2}, {-1, 0, 1, 2}};
  const auto scores = score_heads(model, batch);
  REQUIRE(scores.size() == 4);
  CHECK(scores[2][kAnswer] == Approx(scores[2][kPreviousToken]));
  CHECK_FALSE(scores[2].has(kSamePlace));
}

TEST_CASE("each stack and each input of a head goes by its own words", "[interpret]") {
  const StackNames &self = names_of(Stack::self), &encoder = names_of(Stack::encoder),
                   &cross = names_of(Stack::cross);
  CHECK(std::string(self.title) == "Decoder: from the tokens to themselves");
  CHECK(std::string(encoder.title) == "Encoder: from the source to itself");
  CHECK(std::string(cross.title) == "Cross-attention: from the tokens to the source");
  CHECK(head_code({2, 3, Stack::self}) + head_code({2, 3, Stack::encoder}) +
            head_code({2, 3, Stack::cross}) ==
        "L2H3E2H3C2H3");
  CHECK(head_words({2, 3, Stack::self}) == "layer 2, head 3");
  CHECK(head_words({2, 3, Stack::encoder}) == "layer 2, head 3 of the encoder");
  for (const auto& [input, code, help] : {std::tuple{HeadInput::queries, "L1H0.q", "what a head looks for"},
                                          {HeadInput::keys, "L1H0.k", "what a head finds tokens by"},
                                          {HeadInput::values, "L1H0.v", "what a head carries"}}) {
    CHECK(receiver_code({{1, 0}, input}) == code);
    for (const auto& entry : head_inputs().entries())
      if (entry.thing == input) CHECK(entry.help == help);
  }
}
