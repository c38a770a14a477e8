// Derivatives and gradients that cannot be right are refused, each in a sentence.
#include "catch.h"
#include "headlight/autograd/autograd.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

// x, recorded with these derivatives.
Tensor recorded(const Tensor& x, JointVjp joint) {
  return record_joint("mine", std::vector<Tensor>{x}, Array(x.array()), std::move(joint));
}

}  // namespace

TEST_CASE("scopes of recording may end in any order", "[autograd]") {
  for (const bool first_ends_first : {true, false}) {
    auto a = std::make_unique<NoGrad>(), b = std::make_unique<NoGrad>();
    (first_ends_first ? a : b).reset();
    CHECK_FALSE(recording());
    (first_ends_first ? b : a).reset();
    CHECK(recording());
  }
  auto off = std::make_unique<NoGrad>();
  auto on = std::make_unique<RecordingScope>(true);
  CHECK(recording());
  off.reset();
  CHECK(recording());
  on.reset();
  CHECK(recording());
}

TEST_CASE("an empty derivative is refused where it is recorded", "[autograd]") {
  const Tensor x = parameter({1, 2});
  CHECK(contains(error_of([&] { recorded(x, {}); }), "the derivative of op 'mine' is an empty function"));
  CHECK(contains(error_of([&] { record("mine", {x}, Array(x.array()), Vjp()); }),
                 "the derivative of op 'mine' for input 0 is an empty function"));
  const auto same = [](const std::vector<Tensor>& in) { return in[0]; };
  const FusedVjp pass = [](auto, const Tensor& g, const Tensor&) { return std::vector<Tensor>{g}; };
  for (const auto& [vjp, reference] :
       {std::pair<FusedVjp, std::function<Tensor(const std::vector<Tensor>&)>>{{}, same}, {pass, {}}})
    CHECK(contains(error_of([&, f = vjp, r = reference] {
                     record_fused("mine", std::vector<Tensor>{x}, Array(x.array()), f, r);
                   }),
                   "the derivative or the reference of op 'mine' is an empty function"));
}

TEST_CASE("a derivative must return one cotangent for each input", "[autograd]") {
  for (const std::size_t returned : {0, 2}) {
    const Tensor y = recorded(parameter({1, 2}), [returned](const Tensor& g, const Tensor&) {
      return std::vector<Tensor>(returned, g);
    });
    CHECK(error_of([&] { sum(y).backward(); }) ==
          fmt::format("[mine] its derivative expected to return 1 cotangents, one for each input, got {}.",
                      returned));
  }
}

TEST_CASE("gradcheck and audit need a function, and gradcheck one whose result keeps its shape",
          "[autograd]") {
  const Tensor x = parameter({1, 2});
  CHECK(contains(error_of([&] { gradcheck("mine", {}, {x}); }), "the function of 'mine' is empty"));
  CHECK(contains(error_of([&] { gradgradcheck("mine", {}, {x}); }), "the function of 'mine' is empty"));
  CHECK(contains(error_of([] { audit(std::function<Tensor()>(), {}); }), "computes the loss is empty"));
  std::size_t calls = 0;
  const auto growing = [&](const std::vector<Tensor>& in) { return broadcast_to(in[0], {++calls, 2}); };
  CHECK(contains(error_of([&] { gradcheck("mine", growing, {x}); }),
                 "whose result keeps its shape, got (1,2) and then (2,2)"));
}

TEST_CASE("a gradient of another shape than its parameter is not handed out", "[autograd]") {
  Tensor p = parameter(ones({2}));
  sum(p * p).backward();
  p.mutable_array() = full_array({8}, 1);
  CHECK(contains(error_of([&] { p.grad(); }), "a tensor of shape (8) has a gradient of shape (2)"));
  p.zero_grad();
  sum(p * p).backward();
  CHECK(p.grad().shape() == Shape{8});
}
