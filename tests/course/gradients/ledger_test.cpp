#include "gradients/ledger.h"

#include <cmath>

#include "catch.h"
#include "gradients/attention_by_hand.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/reduce.h"

using namespace headlight;
using ledger::judge, ledger::Quantity;

namespace {

Quantity sound() {
  return {
      .name = "dV", .formula = "", .hand = {1, -2}, .tape = {1, -2}, .fused = {1, -2}, .numeric = {1, -2}};
}

std::string remark_on(const Quantity& q) {
  const auto row = judge("case", {sound(), q}).at(1);
  CHECK_FALSE(row.ok);
  return row.remark;
}

}  // namespace

TEST_CASE("every gradient of every case of the ledger is right", "[gradients]") {
  for (const auto& c : ledger::cases())
    for (const auto& row : judge(c.name, c.run())) {
      INFO(c.name << " " << row.quantity << ": " << row.remark);
      CHECK(row.ok);
    }
}

TEST_CASE("the ledger passes gradients that agree", "[gradients]") {
  const auto row = judge("case", {sound()}).at(0);
  CHECK(row.ok);
  CHECK(row.norm == std::sqrt(5.0));
  CHECK(row.hand_vs_tape == 0);
}

TEST_CASE("the ledger says which two differ, and by how much of the largest number", "[gradients]") {
  Quantity q = sound();
  q.hand[0] = 1 + 1e-9;
  CHECK(remark_on(q) == "hand and tape differ");
  CHECK(judge("case", {q})[0].hand_vs_tape == Approx(5e-10));
  q = sound();
  q.fused[1] = -2.1;
  CHECK(remark_on(q) == "fused and tape differ");
  q = sound();
  q.numeric[1] = -2 + 1e-6;
  CHECK(remark_on(q) == "tape and numeric differ");
  q.numeric[1] = -2 + 1e-8;
  CHECK(judge("case", {q})[0].ok);
}

TEST_CASE("the ledger trusts no NaN, no missing number and no zeros", "[gradients]") {
  Quantity q = sound();
  q.tape[0] = NAN;
  CHECK(remark_on(q) == "not finite");
  q = sound();
  q.fused[0] = NAN;
  CHECK(remark_on(q) == "fused and tape differ");
  q = sound();
  q.hand.pop_back();
  CHECK(remark_on(q) == "hand and tape differ");
  q.hand = q.tape = q.fused = q.numeric = {0, 0};
  CHECK(remark_on(q) == "0 everywhere, so nothing was checked");
}

TEST_CASE("a gradient that must vanish is wrong when it does not", "[gradients]") {
  Quantity q = sound();
  q.must_vanish = true;
  CHECK(remark_on(q) == "must be 0");
  q.hand = q.tape = q.fused = q.numeric = {1e-16, 0};
  const auto row = judge("case", {sound(), q}).at(1);
  CHECK(row.ok);
  CHECK(row.remark == "0, as it must be");
}

TEST_CASE("central differences of fourth order are exact for polynomials up to the fourth", "[gradients]") {
  const Tensor x = parameter(tensor({0.5, -1.25}));
  const auto slopes =
      ledger::central_differences([&] { return static_cast<double>(sum(x * x * x * x).item()); }, x);
  CHECK(slopes[0] == Approx(4 * 0.125).epsilon(1e-11));
  CHECK(slopes[1] == Approx(-4 * 1.953125).epsilon(1e-11));
  CHECK(x.array()(0) == 0.5);
}

TEST_CASE("attention by hand agrees with one that was computed on paper", "[gradients]") {
  // One head, d_head 1: scores are products of numbers. Query 1 on keys 0 and ln 3: P = (1/4, 3/4).
  const by_hand::Matrix one{{1}};
  by_hand::NamedMatrices w{{"W_Q", one}, {"W_K", one}, {"W_V", one}, {"W_O", one}};
  const double ln3 = std::log(3.0);
  const auto pass = by_hand::attention(w, {}, one, {{0}, {ln3}});
  CHECK(pass.P[0](0, 1) == Approx(0.75));
  CHECK(pass.Y(0, 0) == Approx(0.75 * ln3));
  const auto d = by_hand::attention_backward(w, {}, pass, one);
  CHECK(d.S[0](0, 0) == Approx(-0.25 * 0.75 * ln3));  // P₀(dP₀ - P·dP), dP = V
  CHECK(d.S[0](0, 1) == Approx(0.75 * 0.25 * ln3));
  CHECK(d.Q(0, 0) == Approx(0.1875 * ln3 * ln3));
  CHECK(d.V(1, 0) == Approx(0.75));
}
