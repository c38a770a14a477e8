// Modules that somebody else writes, and modules that are const.
#include <sstream>

#include "catch.h"
#include "headlight/nn/layers.h"
#include "headlight/nn/sequential.h"
#include "headlight/ops/ops.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

struct Tower {
  Linear first;
  std::vector<Linear> more;
  std::vector<Tensor> scales;
  void visit(auto&& v) const { v("first", first), v("more", more), v("scales", scales), v("hook_top"); }
};

struct WithoutConst {
  Tensor W;
  void visit(auto&& v) { v("W", W); }
};

Tower tower() {
  Rng rng(1);
  return {Linear(2, 3, rng), {Linear(3, 3, rng), Linear(3, 1, rng)}, {parameter(1), parameter(2)}};
}

}  // namespace

TEST_CASE("a const module gives names, parameters, hooks and its table", "[nn]") {
  const Tower module = tower();
  std::string names;
  for (const auto& [name, parameter] : named_parameters(module)) names += name + " ";
  CHECK(names == "first.W first.b more.0.W more.0.b more.1.W more.1.b scales.0 scales.1 ");
  CHECK(parameters(module).size() == 8);
  CHECK(hook_names(module) == std::vector<std::string>{"hook_top"});
  CHECK(contains(summary(module), "more.1.W          (3,1)           3\n"));
  std::ostringstream out;
  out << module << module.first;
  CHECK(out.str() == summary(module) + summary(module.first));
  const Tower copy = clone(module);
  CHECK_FALSE(same_node(copy.scales[1], module.scales[1]));
  CHECK(copy.scales[1].item() == 2);
}

TEST_CASE("visit() of a const module takes any function", "[nn]") {
  Rng rng(1);
  const Linear layer(2, 3, rng);
  std::string seen;
  layer.visit([&](const char* name, const Tensor& x) { seen += fmt::format("{}{} ", name, x.shape()); });
  CHECK(seen == "W(2,3) b(3) ");
}

TEST_CASE("a visit() that is not const names members too", "[nn]") {
  const WithoutConst module{parameter({1, 2})};
  CHECK(same_node(parameters(module).at(0), module.W));
  CHECK_FALSE(same_node(clone(module).W, module.W));
}

TEST_CASE("layers one after another are a module", "[nn]") {
  Rng rng(1);
  const Linear first(2, 3, rng), second(3, 1, rng);
  const auto twice = [](const Tensor& x) { return 2 * x; };
  const Sequential net(first, relu, twice, second);
  const Tensor x = randn({4, 2}, rng);
  CHECK((net(x).array() == second(2 * relu(first(x))).array()));
  std::vector<std::string> names;
  for (const auto& [name, parameter] : named_parameters(net)) names.push_back(name);
  CHECK(names == std::vector<std::string>{"0.W", "0.b", "3.W", "3.b"});
  CHECK(same_node(named_parameters(net)[0].second, first.W));
  CHECK_FALSE(same_node(named_parameters(clone(net))[0].second, first.W));
}
