#include "headlight/autograd/anomaly.h"

#include <limits>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/record.h"
#include "headlight/ops/ops.h"

using namespace headlight;

TEST_CASE("anomaly mode names the op that first made an infinity forward", "[anomaly]") {
  Tensor x = parameter(tensor({{1, 2, 3}, {4, 0, 6}}));
  x.set_name("x");
  const Tensor unwatched = sum(log(x) * 2);
  CHECK(std::isinf(unwatched.item()));
  const AnomalyScope scope;
  CHECK(
      error_of([&] { sum(log(x) * 2); }) ==
      "[anomaly] 'log' made an infinity: element (1,1) of its result (2,3). Its inputs: 'x' of shape (2,3), "
      "all finite.");
}

TEST_CASE("anomaly mode names the op that makes NaN of infinities", "[anomaly]") {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  const Tensor x = parameter(tensor({kInfinity, 1}));
  const AnomalyScope scope;
  const auto message = error_of([&] { x * 2 - x; });
  CHECK(contains(message, "'sub' made NaN: element (0)"));
  CHECK(contains(message, "there is an infinity in them"));
}

TEST_CASE("anomaly mode watches what is not recorded too", "[anomaly]") {
  const AnomalyScope scope;
  CHECK(contains(error_of([] { exp(tensor({1, 1e9})); }), "'exp' made an infinity: element (1)"));
}

TEST_CASE("anomaly mode blames a leaf that holds NaN, not the op that reads it", "[anomaly]") {
  Tensor w = parameter(tensor({{1, 2}, {3, 4}}));
  w.set_name("W_Q");
  w.mutable_array()(0, 1) = std::numeric_limits<Real>::quiet_NaN();
  const AnomalyScope scope;
  CHECK(error_of([&] { matmul(w, w); }) ==
        "[anomaly] 'matmul' was given NaN: element (0,1) of 'W_Q' of shape (2,2), which no op has made.");
}

// √0 is 0, and its slope is infinite.
TEST_CASE("anomaly mode names the op whose derivative first made an infinity", "[anomaly]") {
  const Tensor x = parameter(tensor({4, 0}));
  const Tensor loss = sum(sqrt(x));
  const AnomalyScope scope;
  CHECK(contains(error_of([&] { loss.backward(); }),
                 "[anomaly] 'div', in the derivative of 'sqrt', made an infinity: element (1)"));
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("anomaly mode looks at what a derivative hands on", "[anomaly]") {
  const Tensor x = parameter(tensor({1, 2}));
  const Tensor y = record("broken", {x}, Array(x.array()), [](const Tensor&, const Tensor&) {
    return tensor({1, std::numeric_limits<Real>::quiet_NaN()});
  });
  const AnomalyScope scope;
  CHECK(error_of([&] { sum(y).backward(); }) ==
        "[anomaly] the derivative of 'broken' made NaN in the backward pass: element (1) of the "
        "cotangent of its input 0, a tensor of shape (2).");
}

TEST_CASE("masks of minus infinity are no anomaly", "[anomaly]") {
  Rng rng(1);
  const Tensor q = parameter(rng.normal_array({2, 3, 4}));
  const BoolArray causal = visible_keys(3, 3, {.causal = true});
  BoolArray row = causal;
  row(0, 0) = false;  // the first query sees nothing
  const AnomalyScope scope;
  for (const BoolArray& mask : {causal, row}) {
    const AttentionOptions options{.mask = mask};
    const Tensor fused = scaled_dot_product_attention(q, q, q, options);
    backward(sum(fused * fused), {.retain_graph = true});
    const Tensor open = reference::scaled_dot_product_attention(q, q, q, options);
    sum(open * open).backward();
    const Tensor g = grad(sum(fused * fused * fused), {q}, {.create_graph = true})[0];
    sum(g * g).backward();
  }
  CHECK(q.grad().defined());
}

TEST_CASE("anomaly mode passes over empty tensors", "[anomaly]") {
  const AnomalyScope scope;
  const Tensor x = parameter(ones({2, 3})), none = parameter(zeros({0, 3}));
  sum(slice(x, 0, 2)).backward();
  CHECK(x.grad().array() == full_array({2, 3}, 0));
  sum(concat({x, none})).backward();
  CHECK(none.grad().shape() == Shape{0, 3});
}

TEST_CASE("anomaly mode ends with its scope", "[anomaly]") {
  {
    const AnomalyScope outer;
    { const AnomalyScope inner; }
    CHECK(anomalies_watched());
  }
  CHECK_FALSE(anomalies_watched());
  CHECK(std::isinf(log(Tensor(0)).item()));
}

TEST_CASE("an array that changes after it was recorded is an error at backward", "[autograd]") {
  Tensor w = parameter(tensor({1, 2}));
  w.set_name("W_E");
  const Tensor loss = sum(w * w);
  w.mutable_array()(0) = 5;
  CHECK(error_of([&] { loss.backward(); }) ==
        "[backward] 'W_E' of shape (2) was changed after 'mul' was computed from it, so the "
        "derivative would be of other numbers. Hint: change it after backward(), or give 'mul' a "
        "detach()ed copy.");
  sum(w * w).backward();
  CHECK(w.grad().array()(0) == 10);
}

TEST_CASE("a constant that changes after it was recorded is an error too", "[autograd]") {
  const Tensor w = parameter(tensor({1, 2}));
  Tensor x = tensor({3, 4});
  const Tensor loss = sum(w * x);
  x.mutable_array()(0) = 5;
  CHECK(contains(error_of([&] { grad(loss, {w}); }), "a tensor of shape (2) was changed after 'mul'"));
}

TEST_CASE("inside an AnomalyScope a change through a kept reference is noticed", "[anomaly]") {
  Tensor w = parameter(tensor({1, 2}));
  Array& kept = w.mutable_array();
  const AnomalyScope scope;
  const Tensor loss = sum(w * w);
  kept(1) = 7;
  CHECK(contains(error_of([&] { loss.backward(); }), "was changed after 'mul'"));
  sum(w * w).backward();
  CHECK(w.grad().array()(1) == 14);
}
