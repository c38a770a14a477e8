// What holds for every op, checked over the list of samples.
#include <map>
#include <set>

#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/ops/ops.h"
#include "samples.h"

using namespace headlight;

namespace {

Array random_like(const Tensor& y) {
  Rng rng(11);
  return rng.normal_array(y.shape());
}

}  // namespace

TEST_CASE("every op has samples", "[ops]") {
  std::set<std::string> sampled;
  for (const Sample& s : samples()) sampled.insert(s.op);
  const auto declared = declared_ops();
  CHECK(declared.size() >= 40);
  for (const auto& op : declared) {
    INFO("no sample for '" << op << "': add one to tests/engine/ops/samples.cpp");
    CHECK(sampled.contains(op));
  }
  for (const auto& op : sampled) {
    INFO("a sample for '" << op << "', which no header declares");
    CHECK(declared.contains(op));
  }
}

TEST_CASE("every op's derivative agrees with central differences", "[ops]") {
  for (const Sample& s : samples()) {
    const auto report = gradcheck(s.op, s.function, s.inputs);
    INFO(s.what << ": " << report.message);
    CHECK(report.ok);
  }
}

// Differences of recorded gradients say nothing about those gradients themselves; this does.
TEST_CASE("every op's recorded gradient equals the plain one", "[ops]") {
  for (const Sample& s : samples()) {
    std::vector<Tensor> inputs;
    for (const Tensor& x : s.inputs) inputs.push_back(parameter(x.array()));
    INFO(s.op << " " << s.what);
    const Tensor y = s.function(inputs), u(random_like(y));
    const auto plain = grad(y, inputs, {.cotangent = u, .retain_graph = true}),
               recorded = grad(y, inputs, {.cotangent = u, .create_graph = true});
    for (std::size_t i = 0; i < inputs.size(); ++i)
      CHECK(difference(recorded[i].array(), plain[i].array()) < 10 * kRounding);
  }
}

TEST_CASE("every op's second derivative agrees with central differences", "[ops]") {
  std::set<std::string> checked;
  for (const Sample& s : samples()) {
    const auto report = check_second(s.op, s.function, s.inputs);
    INFO(s.what << ": " << report.message);
    CHECK(report.ok);
    checked.insert(s.op);
  }
  CHECK(checked == declared_ops());
}

TEST_CASE("every input of every op is differentiated in some sample", "[ops]") {
  std::map<std::string, std::set<std::size_t>> given, differentiated;
  for (const Sample& s : samples())
    for (std::size_t i = 0; i < s.inputs.size(); ++i) {
      given[s.op].insert(i);
      if (s.inputs[i].requires_grad()) differentiated[s.op].insert(i);
    }
  CHECK(given == differentiated);
  CHECK(given["scaled_dot_product_attention"].size() == 6);
  CHECK(given["layer_norm"].size() == 3);
}

TEST_CASE("every fused op equals its reference in value and gradient", "[ops]") {
  std::set<std::string> fused;
  for (const Sample& s : samples()) {
    if (!s.reference) continue;
    fused.insert(s.op);
    INFO(s.op << " " << s.what);
    const Tensor y = s.function(s.inputs), expected = s.reference(s.inputs);
    CHECK(difference(y.array(), expected.array()) < kRounding);
    const Tensor u(random_like(y));
    const auto grads = grad(y, s.inputs, {.cotangent = u}),
               wanted = grad(expected, s.inputs, {.cotangent = u});
    for (std::size_t i = 0; i < grads.size(); ++i)
      CHECK(difference(grads[i].array(), wanted[i].array()) < 10 * kRounding);
  }
  CHECK(fused == std::set<std::string>{"cross_entropy", "gelu", "gru", "layer_norm", "linear", "log_softmax",
                                       "lstm", "rms_norm", "scaled_dot_product_attention", "silu", "smear",
                                       "softmax"});
}

TEST_CASE("ops without gradients compute the same and record nothing", "[ops]") {
  for (const Sample& s : samples()) {
    std::vector<Tensor> constants;
    for (const Tensor& x : s.inputs) constants.push_back(x.detach());
    const Tensor y = s.function(constants);
    INFO(s.op << " " << s.what);
    CHECK_FALSE(y.requires_grad());
    CHECK(difference(y.array(), s.function(s.inputs).array()) == 0);
  }
}
