#include "headlight/autograd/backward.h"
#include "catch.h"
#include "headlight/autograd/record.h"
#include "headlight/ops/ops.h"

using namespace headlight;

TEST_CASE("first page: y = 3x² + 2x at x = 2 has the slope 14", "[autograd]") {
  const Tensor x = parameter(Tensor(2.0));
  const Tensor y = 3 * x * x + 2 * x;
  y.backward();
  CHECK(y.item() == 16);
  CHECK(x.grad().item() == 14);
}

TEST_CASE("a tensor used twice gets both gradients", "[autograd]") {
  const Tensor a = parameter(Tensor(3.0)), c = parameter(Tensor(1.0));
  const Tensor b = a + a;
  const Tensor d = c + b;  // d = c + 2a
  (d * d).backward();
  CHECK(a.grad().item() == 28);
  CHECK(c.grad().item() == 14);
}

TEST_CASE("backward accumulates, zero_grad forgets", "[autograd]") {
  Tensor x = parameter(tensor({1, 2}));
  sum(x * x).backward();
  sum(x * x).backward();
  CHECK(x.grad().array()(1) == 8);
  x.zero_grad();
  CHECK_FALSE(x.grad().defined());
  sum(x).backward();
  CHECK(x.grad().array()(0) == 1);
}

TEST_CASE("a gradient that a step has used is not added to", "[autograd]") {
  Tensor x = parameter({1, 2});
  x.set_name("x");
  sum(x * x).backward();
  x.mutable_array() -= 0.25 * x.grad().array();
  CHECK(error_of([&] { sum(x * x).backward(); }) ==
        "[backward] 'x' of shape (2) was changed after an earlier backward pass left it a "
        "gradient, and the new one would be added to it. Hint: call zero_grad(), of an optimizer "
        "or a tensor, before each backward().");
  CHECK(x.grad().array()(1) == 4);  // nothing was added
  CHECK(grad(sum(x * x), {x})[0].array()(1) == 2);
  x.set_grad(zeros({2}));
  sum(x * x).backward();
  CHECK(x.grad().array()(1) == 2);
}

TEST_CASE("grad returns gradients and leaves grad() alone", "[autograd]") {
  const Tensor x = parameter(tensor({1, 2, 3}));
  const Tensor middle = x * 2;
  const auto grads = grad(sum(middle * middle), {x, middle, x});
  CHECK(grads[0].array()(2) == 24);
  CHECK(grads[1].array()(2) == 12);
  CHECK(difference(grads[0].array(), grads[2].array()) == 0);
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("an input that is an ancestor of another input gets its full gradient", "[autograd]") {
  const Tensor x = parameter(Tensor(2.0));
  const Tensor y = x * x;
  const auto grads = grad(y * x, {x, y});
  CHECK(grads[0].item() == 12);  // x³
  CHECK(grads[1].item() == 2);
}

TEST_CASE("a cotangent stands for the loss above", "[autograd]") {
  const Tensor x = parameter(tensor({1, 2}));
  backward(x * x, {.cotangent = tensor({1, 10})});
  CHECK(x.grad().array()(0) == 2);
  CHECK(x.grad().array()(1) == 40);
}

TEST_CASE("second and third derivatives come from create_graph", "[autograd]") {
  const Tensor x = parameter(Tensor(2.0));
  const Tensor first = grad(x * x * x * x, {x}, {.create_graph = true})[0];
  const Tensor second = grad(first, {x}, {.create_graph = true})[0];
  const Tensor third = grad(second, {x})[0];
  CHECK(first.item() == 32);
  CHECK(second.item() == 48);
  CHECK(third.item() == 48);
}

TEST_CASE("a gradient is a constant unless create_graph asks for more", "[autograd]") {
  const Tensor x = parameter(Tensor(2.0));
  const Tensor y = x * x;
  CHECK_FALSE(grad(y, {x}, {.retain_graph = true})[0].requires_grad());
  CHECK(grad(y, {x}, {.create_graph = true})[0].requires_grad());
}

TEST_CASE("a gradient penalty trains through the gradient", "[autograd]") {
  const Tensor x = parameter(tensor({1, -2}));
  const Tensor g = grad(sum(tanh(x * x)), {x}, {.create_graph = true})[0];
  sum(g * g).backward();
  CHECK(x.grad().defined());
}

TEST_CASE("the graph is freed by a pass unless it is retained", "[autograd]") {
  const Tensor x = parameter(Tensor(2.0));
  const Tensor y = x * x;
  const Tensor loss = y * y;
  backward(loss, {.retain_graph = true});
  backward(loss);
  CHECK(x.grad().item() == 64);
  const auto message = error_of([&] { backward(loss); });
  CHECK(contains(message, "was freed by an earlier backward pass"));
  CHECK(contains(message, "retain_graph"));
}

TEST_CASE("NoGrad and detach cut the graph", "[autograd]") {
  const Tensor x = parameter(Tensor(2.0));
  {
    const NoGrad no_grad;
    CHECK_FALSE((x * x).requires_grad());
  }
  CHECK((x * x).requires_grad());
  CHECK_FALSE((x * x).detach().requires_grad());
  CHECK_FALSE((Tensor(1.0) * 2).requires_grad());
}

TEST_CASE("a NoGrad that ends within another leaves recording off", "[autograd]") {
  const Tensor x = parameter(Tensor(2.0));
  const NoGrad outer;
  { const NoGrad inner; }
  CHECK_FALSE((x * x).requires_grad());
}

TEST_CASE("mistakes in asking for gradients are explained", "[autograd]") {
  const Tensor x = parameter(tensor({1, 2})), stranger = parameter(Tensor(1.0));
  CHECK(contains(error_of([&] { (x * x).backward(); }),
                 "this tensor has shape (2). Hint: take its sum() or mean()"));
  CHECK(contains(error_of([&] { Tensor(1.0).backward(); }), "needs no gradient"));
  CHECK(contains(error_of([&] { backward(x * x, {.cotangent = Tensor(1.0)}); }),
                 "the cotangent has shape (), the tensor (2)"));
  CHECK(contains(error_of([&] { grad(sum(x), {stranger}); }), "does not depend on a tensor of shape ()"));
  CHECK(contains(error_of([&] { grad(sum(x), {Tensor(1.0)}); }), "needs no gradient"));
  CHECK(contains(error_of([&] { Tensor().shape(); }), "undefined"));
  CHECK(contains(error_of([&] { x.item(); }), "expected a tensor with one element, got shape (2)"));
  CHECK(contains(error_of([&] { (x * x).mutable_array(); }),
                 "expected a parameter or a constant, got the result of 'mul'. Hint: change what it was"));
  CHECK(grad(sum(x), {stranger}, {.allow_unused = true})[0].item() == 0);
}

TEST_CASE("whole numbers have no gradient, and parameter() says so", "[autograd]") {
  CHECK(contains(
      error_of([] {
        parameter(IntArray{1, 2});
      }),
      "[parameter] whole numbers (tokens, indices) have no gradient. Hint: look them up in a table"));
}

// Recursion would overflow a stack of 8 MB before this depth.
TEST_CASE("a chain of 200,000 nodes is built, differentiated and freed", "[autograd][long]") {
  const auto before = live_nodes();
  {
    const Tensor x = parameter(Tensor(1.0));
    Tensor y = x;
    for (int i = 0; i < 200000; ++i) y = identity(y);
    y.backward();
    CHECK(x.grad().item() == 1);
    Tensor never_differentiated = x;
    for (int i = 0; i < 200000; ++i) never_differentiated = never_differentiated + 1;
  }
  CHECK(live_nodes() == before);
}

// Path by path there would be 2^60 to walk.
TEST_CASE("a graph with very many paths is differentiated node by node", "[autograd]") {
  const Tensor x = parameter(Tensor(1.0));
  Tensor y = x;
  for (int i = 0; i < 60; ++i) y = y + y;
  y.backward();
  CHECK(x.grad().item() == std::ldexp(Real(1), 60));
}

TEST_CASE("nothing is left when an op throws half-way", "[autograd]") {
  const auto before = live_nodes();
  {
    const Tensor x = parameter(tensor({1, 2}));
    const Tensor y = record("broken", {x}, Array(x.array()),
                            [](const Tensor&, const Tensor&) -> Tensor { fail("no derivative today"); });
    CHECK(error_of([&] { sum(y * y).backward(); }) == "no derivative today");
    CHECK(contains(error_of([&] { matmul(x * x, tensor({1, 2, 3})); }), "[matmul]"));
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("tensors print as NumPy does", "[autograd]") {
  CHECK(to_string(tensor({{1, 2}, {3, 4.5}}), 1) == "[[1.0, 2.0],\n [3.0, 4.5]]");
  CHECK(to_string(Tensor(2.0), 2) == "2.00");
  CHECK(contains(error_of([] {
                   tensor({{1, 2}, {3}});
                 }),
                 "[tensor] lists side by side have different shapes: (2) and (1)"));
  CHECK(tensor({{0.5}, {-1}}).shape() == Shape{2, 1});
  CHECK(tensor({{{{1, 2}}}}).shape() == Shape{1, 1, 1, 2});
  CHECK(tensor(3).shape() == Shape{});
}

TEST_CASE("asking for no gradient, or for one of a newer tensor, is no crash", "[autograd]") {
  const Tensor x = parameter(tensor({1, 2}));
  const Tensor y = sum(x * x);
  CHECK(grad(y, {}, {.retain_graph = true}).empty());
  const Tensor newer = parameter(Tensor(1.0));
  CHECK(contains(error_of([&] { grad(y, {newer}); }), "does not depend on a tensor"));
  CHECK(grad(y, {newer}, {.allow_unused = true})[0].item() == 0);
}

TEST_CASE("a gradient with respect to a result leaves what made it alone", "[autograd]") {
  const Tensor x = parameter(tensor({1, 2}));
  const Tensor h = x * x;
  CHECK(grad(sum(h * h), {h})[0].array()(1) == 8);
  sum(h).backward();
  CHECK(x.grad().array()(1) == 4);
}
