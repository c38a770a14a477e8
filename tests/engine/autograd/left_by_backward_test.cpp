// What a backward pass leaves: gradients that are the caller's own, and as much of the graph as was asked
// for.
#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/record.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

void halve(Tensor x) {
  for (Real& value : x.mutable_array()) value /= 2;
}

}  // namespace

TEST_CASE("gradients of two leaves are two arrays, although the op hands both the same", "[autograd]") {
  const Tensor a = parameter(tensor({1, 2})), b = parameter(tensor({3, 4}));
  sum(tanh((a + b) * 0.1)).backward();
  const Array before = a.grad().array();
  REQUIRE(difference(before, b.grad().array()) == 0);
  halve(a.grad());
  CHECK(difference(b.grad().array(), before) == 0);
  halve(b.grad());
  CHECK(a.grad().array()(1) == before(1) / 2);
  CHECK(b.grad().array()(1) == before(1) / 2);
}

TEST_CASE("grad returns an array of its own for each input, also for one that is named twice", "[autograd]") {
  const bool create_graph = GENERATE(false, true);
  const Tensor a = parameter(tensor({1, 2})), b = parameter(tensor({3, 4}));
  const auto grads = grad(sum(a + b), {a, b, a}, {.create_graph = create_graph});
  for (const Tensor& g : grads) {
    halve(g);
    CHECK(g.array()(0) == Real(0.5));
  }
}

TEST_CASE("a cotangent stays as its caller gave it", "[autograd]") {
  const bool create_graph = GENERATE(false, true);
  const Tensor a = parameter(tensor({1, 2})), cotangent = tensor({3, 4});
  backward(a + 1, {.cotangent = cotangent, .create_graph = create_graph});
  halve(a.grad());
  halve(grad(a + 1, {a}, {.cotangent = cotangent, .create_graph = create_graph})[0]);
  halve(grad(a, {a}, {.cotangent = cotangent, .create_graph = create_graph})[0]);
  CHECK(cotangent.array()(0) == 3);
  CHECK(a.grad().array()(0) == Real(1.5));
}

TEST_CASE("a cotangent that needs a gradient gives a constant, and with create_graph a result",
          "[autograd]") {
  const Tensor a = parameter(Tensor(2.0)), u = parameter(Tensor(3.0));
  CHECK_FALSE(grad(a + 1, {a}, {.cotangent = u})[0].requires_grad());
  CHECK_FALSE(grad(a + 1, {a}, {.cotangent = u * 2})[0].requires_grad());
  const Tensor g = grad(a + 1, {a}, {.cotangent = u, .create_graph = true})[0];
  CHECK_FALSE(same_node(g, u));
  CHECK(grad(g * g, {u})[0].item() == 6);
}

TEST_CASE("a gradient that nobody else holds is not copied", "[autograd]") {
  const Tensor a = parameter(tensor({1, 2}));
  const Array* made = nullptr;
  const Tensor y = record("watched", {a}, Array(a.array()), [&](const Tensor& g, const Tensor&) {
    Tensor mine = g * 2;
    made = &mine.array();
    return mine;
  });
  const Tensor g = grad(sum(y), {a})[0];
  CHECK(&g.array() == made);
}

TEST_CASE("a pass that retains nothing frees all between the loss and the leaves", "[autograd]") {
  const auto before = live_nodes();
  const Tensor x = parameter(tensor({1, 2}));
  const Tensor kept = x * x;
  const Tensor loss = sum(exp(kept) * 2);
  const auto recorded = live_nodes() - before;
  const bool retain = GENERATE(false, true);
  backward(loss, {.retain_graph = retain});
  const auto held = live_nodes() - before;
  CHECK(held == (retain ? recorded + 1 : 4));  // x, its gradient, kept and loss
  CHECK(x.grad().defined());
  CHECK_FALSE(kept.has_grad());
  CHECK(kept.array()(1) == 4);  // numbers that somebody holds stay
  CHECK(kept.node()->inputs.empty() == !retain);
  CHECK_FALSE(kept.is_leaf());
}

TEST_CASE("grad frees the graph between the loss and its inputs, and leaves what is below", "[autograd]") {
  const Tensor x = parameter(tensor({1, 2}));
  const Tensor middle = x * x;
  const Tensor loss = sum(exp(middle));
  grad(loss, {middle});
  CHECK(loss.node()->freed);
  CHECK_FALSE(middle.node()->freed);
  CHECK(grad(sum(middle), {x})[0].array()(1) == 4);
}

TEST_CASE("gradients accumulate over two passes with create_graph, and can be differentiated", "[autograd]") {
  Tensor x = parameter(tensor({1, -2}));
  const Tensor loss = sum(x * x * x);
  backward(loss, {.create_graph = true});
  backward(loss, {.create_graph = true});
  CHECK(x.grad().array()(1) == 24);  // 2·3x²
  const Tensor second = grad(sum(x.grad()), {x})[0];
  CHECK(second.array()(1) == -24);  // 2·6x
  sum(x).backward();                // and a plain pass adds to them
  CHECK(x.grad().array()(1) == 25);
  CHECK_FALSE(x.grad().requires_grad());
  x.zero_grad();
}
