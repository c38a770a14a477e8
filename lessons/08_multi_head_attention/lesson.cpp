// Lesson 8: attention with several heads. Split, attend, concatenate, project.
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "headlight/core/rng.h"
#include "headlight/nn/attention.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "trained.h"

using namespace headlight;
using namespace headlight::lesson;

void one_mean() {
  section("1. One head reads one mean");
  const Tensor half = tensor({{0.5, 0.5, 0}}), first = tensor({{1, 0, 0}}), second = tensor({{0, 1, 0}});
  say("  values         weights ½ ½ 0    weights 1 0 0 and 0 1 0");
  for (const Tensor& values : {tensor({10, 20, 60}), tensor({20, 10, 60}), tensor({0, 30, 60})})
    say("  {:<14} {:<16} {} and {}", written(values), written(matmul(half, values)),
        written(matmul(first, values)), written(matmul(second, values)));
}

// What one head owns: narrow matrices, cut from those of the layer.
struct Head {
  Tensor W_Q, W_K, W_V;  // (d,d_head)
  Tensor W_O;            // (d_head,d)
};

Head head_of(const nn::MultiHeadAttention& layer, std::size_t i) {
  const int width = static_cast<int>(*layer.config().d_head), from = static_cast<int>(i) * width,
            to = from + width;
  return {slice(layer.W_Q, 1, from, to), slice(layer.W_K, 1, from, to), slice(layer.W_V, 1, from, to),
          slice(layer.W_O, 0, from, to)};
}

// What a head finds for each token: x (n,d) → (n,d_head)
Tensor z_of(const Head& head, const Tensor& x) {
  return scaled_dot_product_attention(matmul(x, head.W_Q), matmul(x, head.W_K), matmul(x, head.W_V));
}

// The z of all heads side by side, (n,d).
Tensor concatenated(const nn::MultiHeadAttention& layer, const Tensor& x) {
  std::vector<Tensor> z;
  for (std::size_t i = 0; i < layer.config().n_heads; ++i) z.push_back(z_of(head_of(layer, i), x));
  return concat(z, 1);
}

// The output as a sum of what each head adds.
Tensor added(const nn::MultiHeadAttention& layer, const Tensor& x) {
  Tensor output = zeros(x.shape());
  for (std::size_t i = 0; i < layer.config().n_heads; ++i) {
    const Head head = head_of(layer, i);
    output = output + matmul(z_of(head, x), head.W_O);
  }
  return output;
}

// Headlight's layer on one sequence, (n,d) → (n,d).
Tensor by_headlight(const nn::MultiHeadAttention& layer, const Tensor& x) {
  return reshape_to(layer(reshape_to(x, {1, x.length(0), x.length(1)})), x.shape());
}

void split_attend_project(const Pictures& pictures) {
  section("2. Split, attend, put side by side, project");
  Rng rng(8);
  const nn::MultiHeadAttention layer({.d_model = 6, .n_heads = 2}, rng);
  const Tensor x = randn({4, 6}, rng);
  const Head head = head_of(layer, 0);
  const Tensor q = matmul(x, head.W_Q), k = matmul(x, head.W_K), z = concatenated(layer, x);
  const Tensor output = matmul(z, layer.W_O), sum = added(layer, x), wanted = by_headlight(layer, x);
  print_shapes({{"x", x},
                {"W_Q, W_K, W_V of a head", head.W_Q},
                {"queries, keys, values", q},
                {"pattern of a head", reference::attention_scores(q, k)},
                {"z of a head", z_of(head, x)},
                {"z of both, side by side", z},
                {"W_O", layer.W_O},
                {"output", output}});
  say("The output for the first token:");
  say("  z side by side, times W_O    {}", first_row(output));
  say("  what each head adds, added   {}", first_row(sum));
  say("  Headlight's layer            {}", first_row(wanted));
  say("Equal but for rounding, for all tokens? {} and {}", yes(equal_but_for_rounding(output, wanted)),
      yes(equal_but_for_rounding(sum, wanted)));
  pictures.write("sum_of_heads.svg", svg_sum_of_heads());
}

// The tokens whose output moves when one number of token t is changed.
std::string moved_by(int t, const Tensor& x, const std::function<Tensor(const Tensor&)>& layer) {
  Array changed = x.array();
  changed(t, 0) += 1;
  const Tensor moved = max(abs(layer(Tensor(changed)) - layer(x)), {1});
  std::string tokens;
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (moved.array()(i) > 1e-6) tokens += fmt::format(" {}", i);
  return tokens;
}

// The layer with its queries, keys and values cut into heads by a reshape alone, x (n,d) → (n,d).
Tensor cut_by_reshape(const nn::MultiHeadAttention& layer, const Tensor& x) {
  const int n_heads = static_cast<int>(layer.config().n_heads), n = static_cast<int>(x.length(0));
  const auto heads = [&](const Tensor& W) { return reshape(matmul(x, W), {n_heads, n, -1}); };
  const Tensor z = scaled_dot_product_attention(heads(layer.W_Q), heads(layer.W_K), heads(layer.W_V));
  return matmul(reshape_to(z, x.shape()), layer.W_O);
}

void reshape_is_no_split(const Pictures& pictures) {
  section("3. A reshape is not a split");
  const Tensor x = tensor({{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}});
  const Tensor by_columns = stack({slice(x, 1, 0, 2), slice(x, 1, 2, 4)});
  const Tensor by_reshape = reshape(x, {2, 3, 2});
  pictures.write("reshape.svg", svg_cuts(x, by_columns, by_reshape));
  say("What reshape makes of head 0:");
  show(to_string(slice(by_reshape, 0, 0, 1), 0));

  Rng rng(8);
  const nn::MultiHeadAttention layer({.d_model = 6, .n_heads = 2}, rng);
  const Tensor tokens = randn({4, 6}, rng);
  const auto right = [&](const Tensor& in) { return by_headlight(layer, in); };
  const auto wrong = [&](const Tensor& in) { return cut_by_reshape(layer, in); };
  say("Which outputs move when one number of a token is changed:");
  say("                      split by columns    by a reshape alone");
  say("  the first token     {:<18} {}", moved_by(0, tokens, right), moved_by(0, tokens, wrong));
  say("  the last token      {:<18} {}", moved_by(3, tokens, right), moved_by(3, tokens, wrong));
}

std::size_t numbers_in(const nn::MultiHeadAttention& layer) {
  return nn::parameter_count(nn::named_parameters(layer));
}

void parameters_and_heads() {
  section("4. Parameters: the same for every number of heads");
  Rng rng(8);
  const Tensor x = randn({4, 6}, rng);
  const nn::MultiHeadAttention layer({.d_model = 6, .n_heads = 2}, rng);
  const Tensor W_QKV = concat({layer.W_Q, layer.W_K, layer.W_V}, 1), all = matmul(x, W_QKV);
  say("x W_QKV is {} times {} → {}.", x.shape(), W_QKV.shape(), all.shape());
  say("Its columns 0 to 5 are x W_Q, 6 to 11 x W_K, 12 to 17 x W_V? {}",
      yes(equal_but_for_rounding(slice(all, 1, 0, 6), matmul(x, layer.W_Q)) &&
          equal_but_for_rounding(slice(all, 1, 6, 12), matmul(x, layer.W_K)) &&
          equal_but_for_rounding(slice(all, 1, 12, 18), matmul(x, layer.W_V))));

  say("\nNumbers in a layer of width 512:");
  say("  heads    d_head = 512 / heads    d_head = 64    3·h·d·64 + h·d·d");
  for (std::size_t h : {1, 2, 4, 8, 16}) {
    const nn::MultiHeadAttention divided({.d_model = 512, .n_heads = h}, rng);
    const nn::MultiHeadAttention fixed({.d_model = 512, .n_heads = h, .d_head = 64}, rng);
    say("  {:>5}    {:>10} of {:>3} each    {:>11}    {:>16}", h, numbers_in(divided),
        *divided.config().d_head, numbers_in(fixed), 3 * h * 512 * 64 + h * 512 * 512);
  }
  say("\n10 tokens, 8 heads of width 64 side by side, times a W_O of 8·512 rows:");
  show_refusal([] { matmul(zeros({10, 8 * 64}), zeros({8 * 512, 512})); });
}

// What an attention layer computes and holds, counted while it runs.
struct Cost {
  std::size_t multiply_adds = 0, weights = 0;

  Tensor product(const Tensor& x, const Tensor& y) {
    multiply_adds += x.length(0) * x.length(1) * y.length(1);
    return matmul(x, y);
  }
};

Cost cost_of(std::size_t n, std::size_t h) {
  Rng rng(8);
  const nn::MultiHeadAttention layer({.d_model = 64, .n_heads = h}, rng);
  const Tensor x = randn({n, 64}, rng);
  Cost cost;
  std::vector<Tensor> z;
  for (std::size_t i = 0; i < h; ++i) {
    const Head head = head_of(layer, i);
    const Tensor q = cost.product(x, head.W_Q), k = cost.product(x, head.W_K), v = cost.product(x, head.W_V);
    const Tensor pattern = softmax(cost.product(q, transpose(k)) / sqrt(Tensor(q.length(1))));
    cost.weights += pattern.size();
    z.push_back(cost.product(pattern, v));
  }
  cost.product(concat(z, 1), layer.W_O);
  return cost;
}

void cost(const Pictures& pictures) {
  section("5. Cost: the same work, more patterns");
  say("A layer of width 64:");
  say("  tokens   heads   multiply-adds   weights in the patterns");
  std::vector<double> heads, weights, multiply_adds;
  for (std::size_t n : {64, 128})
    for (std::size_t h : {1, 2, 4, 8, 16}) {
      const Cost c = cost_of(n, h);
      say("  {:>6}   {:>5}   {:>13}   {:>23}", n, h, c.multiply_adds, c.weights);
      if (n == 64) continue;
      heads.push_back(static_cast<double>(h));
      weights.push_back(static_cast<double>(c.weights));
      multiply_adds.push_back(static_cast<double>(c.multiply_adds));
    }
  pictures.write("cost.svg", svg_cost(heads, weights, multiply_adds));
}

// Heads of width w, copied side by side in this order.
Tensor of_heads(const Tensor& W, const std::vector<int>& heads, int w) {
  std::vector<Tensor> columns;
  for (int i : heads) columns.push_back(slice(W, 1, w * i, w * i + w));
  return concat(columns, 1);
}

void shared_keys_and_values(const Pictures& pictures) {
  section("6. Heads that share keys and values");
  say("A layer of width 64 with 8 heads of queries:");
  say("  heads of keys and values   numbers in W_K and W_V   kept for each token");
  for (std::size_t g : {8, 4, 2, 1}) {
    Rng rng(8);
    const nn::MultiHeadAttention layer({.d_model = 64, .n_heads = 8, .n_kv_heads = g}, rng);
    say("  {:>24}   {:>22}   {:>19}", g, layer.W_K.size() + layer.W_V.size(),
        layer.W_K.length(1) + layer.W_V.length(1));
  }
  Rng rng(8);
  const nn::MultiHeadAttention grouped({.d_model = 8, .n_heads = 4, .n_kv_heads = 2}, rng);
  nn::MultiHeadAttention full({.d_model = 8, .n_heads = 4}, rng);
  const Tensor x = randn({5, 8}, rng), wanted = by_headlight(grouped, x);
  full.W_Q = grouped.W_Q, full.W_O = grouped.W_O;
  say("\n4 heads of queries, 2 of keys and values, against a layer with 4 of each:");
  for (const std::vector<int>& heads : {std::vector{0, 0, 1, 1}, std::vector{0, 1, 0, 1}}) {
    full.W_K = of_heads(grouped.W_K, heads, 2), full.W_V = of_heads(grouped.W_V, heads, 2);
    say("  with the heads {} copied   equal? {}", fmt::join(heads, " "),
        yes(equal_but_for_rounding(by_headlight(full, x), wanted)));
  }
  pictures.write("sharing.svg", svg_sharing());
}

// A token as a vector: which letter of "ABCD" it is (4 numbers), and which position it has (4 numbers).
Tensor tokens_of(const std::string& letters) {
  Array x = full_array({1, letters.size(), 8}, 0);
  for (std::size_t i = 0; i < letters.size(); ++i) x(0, i, letters[i] - 'A') = x(0, i, 4 + i) = 1;
  return Tensor(x);
}

void cross_attention(const Pictures& pictures) {
  section("7. Cross-attention");
  Rng rng(8);
  nn::MultiHeadAttention layer({.d_model = 8, .n_heads = 2}, rng);
  Array eye = full_array({8, 8}, 0);
  for (std::size_t i = 0; i < 8; ++i) eye(i, i) = 1;
  layer.W_K = layer.W_V = layer.W_O = Tensor(eye);
  layer.W_Q = layer.W_K * (2 * std::log(7));  // √d_head is 2: equal tokens get the score log 7, others 0
  const Tensor x = tokens_of("DCA"), source = tokens_of("BADC");
  Tensor pattern;
  const nn::Hooks keep{{"hook_pattern", [&](const Tensor& p) { return pattern = p, Tensor(); }}};
  const Tensor y = layer(x, source, source, {}, keep);
  say("x {} reads from a source {}: patterns {}, output {}", x.shape(), source.shape(), pattern.shape(),
      y.shape());
  for (int head : {0, 1}) {
    say("head {}, queries D C A, keys B A D C:", head);
    show(to_string(reshape(slice(pattern, 1, head, head + 1), {3, 4}), 1));
  }
  pictures.write("cross.svg", svg_cross(pattern));
}

void trained_heads(const Pictures& pictures) {
  section("8. The heads of a trained model");
  const TrainedModel t = trained_model(90, 1000);
  say("In 1000 steps the loss falls from {:.1f} to {:.1f}.", t.first_loss, t.last_loss);
  say("Mean weight on each kind of key, on sequences that repeat:");
  const std::vector<interpret::HeadScores> heads = scores_of(t);
  print_scores(heads);
  pictures.write("trained.svg", svg_heads(t, heads));
}

int main(int argc, char** argv) {
  return run(argc, argv, "08_multi_head_attention", [](const Pictures& pictures) {
    say("Lesson 8: multi-head attention");
    one_mean();
    split_attend_project(pictures);
    reshape_is_no_split(pictures);
    parameters_and_heads();
    cost(pictures);
    shared_keys_and_values(pictures);
    cross_attention(pictures);
    trained_heads(pictures);
  });
}
