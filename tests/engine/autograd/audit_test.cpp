#include "headlight/autograd/audit.h"

#include <algorithm>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/graph.h"
#include "headlight/autograd/record.h"
#include "headlight/nn/attention.h"
#include "headlight/nn/transformer.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

const AuditFinding& only(const AuditReport& report) {
  INFO(to_string(report));
  REQUIRE(report.findings.size() == 1);
  return report.findings[0];
}

// Two layers with a relu between them, and a bias that decides whether it lives.
struct TwoLayers {
  Tensor W1 = parameter(tensor({{0.5, -1, 2}, {1, 0.3, -0.7}})), b1 = parameter(tensor({0, 0, 0}));
  Tensor W2 = parameter(tensor({{1}, {-2}, {0.5}})), x = tensor({{1, 2}, {-1, 0.5}, {0.3, -2}});

  NamedTensors parameters() const { return {{"W1", W1}, {"b1", b1}, {"W2", W2}}; }
  Tensor loss() const {
    const Tensor y = matmul(relu(linear(x, W1, b1)), W2);
    return sum(y * y);
  }
};

// Attention whose queries go through `cut` on their way.
template <class Cutting>
AuditReport audit_attention(Cutting cut) {
  Rng rng(5);
  nn::MultiHeadAttention attention({.d_model = 4, .n_heads = 2, .bias = true}, rng);
  const Tensor x(rng.normal_array({2, 3, 4}));
  return audit(
      [&] {
        const Tensor q = cut([&] { return linear(x, attention.W_Q, attention.b_Q); });
        const Tensor k = linear(x, attention.W_K, attention.b_K), v = linear(x, attention.W_V, attention.b_V);
        const Tensor z = scaled_dot_product_attention(q, k, v, {.n_heads = 2});
        const Tensor y = linear(z, attention.W_O, attention.b_O);
        return sum(y * y);
      },
      nn::named_parameters(attention));
}

}  // namespace

TEST_CASE("the audit finds a parameter that is not in the list", "[audit]") {
  const TwoLayers layers;
  NamedTensors parameters = layers.parameters();
  parameters.pop_back();
  const AuditReport report = audit(layers.loss(), parameters);
  CHECK(to_string(report) ==
        "a parameter of shape (3,1): it enters the loss at 'matmul' (3,1) and is not among the parameters "
        "given. Hint: does visit() name it?\n");
  CHECK(report.has(AuditFault::not_listed, "a parameter of shape (3,1)"));
  Tensor(layers.W2).set_name("W2");
  CHECK(audit(layers.loss(), parameters).has(AuditFault::not_listed, "W2"));
  const Tensor alone = parameter(1.5);
  CHECK(only(audit(alone, {})).where == "the loss itself");
  const auto others = parameters_besides(layers.loss(), {layers.W1, layers.b1});
  REQUIRE(others.size() == 1);
  CHECK(same_node(others[0], layers.W2));
}

TEST_CASE("the audit of a sound model finds nothing", "[audit]") {
  Rng rng(3);
  nn::Transformer model({.d_model = 8, .n_heads = 2, .d_mlp = 8, .d_vocab = 5, .n_ctx = 4, .bias = true},
                        rng);
  const IntArray tokens{{0, 1, 2, 3}, {4, 3, 0, 1}}, targets{{1, 2, 3, 4}, {3, 0, 1, 2}};
  const auto report =
      audit([&] { return cross_entropy(model(tokens), targets); }, nn::named_parameters(model));
  INFO(to_string(report));
  CHECK(report.ok());
  CHECK(to_string(report) == fmt::format("{} parameters: each gets a gradient.\n", report.parameters));
}

TEST_CASE("the audit finds a detached query and says where it was cut", "[audit]") {
  const auto report = audit_attention([](auto q) { return q().detach(); });
  CHECK(report.findings.size() == 2);
  CHECK(report.has(AuditFault::unreachable, "W_Q"));
  CHECK(report.has(AuditFault::unreachable, "b_Q"));
  CHECK(report.findings[0].message ==
        "the graph was cut by detach() at 'linear' (2,3,4), which enters "
        "'scaled_dot_product_attention' (2,3,4) as a constant.");
}

TEST_CASE("the audit finds a NoGrad in the middle and says which op ran under it", "[audit]") {
  const auto report = audit_attention([](auto q) {
    const NoGrad no_grad;
    return q() * 2;
  });
  CHECK(report.has(AuditFault::unreachable, "W_Q"));
  CHECK(report.findings[0].where == "'linear' (2,3,4)");
  CHECK(contains(report.findings[0].message,
                 "cut by NoGrad at 'linear' (2,3,4), which enters 'scaled_dot_product_attention' (2,3,4)"));
}

TEST_CASE("the audit finds a parameter that is not used", "[audit]") {
  const TwoLayers model;
  NamedTensors parameters = model.parameters();
  parameters.emplace_back("W3", parameter(tensor({1, 2})));
  const auto finding = only(audit(model.loss(), parameters));
  CHECK(finding.fault == AuditFault::unreachable);
  CHECK(finding.parameter == "W3");
  CHECK(finding.where.empty());
  CHECK(contains(finding.message, "the loss does not depend on it"));
}

TEST_CASE("the audit finds a dead relu, and the parameters that it starves", "[audit]") {
  TwoLayers model;
  model.b1.mutable_array().fill(-100);
  const auto report = audit(model.loss(), model.parameters());
  INFO(to_string(report));
  CHECK(report.has(AuditFault::dead_relu, "relu"));
  CHECK(report.has(AuditFault::zero_gradient, "W1"));
  CHECK(report.has(AuditFault::zero_gradient, "b1"));
  CHECK(contains(to_string(report), "3 of 3 units of 'relu' (3,3) are 0 for every input"));
}

TEST_CASE("the audit names the op at which a gradient becomes 0", "[audit]") {
  const Tensor w = parameter(tensor({1, 2})), v = parameter(tensor({1, 1}));
  const Tensor hidden = relu(tanh(w) - 5) * 3;
  const auto report = audit(sum(hidden * v + v), {{"w", w}, {"v", v}});
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].parameter == "w");
  CHECK(report.findings[0].where == "'relu' (2)");
}

TEST_CASE("the audit finds one dead unit among living ones", "[audit]") {
  TwoLayers model;
  model.b1.mutable_array()(1) = -100;
  const auto finding = only(audit(model.loss(), model.parameters()));
  CHECK(finding.fault == AuditFault::dead_relu);
  CHECK(contains(finding.message, "1 of 3 units"));
}

TEST_CASE("the audit finds a gradient that is not finite, and where it became so", "[audit]") {
  const Tensor x = parameter(tensor({4, 0}));
  const auto finding = only(audit(sum(sqrt(x * x)), {{"x", x}}));
  CHECK(finding.fault == AuditFault::not_finite);
  CHECK(finding.where == "'sqrt' (2)");
}

TEST_CASE("the audit finds a gradient left by an earlier backward", "[audit]") {
  TwoLayers model;
  model.loss().backward();
  CHECK(audit(model.loss(), model.parameters()).ok());  // it is this loss's own
  model.loss().backward();
  const auto report = audit(model.loss(), model.parameters());
  CHECK(report.has(AuditFault::accumulated, "W1"));
  CHECK(report.findings.size() == 3);
  CHECK(contains(report.findings[0].message, "zero_grad()"));
}

TEST_CASE("the audit touches no gradient and keeps the graph", "[audit]") {
  const TwoLayers model;
  const Tensor loss = model.loss();
  audit(loss, model.parameters());
  CHECK_FALSE(model.W1.grad().defined());
  loss.backward();
  CHECK(model.W1.grad().defined());
}

TEST_CASE("what cannot be audited is explained", "[audit]") {
  const TwoLayers model;
  CHECK(contains(error_of([&] { audit(model.loss().detach(), model.parameters()); }),
                 "[audit] the loss needs no gradient"));
  CHECK(contains(error_of([&] { audit(relu(model.W1), model.parameters()); }), "a gradient is of a scalar"));
  const Tensor loss = model.loss();
  loss.backward();
  CHECK(contains(error_of([&] { audit(loss, model.parameters()); }), "was freed by"));
}

TEST_CASE("a loss computed under NoGrad is reported for every parameter", "[audit]") {
  const TwoLayers model;
  const auto report = audit(
      [&] {
        const NoGrad no_grad;
        return model.loss();
      },
      model.parameters());
  CHECK(report.findings.size() == 3);
  CHECK(contains(report.findings[2].message, "cut by NoGrad at 'matmul' (3,1), which enters the loss"));
}

TEST_CASE("the audit scope keeps nothing once it has gone", "[audit]") {
  const auto before = live_nodes();
  {
    const TwoLayers model;
    audit([&] { return model.loss() + model.loss().detach(); }, model.parameters());
    const AuditScope scope;
    Tensor chain = model.loss().detach();
    for (int i = 0; i < 100000; ++i) chain = chain + 1;
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("graph_of lists inputs before results", "[autograd]") {
  const Tensor x = parameter(tensor({1, 2}));
  const Tensor y = sum(x * x + 1);
  const auto nodes = graph_of(y);
  REQUIRE(nodes.size() == 5);
  CHECK(same_node(nodes[0], x));
  CHECK(same_node(nodes[4], y));
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const Input& input : nodes[i].node()->inputs)
      CHECK(std::any_of(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Tensor& older) { return same_node(older, input.tensor); }));
  y.backward();
  CHECK(contains(error_of([&] { graph_of(y); }), "was freed by a backward pass"));
}
