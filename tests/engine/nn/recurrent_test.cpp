// Convolution and recurrent cells: PyTorch's numbers, and central differences.
#include "headlight/nn/recurrent.h"

#include "catch.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/nn/layers.h"
#include "headlight/ops/ops.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

// sin(start + 1.7 i) for i = 0, 1, … in row-major order: numbers that PyTorch was given too.
Tensor wave(const Shape& shape, double start) {
  Array x = empty_array(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = Real(std::sin(start + 1.7 * double(i)));
  return parameter(std::move(x));
}

template <class Cell>
Cell cell_of(const Tensor& W_ih, const Tensor& W_hh, const Tensor& b_ih, const Tensor& b_hh) {
  Rng rng(0);
  Cell cell(W_ih.length(0), W_hh.length(0), rng);
  cell.W_ih = W_ih, cell.W_hh = W_hh, cell.b_ih = b_ih, cell.b_hh = b_hh;
  return cell;
}

template <class Cell>
Cell wavy_cell(std::size_t gates) {
  return cell_of<Cell>(wave({3, 2 * gates}, 1), wave({2, 2 * gates}, 2), wave({2 * gates}, 3),
                       wave({2 * gates}, 4));
}

void check_both_orders(const std::string& what, const std::function<Tensor(const std::vector<Tensor>&)>& f,
                       const std::vector<Tensor>& inputs) {
  GradcheckOptions second;
  if (!kDouble) second.tolerance = 5e-2;
  for (const auto& report : {gradcheck(what, f, inputs), gradgradcheck(what, f, inputs, second)}) {
    INFO(report.message);
    CHECK(report.ok);
  }
}

}  // namespace

// PyTorch 1.13.1 in double precision, with the transposed matrices:
//   cell = torch.nn.GRUCell(3, 2); cell.weight_ih.data = wave(3, 6).T; …; cell(wave(2, 3), wave(2, 2))
TEST_CASE("the cells compute PyTorch's numbers", "[nn][recurrent]") {
  const Tensor x = wave({2, 3}, 0.3), h = wave({2, 2}, 0.7), c = wave({2, 2}, 1.1);
  const Tensor next = wavy_cell<GRUCell>(3)(x, h);
  CHECK(difference(next.array(), tensor({{0.350895695, 0.493458385}, {-0.825628128, -0.505423403}}).array()) <
        kRounding + 1e-9);
  const LSTMState state = wavy_cell<LSTMCell>(4)(x, {h, c});
  CHECK(
      difference(state.h.array(), tensor({{0.134453406, 0.204486853}, {-0.720752671, -0.08752203}}).array()) <
      kRounding + 1e-9);
  CHECK(difference(state.c.array(),
                   tensor({{0.194374956, 0.229779508}, {-1.046446177, -0.155759332}}).array()) <
        kRounding + 1e-9);
}

TEST_CASE("the gradients of the cells agree with central differences", "[nn][recurrent]") {
  const std::vector<Tensor> gru{wave({2, 3}, 0.3), wave({2, 2}, 0.7), wave({3, 6}, 1),
                                wave({2, 6}, 2),   wave({6}, 3),      wave({6}, 4)};
  check_both_orders(
      "GRUCell", [](const auto& in) { return cell_of<GRUCell>(in[2], in[3], in[4], in[5])(in[0], in[1]); },
      gru);
  const std::vector<Tensor> lstm{wave({2, 3}, 0.3), wave({2, 2}, 0.7), wave({2, 2}, 1.1), wave({3, 8}, 1),
                                 wave({2, 8}, 2),   wave({8}, 3),      wave({8}, 4)};
  check_both_orders(
      "LSTMCell",
      [](const auto& in) {
        const auto [h, c] = cell_of<LSTMCell>(in[3], in[4], in[5], in[6])(in[0], {in[1], in[2]});
        return h + 2 * c;
      },
      lstm);
}

TEST_CASE("a sequence is the cell's steps one after another, in one part or in two", "[nn][recurrent]") {
  Rng rng(5);
  const GRUCell gru(3, 2, rng);
  const LSTMCell lstm(3, 2, rng);
  const Tensor x = randn({4, 5, 3}, rng), start = randn({4, 2}, rng), memory = randn({4, 2}, rng);
  const auto of_gru = over_sequence(gru, x, start);
  const auto of_lstm = over_sequence(lstm, x, {start, memory});
  CHECK(of_gru.outputs.shape() == Shape{4, 5, 2});
  Tensor h = start;
  LSTMState state{start, memory};
  for (int i = 0; i < 5; ++i) {
    const Tensor step = reshape(slice(x, 1, i, i + 1), {4, 3});
    h = gru(step, h), state = lstm(step, state);
    CHECK((reshape(slice(of_gru.outputs, 1, i, i + 1), {4, 2}).array() == h.array()));
    CHECK((reshape(slice(of_lstm.outputs, 1, i, i + 1), {4, 2}).array() == state.h.array()));
  }
  CHECK((of_gru.last.array() == h.array()));
  CHECK((of_lstm.last.c.array() == state.c.array()));
  const auto first = over_sequence(lstm, slice(x, 1, 0, 2), {start, memory}),
             second = over_sequence(lstm, slice(x, 1, 2), first.last);
  CHECK((concat({first.outputs, second.outputs}, 1).array() == of_lstm.outputs.array()));
  CHECK(error_of([&] { over_sequence(gru, zeros({3}), start); }) ==
        "[over_sequence] expected x (…,n,in) of at least one step, got (3).");
  CHECK(error_of([&] { over_sequence(gru, x, zeros({2})); }) ==
        "[gru] expected a state (4,2), got (2). Hint: zeros((4,2)) is a start that knows nothing.");
  CHECK(error_of([&] {
          headlight::lstm(zeros({4, 5, 6}), lstm.W_hh, lstm.b_hh, start, memory);
        }) == "[lstm] expected from_x (…,n,8) of at least one step, got (4,5,6).");
  CHECK(error_of([&] {
          headlight::gru(zeros({4, 5, 6}), lstm.W_hh, lstm.b_hh, start);
        }) == "[gru] expected W_hh (hidden,3·hidden), got (2,8).");
  CHECK(error_of([&] {
          headlight::gru(zeros({4, 5, 6}), gru.W_hh, lstm.b_hh, start);
        }) == "[gru] expected b_hh (6), got (8).");
}

TEST_CASE("the cells name their parameters, and refuse to be empty", "[nn][recurrent]") {
  Rng rng(1);
  CHECK(summary(GRUCell(3, 2, rng)) ==
        "parameter         shape     numbers\n"
        "W_ih              (3,6)          18\n"
        "W_hh              (2,6)          12\n"
        "b_ih                (6)           6\n"
        "b_hh                (6)           6\n"
        "total                            42\n");
  CHECK(parameter_count(named_parameters(LSTMCell(3, 2, rng))) == 3 * 8 + 2 * 8 + 8 + 8);
  CHECK(error_of([&] { LSTMCell(0, 2, rng); }) ==
        "a cell of 0 inputs and 2 hidden units is empty; both must be at least 1.");
}

// As above: torch.nn.functional.conv1d(wave(1, 7, 2).permute(0, 2, 1), wave(3, 2, 2).permute(2, 1, 0),
// wave(2), …)
TEST_CASE("conv1d computes PyTorch's numbers", "[nn][convolution]") {
  const Tensor x = wave({1, 7, 2}, 0.3), W = wave({3, 2, 2}, 0.9), b = wave({2}, 0.2);
  const auto check_equal = [&](const Conv1dOptions& options, const Tensor& right) {
    CHECK(difference(conv1d(x, W, b, options).array(), right.array()) < kRounding + 1e-9);
  };
  check_equal({}, tensor({{{0.047958586, 0.707051123},
                           {0.099101538, 1.21385408},
                           {0.541904001, 0.66820762},
                           {-0.365440193, 1.216464686},
                           {0.946194797, 0.702003265}}}));
  check_equal({.stride = 2, .padding = 1}, tensor({{{-0.280613347, 0.88744199},
                                                    {0.099101538, 1.21385408},
                                                    {-0.365440193, 1.216464686},
                                                    {0.623377345, 0.320811903}}}));
  check_equal({.padding = 2, .dilation = 2}, tensor({{{-0.207771122, 1.218644259},
                                                      {-0.08746952, 0.925558881},
                                                      {0.556808431, 0.612330317},
                                                      {-1.077952512, 1.358888996},
                                                      {2.309001611, 0.482489435},
                                                      {-1.299228665, 0.60283874},
                                                      {2.206519361, 1.349038169}}}));
}

TEST_CASE("conv1d refuses what does not fit", "[nn][convolution]") {
  const Tensor x = zeros({7, 2});
  CHECK(conv1d(x, zeros({7, 2, 3})).shape() == Shape{1, 3});
  CHECK(error_of([&] {
          conv1d(x, zeros({3, 4, 2}));
        }) == "[conv1d] expected x (…,n,in) and W (width,in,out), got (7,2) and (3,4,2).");
  CHECK(error_of([&] {
          conv1d(x, zeros({4, 2, 1}), {}, {.dilation = 3});
        }) == "[conv1d] a window of 10 places does not fit into 7, padding included.");
  CHECK(error_of([&] {
          conv1d(x, zeros({3, 2, 1}), {}, {.stride = 0});
        }) == "[conv1d] expected a stride and a dilation of at least 1, got 0 and 1.");
  CHECK(error_of([&] {
          conv1d(x, zeros({0, 2, 1}));
        }) == "[conv1d] expected windows of at least one place, got W (0,2,1).");
}

TEST_CASE("the layer Conv1d is conv1d with its own weights", "[nn][convolution]") {
  Rng rng(1);
  const Tensor x = wave({2, 7, 2}, 0.3);
  const Conv1d layer(2, 3, 3, rng, {.stride = 2, .padding = 1}), bare(2, 3, 3, rng, {}, false);
  CHECK(layer(x).shape() == Shape{2, 4, 3});
  CHECK(difference(layer(x).array(), conv1d(x, layer.W, layer.b, {.stride = 2, .padding = 1}).array()) == 0);
  CHECK_FALSE(bare.b.defined());
  CHECK(parameters(bare).size() == 1);
  CHECK(error_of([&] { Conv1d(2, 3, 0, rng); }) ==
        "a convolution of 2 inputs and 3 outputs over 0 places is empty; all three must be at least 1.");
}
