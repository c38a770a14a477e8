// Lesson 9: the backward pass of attention, by hand, and the ledger that checks it.
#include <cmath>
#include <string>
#include <vector>

#include "headlight/autograd/backward.h"
#include "headlight/draw/diagram.h"
#include "headlight/ops/ops.h"
#include "layer.h"
#include "lesson_program.h"

using namespace headlight;
using namespace headlight::lesson;
using draw::CellStyle;

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

void the_chain() {
  section("1. What there is to derive");
  const Example e;
  say("The pattern P of two queries and three keys, and Z = P V:");
  show(to_string(e.pattern(), 2));
  show(to_string(matmul(e.pattern(), e.V), 0));
  say("The cotangent dZ:");
  show(to_string(e.dZ, 0));
}

void back_to_values(const Pictures& pictures) {
  section("2. Back to the values and the pattern");
  const Example e;
  const Tensor P = e.pattern(), Z = matmul(P, e.V);
  const Tensor by_V = matmul(P, raised(e.V, 1, 1)) - Z, by_P = matmul(raised(P, 2, 1), e.V) - Z;
  say("Raise V[0,1] by 1: Z moves by {}, the loss by {:.2f}.", to_string(reshape(by_V, {4}), 2),
      dot(e.dZ, by_V));
  say("Raise P[0,2] by 1: Z moves by {}, the loss by {:.2f}.", to_string(reshape(by_P, {4}), 2),
      dot(e.dZ, by_P));
  const auto [dV, dP] = values_by_hand(e.dZ.array(), P.array(), e.V.array());
  say("dV:");
  show(to_string(dV, 2));
  say("dP:");
  show(to_string(dP, 0));
  pictures.write("values.svg", svg_values());
}

void back_through_softmax(const Pictures& pictures) {
  section("3. Back through the softmax");
  const Example e;
  const Tensor S = e.scores(), P = e.pattern();
  constexpr double h = 1e-4;
  const Tensor rates = (softmax(raised(S, 0, h)) - softmax(raised(S, 0, -h))) / (2 * h);
  say("Raise S[0,0]. The rates of row 0 of P: {}. Of the loss: {:.4f}.",
      to_string(reshape(slice(rates, 0, 0, 1), {3}), 4), dot(e.dZ, matmul(rates, e.V)));
  const Array dP = values_by_hand(e.dZ.array(), P.array(), e.V.array()).dP;
  const std::vector<double> sums = row_sums(P.array(), dP);
  const Array dS = softmax_by_hand(dP, P.array(), sums);
  say("The row sums of P ⊙ dP: {}.   The row sums of dS: {}.", to_string(tensor(sums), 1),
      to_string(tidy(sum(Tensor(dS), {1})), 0));
  say("dS = P ⊙ (dP - rowsum(P ⊙ dP)):");
  show(to_string(tidy(Tensor(dS)), 2));
  pictures.write(
      "softmax.svg",
      draw::svg_matrices(
          "From dP to dS: first subtract the row sum, then multiply by the weight",
          {drawn("(", "dP", dP, 0), drawn("−", "row sum of P ⊙ dP", reshape(tensor(sums), {2, 1}).array(), 1),
           drawn(")  ⊙", "P", P.array(), 2),
           drawn("=", "dS", tidy(Tensor(dS)).array(), 2, CellStyle::strong)}));
}

void back_to_queries_and_keys(const Pictures& pictures) {
  section("4. Back to queries and keys");
  const Example e;
  const Array P = e.pattern().array(), dP = values_by_hand(e.dZ.array(), P, e.V.array()).dP;
  const Array dS = softmax_by_hand(dP, P, row_sums(P, dP));
  const auto [dQ, dK] = scores_by_hand(dS, e.Q.array(), e.K.array());
  say("Q and K:");
  show(to_string(e.Q, 3));
  show(to_string(e.K, 0));
  say("dQ:");
  show(to_string(tidy(Tensor(dQ)), 3));
  say("dK:");
  show(to_string(tidy(Tensor(dK)), 3));
  say("The sum of all rows of dK: {}", to_string(tidy(sum(Tensor(dK), {0})), 0));
  pictures.write("scores.svg", svg_scores());
}

// The slips of section 6, each in one line of by_hand().
enum class Slip { none, no_row_sum, no_scale, not_transposed, no_mask, last_sequence, queries_only };

ProjectionBack projection_by_hand(const Tensor& dY, const Tensor& X, const Tensor& W, Slip slip) {
  ProjectionBack back = projection_by_hand(dY, X, W);
  if (slip == Slip::last_sequence) back.dW = projection_by_hand(slice(dY, 0, -1), slice(X, 0, -1), W).dW;
  return back;
}

// All cotangents of a pass, from that of Y back to X.
Named by_hand(const Named& pass, const Tensor& dY, Slip slip = Slip::none) {
  const std::size_t batch = pass.at("P").length(0), n_heads = pass.at("P").length(1);
  const ProjectionBack out = projection_by_hand(dY, pass.at("Z"), pass.at("W_O"), slip);
  const Tensor dZ = apart(out.dX, n_heads), Q = apart(pass.at("Q"), n_heads),
               K = apart(pass.at("K"), n_heads), V = apart(pass.at("V"), n_heads), S = pass.at("S");
  const Tensor pattern = slip == Slip::no_mask ? softmax(S) : pass.at("P");
  std::map<std::string, std::vector<Tensor>> heads;
  for (int b = 0; b < static_cast<int>(batch); ++b)
    for (int h = 0; h < static_cast<int>(n_heads); ++h) {
      const Array P = matrix(pattern, b, h), q = matrix(Q, b, h), k = matrix(K, b, h);
      const auto [dV, dP] = values_by_hand(matrix(dZ, b, h), P, matrix(V, b, h));
      const auto sums = slip == Slip::no_row_sum ? std::vector<double>(rows(P), 0) : row_sums(P, dP);
      const Array dS = softmax_by_hand(dP, P, sums);
      auto [dQ, dK] = scores_by_hand(dS, q, k);
      if (slip == Slip::no_scale) dQ *= std::sqrt(columns(q)), dK *= std::sqrt(columns(q));
      if (slip == Slip::not_transposed) dK = scores_by_hand(transpose(Tensor(dS)).array(), q, k).dK;
      for (const auto& [name, d] : {std::pair{"Q", dQ}, {"K", dK}, {"V", dV}, {"P", dP}, {"S", dS}})
        heads[name].push_back(Tensor(d));
    }
  Named d;
  for (const auto& [name, parts] : heads) {  // (B,H,n,c)
    const Tensor all = reshape_to(stack(parts), {batch, n_heads, S.length(2), parts[0].length(1)});
    d[name] = name == "P" || name == "S" ? all : together(all);
  }
  const ProjectionBack q = projection_by_hand(d.at("Q"), pass.at("X"), pass.at("W_Q"), slip),
                       k = projection_by_hand(d.at("K"), pass.at("X"), pass.at("W_K"), slip),
                       v = projection_by_hand(d.at("V"), pass.at("X"), pass.at("W_V"), slip);
  d["W_O"] = out.dW, d["W_Q"] = q.dW, d["W_K"] = k.dW, d["W_V"] = v.dW;
  d["X"] = slip == Slip::queries_only ? q.dX : q.dX + k.dX + v.dX;
  return d;
}

void back_through_projections(const Pictures& pictures) {
  section("5. Back through the projections");
  const Tensor X = tensor({{{1, 2}}, {{3, 1}}}), dQ = tensor({{{1, 0}}, {{0, 10}}});
  say("Two sequences of one token, X = [[[1, 2]], [[3, 1]]] and dQ = [[[1, 0]], [[0, 10]]]. dW_Q:");
  show(to_string(projection_by_hand(dQ, X, zeros({2, 2})).dW, 0));

  const Layer layer;
  const Named pass = attend(layer.in, layer.heads), d = by_hand(pass, layer.dY);
  const auto token_1 = [](const Tensor& x) {
    return to_string(reshape_to(slice(slice(x, 0, 0, 1), 1, 1, 2), {4}), 3);
  };
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

const std::vector<std::pair<std::string, std::string>> kLedger = {
    {"W_O", "Zᵀ dY"},     {"V", "Pᵀ dZ"},
    {"P", "dZ Vᵀ"},       {"S", "P ⊙ (dP - rowsum(P ⊙ dP))"},
    {"Q", "dS K / √d_k"}, {"K", "dSᵀ Q / √d_k"},
    {"W_Q", "Xᵀ dQ"},     {"W_K", "Xᵀ dK"},
    {"W_V", "Xᵀ dV"},     {"X", "dQ W_Qᵀ + dK W_Kᵀ + dV W_Vᵀ"}};

void the_ledger() {
  section("6. The ledger");
  const Layer layer;
  const Named pass = attend(layer.in, layer.heads), hand = by_hand(pass, layer.dY);
  Named tape;
  say("  {:<9} {:<28} {:<10} {:>6}  {:<11}  {}", "gradient", "formula", "shape", "size", "hand = tape",
      "tape = measured");
  for (const auto& [name, formula] : kLedger) {
    const Tensor d = tape[name] =
        grad(pass.at("Y"), {pass.at(name)}, {.cotangent = layer.dY, .retain_graph = true})[0];
    say("  d{:<8} {:<28} {:<10} {:>6.2f}  {:<11}  {}", name, formula, fmt::format("{}", d.shape()),
        std::sqrt(dot(d, d)), difference(hand.at(name), d) < 1e-12 ? "yes" : "NO",
        difference(d, measured(layer, pass, name)) < 1e-7 ? "yes" : "NO");
  }
  say("\nWhich rows of the ledger are wrong after one slip (×):");
  std::string head;
  for (const auto& [name, formula] : kLedger) head += fmt::format(" {:>4}", "d" + name);
  say("  {:<34}{}", "", head);
  const std::vector<std::pair<std::string, Slip>> slips = {{"the mask forgotten", Slip::no_mask},
                                                           {"the row-sum term left out", Slip::no_row_sum},
                                                           {"1/√d_k left out", Slip::no_scale},
                                                           {"dS for dSᵀ", Slip::not_transposed},
                                                           {"only the last sequence", Slip::last_sequence},
                                                           {"dX by the queries alone", Slip::queries_only}};
  for (const auto& [what, slip] : slips) {
    const Named wrong = by_hand(pass, layer.dY, slip);
    std::string line;
    for (const auto& [name, formula] : kLedger)
      line += fmt::format(" {:>4}", difference(wrong.at(name), tape.at(name)) < 1e-12 ? "·" : "×");
    say("  {:<34}{}", what, line);
  }
}

// What one tile of keys adds: P again from the kept log-sum-exp, then the backward pass with sums of whole
// rows.
Tile tile_by_hand(const Example& e, int first, int end, const Tensor& log_sums,
                  const std::vector<double>& sums) {
  const Tensor K = slice(e.K, 0, first, end), V = slice(e.V, 0, first, end);
  const Tensor S = slice(e.scores(), 1, first, end), P = exp(S - log_sums);
  const auto [dV, dP] = values_by_hand(e.dZ.array(), P.array(), V.array());
  const Array dS = softmax_by_hand(dP, P.array(), sums);
  const auto [dQ, dK] = scores_by_hand(dS, e.Q.array(), K.array());
  return {S, P, Tensor(dP), tidy(Tensor(dS)), Tensor(dQ), Tensor(dK), Tensor(dV)};
}

void without_the_pattern(const Pictures& pictures) {
  section("7. Without the pattern");
  const Example e;
  const Array P = e.pattern().array(), Z = matmul(e.pattern(), e.V).array();
  const auto [dV, dP] = values_by_hand(e.dZ.array(), P, e.V.array());
  const auto [dQ, dK] = scores_by_hand(softmax_by_hand(dP, P, row_sums(P, dP)), e.Q.array(), e.K.array());
  const std::vector<double> sums = row_sums(Z, e.dZ.array());
  say("The row sums of P ⊙ dP: {}, of Z ⊙ dZ: {}", to_string(tensor(row_sums(P, dP)), 1),
      to_string(tensor(sums), 1));
  const Tensor log_sums = log(sum(exp(e.scores()), {1}, true));
  say("log Σ e^s of the rows of S: {}", to_string(reshape(log_sums, {2}), 3));
  const Tile one = tile_by_hand(e, 0, 2, log_sums, sums), two = tile_by_hand(e, 2, 3, log_sums, sums);
  for (const auto& [name, tile] : {std::pair{"Tile 1, keys 0 and 1", one}, {"Tile 2, key 2", two}}) {
    say("{}: P, dS, and what it adds to dQ", name);
    show(to_string(tile.P, 2));
    show(to_string(tile.dS, 2));
    show(to_string(tidy(tile.dQ), 3));
  }
  say("Equal to sections 2 to 4?   dQ: {}   dK: {}   dV: {}",
      yes(difference(one.dQ + two.dQ, Tensor(dQ)) < 1e-12),
      yes(difference(concat({one.dK, two.dK}), Tensor(dK)) < 1e-12),
      yes(difference(concat({one.dV, two.dV}), Tensor(dV)) < 1e-12));
  const Array P_1 = one.P.array(), dP_1 = one.dP.array();
  say("dS of tile 1 with its own row sums of P ⊙ dP, {}, in their place:",
      to_string(tensor(row_sums(P_1, dP_1)), 1));
  show(to_string(tidy(Tensor(softmax_by_hand(dP_1, P_1, row_sums(P_1, dP_1)))), 2));
  pictures.write("tiles.svg", svg_tiles(one, two, log_sums, reshape(tensor(sums), {2, 1})));
}

int main(int argc, char** argv) {
  return run(argc, argv, "09_attention_gradients", [](const Pictures& pictures) {
    say("Lesson 9: the backward pass of attention");
    the_chain();
    back_to_values(pictures);
    back_through_softmax(pictures);
    back_to_queries_and_keys(pictures);
    back_through_projections(pictures);
    the_ledger();
    without_the_pattern(pictures);
  });
}
