// Lesson 3: reverse mode on tensors, and a check that finds what is wrong.
#include <functional>
#include <string>
#include <vector>

#include "headlight/autograd/backward.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"

using namespace headlight;
using namespace headlight::lesson;

double dot(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }

// The cotangent of the input that Headlight finds when the result has this cotangent.
Tensor headlights(const Tensor& result, const Tensor& input, const Tensor& cotangent) {
  return grad(result, {input}, {.cotangent = cotangent, .retain_graph = true})[0];
}

void cotangents() {
  section("1. The cotangent of a tensor");
  const Tensor x = parameter(tensor({1, 2, 3})), y = x * x, y_bar = tensor({1, 10, 100});
  const Tensor J = tensor({{2, 0, 0}, {0, 4, 0}, {0, 0, 6}});
  const Tensor by_J = matmul(transpose(J), y_bar);
  const Tensor by_vjp = 2 * x * y_bar;
  show_below("y = x * x at x = [1, 2, 3]. The Jacobian J: row i says how y[i] moves with each x[j]:", {J});
  say("The cotangent of y is {}. The cotangent of x:", to_string(y_bar, 0));
  show_beside({"by the transposed J       ", "by the vjp, 2·x·cotangent ", "by Headlight              "},
              {by_J, by_vjp, headlights(y, x, y_bar)}, 0);
  constexpr std::size_t n = 64;
  say("\nThe Jacobian of a matrix product by its left factor, both ({0},{0}), has {1} numbers.", n,
      n * n * n * n);
}

Tensor X() { return tensor({{1, 2, 3}, {4, 5, 6}}); }
Tensor W() { return tensor({{1, 2}, {3, 4}, {5, 6}}); }
Tensor Y_bar() { return tensor({{1, 10}, {100, 1000}}); }

// x with 1 added to one number.
Tensor raised(const Tensor& x, std::size_t i, std::size_t j) {
  Array numbers = x.array();
  numbers(i, j) += 1;
  return Tensor(numbers);
}

void matmul_back(const Pictures& pictures) {
  section("2. Matmul");
  const Tensor Y = matmul(X(), W());
  const Tensor by_X = matmul(raised(X(), 0, 1), W()) - Y, by_W = matmul(X(), raised(W(), 1, 0)) - Y;
  show_below("Y = X W, of shape (2,2), and its cotangent:", {Y, Y_bar()});
  say("Raise X[0,1] by 1: Y moves by {}, the loss by {}.", in_a_row(by_X), dot(Y_bar(), by_X));
  say("Raise W[1,0] by 1: Y moves by {}, the loss by {}.", in_a_row(by_W), dot(Y_bar(), by_W));

  const Tensor X_bar = matmul(Y_bar(), transpose(W()));
  const Tensor W_bar = matmul(transpose(X()), Y_bar());
  const Tensor x = parameter(X()), w = parameter(W()), y = matmul(x, w);
  show_below("Cotangent of X:", {X_bar});
  show_below("Cotangent of W:", {W_bar});
  say("Does Headlight agree? X: {}   W: {}", same(headlights(y, x, Y_bar()), X_bar),
      same(headlights(y, w, Y_bar()), W_bar));
  draw_matmul(pictures, {X(), W(), Y, X_bar, W_bar, Y_bar()});
}

void broadcasting_and_sums(const Pictures& pictures) {
  section("3. Broadcasting and sums");
  const Tensor b = tensor({10, 20, 30}), z_bar = tensor({{1, 1, 1}, {10, 10, 10}});
  const Tensor to_copies = z_bar * X(), b_bar = sum_to(to_copies, b.shape());
  show_below("z = X * b with b = [10, 20, 30], which is used in both rows. The cotangent of z:", {z_bar});
  show_below("The cotangent of X, z̄ * b:", {z_bar * b});
  show_below("What comes to the copies of b, z̄ * X, and the cotangent of b, its sum:", {to_copies, b_bar});
  draw_back_to_b(pictures, z_bar, X(), to_copies, b_bar);

  const Tensor y_bar = tensor({5, 7});
  const Tensor x_bar = broadcast_to(reshape(y_bar, {2, 1}), {2, 3});
  const Tensor not_reshaped = broadcast_to(y_bar, {2, 2});
  show_below("\ny = sum(X, {1}), one sum a row. From the cotangent [5, 7] of y the numbers of X receive:",
             {x_bar});
  show_below("Had X the shape (2,2), a forgotten reshape would go unnoticed:", {not_reshaped});
}

void softmax_back(const Pictures& pictures) {
  section("4. Softmax");
  const Tensor x = parameter(tensor({0, math::log(2), math::log(5)})), y = softmax(x);
  const Tensor y_bar = tensor({8, 16, 0}), identity_matrix = tensor({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const Tensor J = reshape(y, {3, 1}) * (identity_matrix - y);  // J[i,j] = y[i] ([i = j] - y[j])
  const Tensor by_J = matmul(transpose(J), y_bar);
  const double weighted_mean = dot(y, y_bar);
  const Tensor by_vjp = y * (y_bar - weighted_mean);
  say("x = [0, ln 2, ln 5], so the powers are 1, 2, 5, and y = {}. The Jacobian, times 64:", to_string(y, 3));
  show(to_string(64 * J, 0));
  say("The cotangent of y is {}, its mean weighted with y is {:.3f}. The cotangent of x:",
      to_string(y_bar, 0), weighted_mean);
  show_beside({"by the transposed J      ", "y * (ȳ - weighted mean)  ", "by Headlight             "},
              {by_J, by_vjp, headlights(y, x, y_bar)}, 3);
  draw_softmax(pictures, J, y_bar, by_J);
}

// A function, and something that claims to be its vjp.
struct Claim {
  std::string name;
  std::function<Tensor(const Tensor& x)> f;
  std::function<Tensor(const Tensor& g, const Tensor& x)> vjp;
};

// How fast the loss Σ u * f(x) moves when x moves along d: measured, and as the vjp claims.
double measured(const Claim& c, const Tensor& x, const Tensor& u, const Tensor& d) {
  constexpr double h = 1e-5;
  return (dot(u, c.f(x + h * d)) - dot(u, c.f(x - h * d))) / (2 * h);
}
double claimed(const Claim& c, const Tensor& x, const Tensor& u, const Tensor& d) {
  return dot(c.vjp(u, x), d);
}

// Headlight's own: right.
Tensor softmax_vjp(const Tensor& g, const Tensor& x) {
  const Tensor input = parameter(x);
  return headlights(softmax(input), input, g);
}

std::vector<Claim> claims() {
  const auto square = [](const Tensor& x) { return x * x; };
  const auto rows = [](const Tensor& x) { return softmax(x); };
  return {{"x * x, right", square, [](const Tensor& g, const Tensor& x) { return 2 * x * g; }},
          {"x * x, g forgotten", square, [](const Tensor&, const Tensor& x) { return 2 * x; }},
          {"softmax, right", rows, softmax_vjp},
          {"softmax, always 0", rows, [](const Tensor&, const Tensor& x) { return 0 * x; }},
          {"softmax, other sign", rows, [](const Tensor& g, const Tensor& x) { return -softmax_vjp(g, x); }},
          {"softmax, plain mean", rows,
           [](const Tensor& g, const Tensor& x) { return softmax(x) * (g - mean(g, {-1}, true)); }},
          {"softmax, no row sum", rows, [](const Tensor& g, const Tensor& x) { return softmax(x) * g; }}};
}

// The slopes measured and claimed along 16 random directions.
draw::Series directions(const Claim& c, const Tensor& x, const Tensor& u) {
  Rng rng(4);
  draw::Series series{c.name, {}, {}, true};
  for (int i = 0; i < 16; ++i) {
    const Tensor d = randn(x.shape(), rng);
    series.x.push_back(measured(c, x, u, d));
    series.y.push_back(claimed(c, x, u, d));
  }
  return series;
}

void gradient_check(const Pictures& pictures) {
  section("5. The gradient check");
  Rng rng(1);
  const Shape shape{2, 3};
  const Tensor x = randn(shape, rng), d = randn(shape, rng), random = randn(shape, rng), one = ones(shape);
  const std::vector<Claim> all = claims();
  say("How fast the loss moves along a random direction, claimed and measured:");
  say("                              cotangent of ones         random cotangent");
  say("  vjp                       claimed    measured        claimed    measured");
  for (const Claim& c : all)
    say("  {:<22} {:10.4f}  {:10.4f}     {:10.4f}  {:10.4f}", c.name, tidy(claimed(c, x, one, d)),
        tidy(measured(c, x, one, d)), claimed(c, x, random, d), measured(c, x, random, d));
  draw_check(pictures,
             {directions(all[2], x, random), directions(all[4], x, random), directions(all[5], x, random)});
}

// y = x³     x̄ = ȳ 3x²
Tensor cube(const Tensor& x) {
  const Array square = kernels::mul(x.array(), x.array());
  return record("cube", {x}, kernels::mul(square, x.array()),
                [x](const Tensor& g, const Tensor&) { return 3 * g * x * x; });
}

void own_op() {
  section("6. An op of your own");
  const Tensor x = parameter(tensor({{1, -2}, {0.5, 3}}));
  sum(cube(x)).backward();
  say("The gradient of sum(cube(x)):");
  show(to_string(x.grad(), 2));
  const GradcheckReport report = gradcheck("cube", [](const auto& inputs) { return cube(inputs[0]); }, {x});
  say("Does Headlight's gradcheck find cube's vjp right? {}", yes(report.ok));
  if (!report.ok) show(report.message);
}

// The cube once more. Its vjp sees the numbers of x and not x itself.
Tensor cube_of_numbers(const Tensor& x) {
  return record("cube_of_numbers", {x}, Array(cube(x).array()),
                [numbers = x.detach()](const Tensor& g, const Tensor&) { return 3 * g * numbers * numbers; });
}

// x³ and its derivatives at these points.
std::vector<draw::Series> derivatives(const Tensor& points) {
  const Tensor x = parameter(points);
  std::vector<draw::Series> series;
  Tensor y = cube(x);
  for (const char* name : {"x³", "first derivative", "second derivative", "third derivative"}) {
    if (!series.empty()) y = grad(y, {x}, {.cotangent = ones(y.shape()), .create_graph = true})[0];
    series.push_back({name, {x.array().begin(), x.array().end()}, {y.array().begin(), y.array().end()}});
  }
  return series;
}

void again_and_again(const Pictures& pictures) {
  section("7. Gradients of gradients");
  say("At [-2, -1, 0, 1, 2], each the gradient of the line before:");
  for (const auto& each : derivatives(tensor({-2, -1, 0, 1, 2})))
    say("  {:<18} {}", each.name, to_string(tensor(each.y, {5}), 0));
  const Tensor x = parameter(Tensor(2)), y = cube_of_numbers(x);
  const Tensor first = grad(y, {x}, {.create_graph = true})[0];
  say("The first derivative of cube_of_numbers at 2 is {}. Its second is refused:", first.item());
  show_refusal([&] { grad(first, {x}); });
  draw_derivatives(pictures, derivatives(0.1 * (arange(41) - 20)));
}

int main(int argc, char** argv) {
  return run(argc, argv, "03_reverse_mode", [](const Pictures& pictures) {
    say("Lesson 3: reverse mode");
    cotangents();
    matmul_back(pictures);
    broadcasting_and_sums(pictures);
    softmax_back(pictures);
    gradient_check(pictures);
    own_op();
    again_and_again(pictures);
  });
}
