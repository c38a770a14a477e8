// Lesson 9: the backward pass of attention, by hand, and the ledger that checks it.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "layer.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"

using namespace headlight;
using namespace headlight::lesson;

void what_there_is_to_derive() {
  section("1. What there is to derive");
  const Example e;
  say("Two queries and three keys: the pattern P, the result Z = P V and its cotangent dZ.");
  show_matrix("P", e.pattern(), 2);
  show_matrix("Z", matmul(e.pattern(), e.V), 0);
  show_matrix("dZ", e.dZ, 0);
}

// Z = P V: number V[j,c] stands in Z[i,c] beside P[i,j], in every row i.
ValuesBack values_by_hand(const Array& dZ, const Array& P, const Array& V) {
  Array dV = zeros_like(V), dP = zeros_like(P);
  for (std::size_t i = 0; i < rows(P); ++i)
    for (std::size_t j = 0; j < columns(P); ++j)
      for (std::size_t c = 0; c < columns(V); ++c) {
        dV(j, c) += P(i, j) * dZ(i, c);
        dP(i, j) += dZ(i, c) * V(j, c);
      }
  return {dV, dP};
}

void back_to_values(const Pictures& pictures) {
  section("2. Back to the values and the pattern");
  const Example e;
  const Tensor P = e.pattern(), Z = matmul(P, e.V);
  const Tensor by_V = matmul(P, raised(e.V, 1, 1)) - Z, by_P = matmul(raised(P, 2, 1), e.V) - Z;
  say("Raise V[0,1] by 1: Z moves by {}, the loss by {:.2f}.", numbers(by_V, 2), dot(e.dZ, by_V));
  say("Raise P[0,2] by 1: Z moves by {}, the loss by {:.2f}.", numbers(by_P, 2), dot(e.dZ, by_P));
  const auto [dV, dP] = values_by_hand(e.dZ.array(), P.array(), e.V.array());
  show_matrix("dV", Tensor(dV), 2);
  show_matrix("dP", Tensor(dP), 0);
  pictures.write("values.svg", svg_values());
}

// Σ_k a[i,k] b[i,k] for each row i.
std::vector<double> row_sums(const Array& a, const Array& b) {
  std::vector<double> sums(rows(a), 0);
  for (std::size_t i = 0; i < rows(a); ++i)
    for (std::size_t k = 0; k < columns(a); ++k) sums[i] += a(i, k) * b(i, k);
  return sums;
}

// P = softmax(S) in each row: S[i,j] moves all weights of row i. row_sum[i] is that of P ⊙ dP.
Array softmax_by_hand(const Array& dP, const Array& P, const std::vector<double>& row_sum) {
  Array dS = zeros_like(P);
  for (std::size_t i = 0; i < rows(P); ++i)
    for (std::size_t j = 0; j < columns(P); ++j) dS(i, j) = P(i, j) * (dP(i, j) - row_sum[i]);
  return dS;
}

void back_through_softmax(const Pictures& pictures) {
  section("3. Back through the softmax");
  const Example e;
  const Tensor S = e.scores();
  constexpr double h = 1e-4;
  const Tensor rates = (softmax(raised(S, 0, h)) - softmax(raised(S, 0, -h))) / (2 * h);
  say("Raise S[0,0]. The rates of row 0 of P: {}. Of the loss: {:.4f}.", numbers(slice(rates, 0, 0, 1), 4),
      dot(e.dZ, matmul(rates, e.V)));
  const Array P = e.pattern().array(), dP = values_by_hand(e.dZ.array(), P, e.V.array()).dP;
  const std::vector<double> sums = row_sums(P, dP);
  const Array dS = softmax_by_hand(dP, P, sums);
  say("The row sums of P ⊙ dP: {}.   The row sums of dS: {}.", numbers(sums, 1),
      numbers(sum(Tensor(dS), {1}), 0));
  show_matrix("dS", Tensor(dS), 2);
  pictures.write("softmax.svg", svg_softmax(dP, sums, P, dS));
}

// S = Q Kᵀ/√d_k: number Q[i,c] stands in S[i,j] beside K[j,c], for every key j.
ScoresBack scores_by_hand(const Array& dS, const Array& Q, const Array& K) {
  const double scale = 1 / std::sqrt(static_cast<double>(columns(Q)));
  Array dQ = zeros_like(Q), dK = zeros_like(K);
  for (std::size_t i = 0; i < rows(Q); ++i)
    for (std::size_t j = 0; j < rows(K); ++j)
      for (std::size_t c = 0; c < columns(Q); ++c) {
        dQ(i, c) += scale * dS(i, j) * K(j, c);
        dK(j, c) += scale * dS(i, j) * Q(i, c);
      }
  return {dQ, dK};
}

// Sections 2 to 4 in turn: the backward pass of one head.
HeadBack head_by_hand(const Array& dZ, const Array& P, const Array& Q, const Array& K, const Array& V) {
  const auto [dV, dP] = values_by_hand(dZ, P, V);
  const Array dS = softmax_by_hand(dP, P, row_sums(P, dP));
  const auto [dQ, dK] = scores_by_hand(dS, Q, K);
  return {dV, dP, dS, dQ, dK};
}

HeadBack of_example(const Example& e) {
  return head_by_hand(e.dZ.array(), e.pattern().array(), e.Q.array(), e.K.array(), e.V.array());
}

void back_to_queries_and_keys(const Pictures& pictures) {
  section("4. Back to queries and keys");
  const Example e;
  const HeadBack d = of_example(e);
  show_matrix("Q", e.Q, 3);
  show_matrix("K", e.K, 0);
  show_matrix("dQ", Tensor(d.dQ), 3);
  show_matrix("dK", Tensor(d.dK), 3);
  say("The sum of all rows of dK: {}", numbers(sum(Tensor(d.dK), {0}), 0));
  pictures.write("scores.svg", svg_scores());
}

// Y = X W for each sequence b of a batch: W[p,c] is used for every token of every sequence.
ProjectionBack projection_by_hand(const Tensor& to_Y, const Tensor& of_X, const Tensor& of_W) {
  const Array &dY = to_Y.array(), &X = of_X.array(), &W = of_W.array();
  Array dX = zeros_like(X), dW = zeros_like(W);
  for (std::size_t b = 0; b < X.shape()[0]; ++b)
    for (std::size_t i = 0; i < X.shape()[1]; ++i)
      for (std::size_t p = 0; p < rows(W); ++p)
        for (std::size_t c = 0; c < columns(W); ++c) {
          dW(p, c) += X(b, i, p) * dY(b, i, c);
          dX(b, i, p) += dY(b, i, c) * W(p, c);
        }
  return {Tensor(dX), Tensor(dW)};
}

// The backward pass of the whole layer, from dY to X. Section 6 puts slips in the place of its steps.
using HeadStep = std::function<decltype(head_by_hand)>;
using ProjectionStep = std::function<decltype(projection_by_hand)>;

Named layer_by_hand(const Named& pass, const Tensor& dY, const HeadStep& head = head_by_hand,
                    const ProjectionStep& projection = projection_by_hand) {
  const auto [dZ, dW_O] = projection(dY, pass.at("Z"), pass.at("W_O"));
  Named d = for_each_head(pass, dZ, head);
  const auto [by_Q, dW_Q] = projection(d.at("Q"), pass.at("X"), pass.at("W_Q"));
  const auto [by_K, dW_K] = projection(d.at("K"), pass.at("X"), pass.at("W_K"));
  const auto [by_V, dW_V] = projection(d.at("V"), pass.at("X"), pass.at("W_V"));
  d["W_O"] = dW_O, d["W_Q"] = dW_Q, d["W_K"] = dW_K, d["W_V"] = dW_V;
  d["X"] = by_Q + by_K + by_V;
  return d;
}

void back_through_projections(const Pictures& pictures) {
  section("5. Back through the projections");
  const Tensor X = tensor({{{1, 2}}, {{3, 1}}}), dQ = tensor({{{1, 0}}, {{0, 10}}});
  say("Two sequences of one token, X = [[[1, 2]], [[3, 1]]] and dQ = [[[1, 0]], [[0, 10]]]:");
  show_matrix("dW_Q", projection_by_hand(dQ, X, zeros({2, 2})).dW, 0);

  const Layer layer;
  const Named pass = attend(layer.in, layer.heads), d = layer_by_hand(pass, layer.dY);
  const auto token_1 = [](const Tensor& x) { return numbers(slice(slice(x, 0, 0, 1), 1, 1, 2), 3); };
  say("\nThe cotangent of token 1 of sequence 0, in a layer with two heads:");
  Tensor total = zeros({2, 3, 4});
  for (const char* name : {"Q", "K", "V"}) {
    const Tensor way = projection_by_hand(d.at(name), pass.at("X"), pass.at("W_" + std::string(name))).dX;
    say("  by {}       {}", name, token_1(way));
    total = total + way;
  }
  say("  the sum    {}", token_1(total));
  say("  the tape   {}", token_1(grad(pass.at("Y"), {layer.in.at("X")}, {.cotangent = layer.dY})[0]));
  pictures.write("projections.svg", svg_projections());
}

// The backward pass with one slip in it, of which there are six.
std::vector<std::pair<std::string, Named>> with_slips(const Named& pass, const Tensor& dY) {
  Named unmasked = pass;
  unmasked["P"] = softmax(pass.at("S"));
  const HeadStep no_row_sum = [](const Array& dZ, const Array& P, const Array& Q, const Array& K,
                                 const Array& V) {
    const auto [dV, dP] = values_by_hand(dZ, P, V);
    const Array dS = softmax_by_hand(dP, P, std::vector<double>(rows(P), 0));
    const auto [dQ, dK] = scores_by_hand(dS, Q, K);
    return HeadBack{dV, dP, dS, dQ, dK};
  };
  const HeadStep no_scale = [](const Array& dZ, const Array& P, const Array& Q, const Array& K,
                               const Array& V) {
    HeadBack d = head_by_hand(dZ, P, Q, K, V);
    d.dQ *= std::sqrt(columns(Q)), d.dK *= std::sqrt(columns(Q));
    return d;
  };
  const HeadStep not_transposed = [](const Array& dZ, const Array& P, const Array& Q, const Array& K,
                                     const Array& V) {
    HeadBack d = head_by_hand(dZ, P, Q, K, V);
    d.dK = scores_by_hand(transpose(Tensor(d.dS)).array(), Q, K).dK;
    return d;
  };
  const ProjectionStep last_sequence = [](const Tensor& to_Y, const Tensor& X, const Tensor& W) {
    return ProjectionBack{projection_by_hand(to_Y, X, W).dX,
                          projection_by_hand(slice(to_Y, 0, -1), slice(X, 0, -1), W).dW};
  };
  Named queries_only = layer_by_hand(pass, dY);
  queries_only["X"] = projection_by_hand(queries_only.at("Q"), pass.at("X"), pass.at("W_Q")).dX;
  return {{"the mask forgotten", layer_by_hand(unmasked, dY)},
          {"the row-sum term left out", layer_by_hand(pass, dY, no_row_sum)},
          {"1/√d_k left out", layer_by_hand(pass, dY, no_scale)},
          {"dS for dSᵀ", layer_by_hand(pass, dY, not_transposed)},
          {"only the last sequence", layer_by_hand(pass, dY, head_by_hand, last_sequence)},
          {"dX by the queries alone", queries_only}};
}

const std::vector<LedgerRow> kLedger = {{"W_O", "Zᵀ dY"},     {"V", "Pᵀ dZ"},
                                        {"P", "dZ Vᵀ"},       {"S", "P ⊙ (dP - rowsum(P ⊙ dP))"},
                                        {"Q", "dS K / √d_k"}, {"K", "dSᵀ Q / √d_k"},
                                        {"W_Q", "Xᵀ dQ"},     {"W_K", "Xᵀ dK"},
                                        {"W_V", "Xᵀ dV"},     {"X", "dQ W_Qᵀ + dK W_Kᵀ + dV W_Vᵀ"}};

void the_ledger() {
  section("6. The ledger");
  const Layer layer;
  const Named pass = attend(layer.in, layer.heads), hand = layer_by_hand(pass, layer.dY);
  Named tape;
  print_ledger_head();
  for (const LedgerRow& row : kLedger) {
    tape[row.name] =
        grad(pass.at("Y"), {pass.at(row.name)}, {.cotangent = layer.dY, .retain_graph = true})[0];
    print_ledger_row(row, hand.at(row.name), tape.at(row.name), measured(layer, pass, row.name));
  }
  say("\nWhich rows of the ledger are wrong after one slip (×):");
  print_wrong_rows(kLedger, tape, with_slips(pass, layer.dY));
}

// One tile of keys: P again from the kept log-sum-exp, then the backward pass with the sums of whole rows.
Tile tile_by_hand(const Example& e, int first, int end, const Tensor& log_sums,
                  const std::vector<double>& sums) {
  const Array Q = e.Q.array(), K = slice(e.K, 0, first, end).array(), V = slice(e.V, 0, first, end).array();
  const Tensor S = slice(e.scores(), 1, first, end);
  const Array P = exp(S - log_sums).array();
  const auto [dV, dP] = values_by_hand(e.dZ.array(), P, V);
  const Array dS = softmax_by_hand(dP, P, sums);
  const auto [dQ, dK] = scores_by_hand(dS, Q, K);
  return {S.array(), P, {dV, dP, dS, dQ, dK}};
}

void without_the_pattern(const Pictures& pictures) {
  section("7. Without the pattern");
  const Example e;
  const HeadBack whole = of_example(e);
  const std::vector<double> sums = row_sums(matmul(e.pattern(), e.V).array(), e.dZ.array());
  say("The row sums of P ⊙ dP: {}, of Z ⊙ dZ: {}", numbers(row_sums(e.pattern().array(), whole.dP), 1),
      numbers(sums, 1));
  const Tensor log_sums = log(sum(exp(e.scores()), {1}, true));
  say("log Σ e^s of the rows of S: {}", numbers(log_sums, 3));
  const Tile one = tile_by_hand(e, 0, 2, log_sums, sums), two = tile_by_hand(e, 2, 3, log_sums, sums);
  for (const auto& [name, tile] : {std::pair{"Tile 1, keys 0 and 1", one}, {"Tile 2, key 2", two}}) {
    say("{}, and what it adds to dQ:", name);
    show_matrix("P", Tensor(tile.P), 2);
    show_matrix("dS", Tensor(tile.back.dS), 2);
    show_matrix("to dQ", Tensor(tile.back.dQ), 3);
  }
  const auto joined = [](const Array& a, const Array& b) { return concat({Tensor(a), Tensor(b)}); };
  say("Equal to sections 2 to 4?   dQ: {}   dK: {}   dV: {}",
      yes(difference(Tensor(one.back.dQ) + Tensor(two.back.dQ), Tensor(whole.dQ)) < 1e-12),
      yes(difference(joined(one.back.dK, two.back.dK), Tensor(whole.dK)) < 1e-12),
      yes(difference(joined(one.back.dV, two.back.dV), Tensor(whole.dV)) < 1e-12));
  const std::vector<double> own_sums = row_sums(one.P, one.back.dP);
  say("Tile 1 with its own row sums of P ⊙ dP, {}, in their place:", numbers(own_sums, 1));
  show_matrix("dS", Tensor(softmax_by_hand(one.back.dP, one.P, own_sums)), 2);
  pictures.write("tiles.svg", svg_tiles(one, two, log_sums, sums));
}

int main(int argc, char** argv) {
  return run(argc, argv, "09_attention_gradients", [](const Pictures& pictures) {
    say("Lesson 9: the backward pass of attention");
    what_there_is_to_derive();
    back_to_values(pictures);
    back_through_softmax(pictures);
    back_to_queries_and_keys(pictures);
    back_through_projections(pictures);
    the_ledger();
    without_the_pattern(pictures);
  });
}
