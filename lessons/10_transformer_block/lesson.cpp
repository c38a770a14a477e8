// Lesson 10: the transformer block, models that are made of it, and two that learn to write backwards.
#include <array>
#include <map>
#include <string>
#include <vector>

#include "depth.h"
#include "headlight/core/math.h"
#include "headlight/interpret/hooks.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "reversal.h"

using namespace headlight;
using namespace headlight::lesson;
using nn::Architecture, nn::NormPlace;

// What each part of the model adds to the stream of the last token.
const std::vector<std::pair<std::string, std::string>> kAdded = {{"embedding", "hook_embed"},
                                                                 {"position", "hook_pos_embed"},
                                                                 {"attention 0", "blocks.0.hook_attn_out"},
                                                                 {"MLP 0", "blocks.0.hook_mlp_out"},
                                                                 {"attention 1", "blocks.1.hook_attn_out"},
                                                                 {"MLP 1", "blocks.1.hook_mlp_out"}};

void stream(const Pictures& pictures) {
  section("1. The residual stream");
  nn::TransformerConfig config = causal_config(2);
  config.d_model = 4, config.n_heads = 1, config.d_mlp = 8;
  const nn::Transformer model = model_of(config);
  const interpret::ActivationCache cache = interpret::run_with_cache(model, IntArray{{1, 2, 3}}).cache;
  const auto of_c = [&](const std::string& hook) { return last_row(Tensor(cache[hook])); };
  say("The tokens a b c in a model with d = 4. What is added to the stream of c, one after the other:");
  Tensor total = zeros({4});
  std::vector<NamedVector> parts;
  for (const auto& [name, hook] : kAdded) {
    total = total + of_c(hook);
    parts.push_back({name, of_c(hook)});
  }
  const Tensor end = of_c("blocks.1.hook_resid_post");
  print_vectors(parts);
  print_vectors({{"their sum", total}, {"the stream", end}});
  pictures.write("stream.svg", svg_stream(parts, end));

  say("\nParts in a row, each with the slope 0.1:");
  say("  parts   one after the other   each added to the stream");
  for (double n : {1, 6, 24}) say("  {:>5}   {:<20.1e}  {:.2f}", n, math::power(0.1, n), math::power(1.1, n));
}

// 1 if a and b are both 1, else 0, for x = [a, b].
Tensor both(const Tensor& x) {
  const Tensor W_in = tensor({{1}, {1}}), b_in = tensor({-1});
  const Tensor W_out = tensor({{1}});
  return linear(relu(linear(x, W_in, b_in)), W_out);
}

void two_parts() {
  section("2. Attention moves, the MLP computes");
  Rng rng(2);
  const Tensor x = randn({1, 5, 4}, rng);
  const Tensor moved = x + reshape(tensor({0, 0, 1, 0, 0}), {1, 5, 1});
  const nn::MultiHeadAttention causal({.d_model = 4, .n_heads = 1, .causal = true}, rng);
  const nn::MultiHeadAttention free({.d_model = 4, .n_heads = 1}, rng);
  const nn::MLP mlp(4, 8, rng);
  say("The input changes at position 2 of 5. The output changes at");
  say("  attention, causal      {}", changed(causal(x), causal(moved)));
  say("  attention, no mask     {}", changed(free(x), free(moved)));
  say("  MLP                    {}", changed(mlp(x), mlp(moved)));
  say("\nAn MLP with one hidden unit, relu(a + b - 1):");
  say("  a b   MLP");
  for (const auto& [a, b] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}})
    say("  {} {}   {:.0f}", a, b, both(tensor({{a, b}})).item());
  const Tensor bend = tensor({-3, -1, -0.5, 0, 0.5, 1, 3});
  say("\n  x      {}", to_string(bend, 1));
  say("  relu   {}", to_string(relu(bend), 3));
  say("  gelu   {}", to_string(gelu(bend), 3));
}

void before_the_first_step(const Pictures& pictures) {
  section("3. The norm, before or after");
  pictures.write("norm_places.svg", svg_norm_places());
  say("The length of the gradient of the LAST block's weights, before the first step:");
  say("  blocks          1      2      6     12     24");
  for (const Kind& kind : {kKinds[0], kKinds[1]}) {
    std::vector<double> last;
    for (std::size_t blocks : {1, 2, 6, 12, 24}) last.push_back(gradient_lengths(kind, blocks).back());
    print_numbers(kind.name, last);
  }
  say("\nThe same for each block of a model with 24:");
  say("  block           0      5     11     17     23");
  std::vector<draw::Series> lengths;
  for (const Kind& kind : kKinds) {
    const std::vector<double> each = gradient_lengths(kind, 24);
    print_numbers(kind.name, at(each, {0, 5, 11, 17, 23}));
    if (kind.stream) lengths.push_back(curve(kind.name, each));
  }
  say("\nThe size of the stream behind each block, the root of the mean square:");
  say("  block           0      5     11     17     23");
  for (const Kind& kind : {kKinds[0], kKinds[1]})
    print_numbers(kind.name, at(stream_sizes(kind, 24), {0, 5, 11, 17, 23}));
  pictures.write("gradients.svg", svg_gradients(lengths));
}

void norm_places(const Pictures& pictures) {
  say("\n12 blocks, AdamW at the rate 0.01. The loss at step (guessing: log 8 = 2.08):");
  say("                  0     25     50     75    100   likeness of positions at step 0");
  std::vector<draw::Series> losses;
  for (const Kind& kind : kKinds) {
    const nn::Transformer model = model_of(config_of(kind, 12));
    const nn::Hooks hooks = hooks_of(kind, 12);
    const double alike = likeness(model, hooks);
    std::vector<double> each;
    train(
        model, in_one_row, 0.01, 100, [&](int, double loss) { each.push_back(loss); }, hooks);
    print_numbers(kind.name, at(each, {0, 25, 50, 75, 100}), fmt::format("   {:.2f}", alike));
    losses.push_back(curve(kind.name, each));
  }
  pictures.write("deep.svg", svg_deep(losses));
}

// How many numbers a causal model has: embedding, positions, blocks, final norm, unembedding.
std::size_t counted(const nn::TransformerConfig& c) {
  const std::size_t d = c.d_model;
  const std::size_t block = 4 * d * d + 2 * d * c.d_mlp + 2 * 2 * d;
  return c.d_vocab * d + c.n_ctx * d + c.n_layers * block + 2 * d + d * c.d_vocab;
}

void count() {
  section("4. A model, and its parameters");
  say("      d   d_mlp   blocks       V     by the formula   by Headlight   in MLPs");
  for (const auto& [d, blocks, V] : {std::array<std::size_t, 3>{32, 2, 9}, {64, 4, 100}, {128, 6, 1000}}) {
    nn::TransformerConfig c = causal_config(blocks);
    c.d_model = d, c.d_mlp = 4 * d, c.d_vocab = V;
    const std::size_t all = nn::parameter_count(nn::named_parameters(model_of(c)));
    say("  {:5}   {:5}   {:6}   {:5}   {:16}   {:12}   {:5.0f} %", d, c.d_mlp, blocks, V, counted(c), all,
        100.0 * static_cast<double>(blocks * 2 * d * c.d_mlp) / static_cast<double>(all));
  }
}

void causal() {
  section("5. A causal model");
  Rng words(9);
  const Pairs fresh = pairs(100, words);
  const Batch test = in_one_row(fresh);
  say("The first fresh word:");
  say("  reads     {}", letters(test.tokens, 0, 0, 2 * kLength));
  say("  predicts  · · · · · · {}", letters(fresh.answer, 0, 0, kLength));
  say("\n                  loss at step                            letters right, in %");
  say("                     0     50    100    200    300   given the answer   writing   the first word");
  for (const Architecture architecture : {Architecture::decoder, Architecture::encoder}) {
    const bool masked = architecture == Architecture::decoder;
    nn::TransformerConfig config = causal_config(2);
    config.architecture = architecture;
    const nn::Transformer model = model_of(config);
    std::vector<double> losses;
    train(model, in_one_row, 0.005, 300, [&](int, double loss) { losses.push_back(loss); });
    IntArray own;
    const double writing = percent_written(model, test, &own);
    say("  {:<14} {}   {:16.0f}   {:7.0f}   {}", masked ? "causal mask" : "no mask",
        in_a_row(at(losses, {0, 50, 100, 200, 300})), percent_given(model, test), writing,
        letters(own, 0, kLength, kLength));
    if (!masked)
      say("\nWriting without the mask, each of the six letters right, in %: {}", percents(own, test.targets));
  }
}

void left_out() {
  say("\nWhat is left out, and the loss after 200 steps:");
  std::map<std::string, nn::TransformerConfig> without;
  for (const char* what : {"nothing", "positions", "MLPs", "norms"}) without[what] = causal_config(2);
  without["positions"].positions = "none";
  without["MLPs"].d_mlp = 0, without["MLPs"].mlp = "gelu";
  without["norms"].norm = nn::NormKind::none;
  for (const char* what : {"nothing", "positions", "MLPs", "norms"}) {
    double last = 0;
    train(model_of(without[what]), in_one_row, 0.01, 200, [&](int, double loss) { last = loss; });
    say("  {:<10}  {:.2f}", what, last);
  }
}

nn::TransformerConfig two_stacks() {
  nn::TransformerConfig config = causal_config(1);
  config.architecture = Architecture::encoder_decoder;
  config.n_ctx = config.n_source = 8;
  return config;
}

void encoder_and_decoder(const Pictures& pictures) {
  section("6. Encoder, decoder, cross-attention");
  pictures.write("stacks.svg", svg_stacks());
  const nn::Transformer model = model_of(two_stacks());
  const auto logits = [&](const IntArray& source, const IntArray& tokens) {
    return model(tokens, {}, {.source = source});
  };
  const IntArray source = {{1, 2, 3, 4, 5}}, tokens = {{0, 5, 4, 3}};
  IntArray other_source = source, other_tokens = tokens;
  other_source(0, 4) = 8;
  other_tokens(0, 2) = 8;
  say("source {}, tokens {}. The logits change at the positions", letters(source, 0, 0, 5),
      letters(tokens, 0, 0, 4));
  say("  when the last letter of the source changes {}",
      changed(logits(source, tokens), logits(other_source, tokens)));
  say("  when token 2 changes                       {}",
      changed(logits(source, tokens), logits(source, other_tokens)));
  const interpret::ActivationCache cache =
      interpret::run_with_cache(model, tokens, {}, {}, {.source = source}).cache;
  for (const char* layer : {"encoder.0.attn", "blocks.0.attn", "blocks.0.cross_attn"}) {
    const Array& pattern = cache[std::string(layer) + ".hook_pattern"];
    say("  pattern of {:<20} {}", layer, Shape(pattern.shape()));
  }
  say("  parameters of a block: {} in the encoder, {} in the decoder",
      nn::parameter_count(nn::named_parameters(model.encoder[0])),
      nn::parameter_count(nn::named_parameters(model.blocks[0])));
}

constexpr std::size_t kLong = 8;

// The mean pattern of each head of the cross-attention, (2,8,8).
Tensor cross_patterns(const nn::Transformer& model, const Batch& batch) {
  const std::string name = "blocks.0.cross_attn.hook_pattern";
  const auto wanted = [&](const std::string& hook) { return hook == name; };
  return mean(
      Tensor(
          interpret::run_with_cache(model, batch.tokens, wanted, {}, {.source = batch.source}).cache[name]),
      {0});
}

// The mean weight of the head on the letter that is to be written: query i has its answer at key 7 - i.
double on_answer(const Tensor& patterns, int head) {
  double weight = 0;
  for (std::size_t i = 0; i < kLong; ++i) weight += patterns.array()(head, i, kLong - 1 - i);
  return weight / kLong;
}

void forming(const Pictures& pictures) {
  section("7. The anti-diagonal forms");
  const nn::Transformer model = model_of(two_stacks());
  Rng words(9);
  const Batch test = for_decoder(pairs(100, words, kLong));
  Forming f;
  say("  step    loss   letters right   weight on the answer: head 0   head 1");
  const auto look = [&](int step, double loss) {
    if (step % 5 != 0) return;
    const Tensor patterns = cross_patterns(model, test);
    f.add(step, loss, on_answer(patterns, 0), on_answer(patterns, 1));
    if (step != 0 && step != 20 && step != 40 && step != 60 && step != 100 && step != 200) return;
    f.keep(step, reshape(slice(patterns, 0, 0, 1), {8, 8}).array());
    say("  {:4}   {:5.2f}   {:11.0f} %   {:28.2f}   {:6.2f}", step, loss, percent_given(model, test),
        on_answer(patterns, 0), on_answer(patterns, 1));
  };
  train(model, for_decoder, 0.005, 200, look, {}, kLong);
  say("Writing by itself: {:.0f} % of the letters right.", percent_written(model, test));
  pictures.write("forming.svg", svg_forming(f));
}

int main(int argc, char** argv) {
  return run(argc, argv, "10_transformer_block", [](const Pictures& pictures) {
    say("Lesson 10: the transformer block");
    stream(pictures);
    two_parts();
    before_the_first_step(pictures);
    norm_places(pictures);
    count();
    causal();
    left_out();
    encoder_and_decoder(pictures);
    forming(pictures);
  });
}
