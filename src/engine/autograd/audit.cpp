#include "headlight/autograd/audit.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cut.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/graph.h"
#include "headlight/autograd/node.h"
#include "headlight/core/check.h"
#include "headlight/core/finite.h"

namespace headlight {
namespace {

bool all_zero(const Array& x) {
  return std::all_of(x.begin(), x.end(), [](Real value) { return value == 0; });
}

std::string op_and_shape(const Tensor& x) { return fmt::format("'{}' {}", x.op(), x.shape()); }

std::vector<Tensor> besides(const std::vector<Tensor>& nodes, const std::vector<Tensor>& parameters) {
  std::unordered_set<const Node*> given;
  for (const Tensor& parameter : parameters) given.insert(parameter.node().get());
  std::vector<Tensor> others;
  for (const Tensor& x : nodes)
    if (x.is_leaf() && x.requires_grad() && !given.contains(x.node().get())) others.push_back(x);
  return others;
}

// The graph of the loss, with the cotangent and the users of every node.
class Audit {
 public:
  Audit(const Tensor& loss, AuditReport& report) : loss_(loss), report_(report), nodes_(graph_of(loss)) {
    std::vector<Tensor> differentiable;
    for (const Tensor& x : nodes_) {
      if (x.requires_grad()) differentiable.push_back(x);
      for (const Input& input : x.node()->inputs) users_[input.tensor.node().get()].push_back(x);
    }
    if (differentiable.empty()) return;
    const auto cotangents = grad(loss, differentiable, {.retain_graph = true, .allow_unused = true});
    for (std::size_t i = 0; i < cotangents.size(); ++i)
      cotangents_.emplace(differentiable[i].node().get(), cotangents[i]);
  }

  void look_at(const std::string& name, const Tensor& parameter) {
    const auto found = cotangents_.find(parameter.node().get());
    if (found == cotangents_.end()) return report_unreachable(name, parameter);
    const Array& g = found->second.array();
    if (!all_finite(g)) {
      const std::string where = first_above(parameter, [](const Array& x) { return !all_finite(x); });
      add(AuditFault::not_finite, name, where, "its gradient is not finite; it becomes so at {}.", where);
    } else if (all_zero(g)) {
      const std::string where = first_above(parameter, all_zero);
      add(AuditFault::zero_gradient, name, where, "its gradient is exactly 0; it becomes so at {}.", where);
    }
    if (parameter.has_grad() && all_finite(g) && !(parameter.grad().array() == g))
      add(AuditFault::accumulated, name, "",
          "grad() holds more than this loss's gradient: an earlier backward() left it there. Hint: "
          "zero_grad() before each backward().");
  }

  void look_for_others(const NamedTensors& parameters) {
    std::vector<Tensor> given;
    for (const auto& [name, parameter] : parameters) given.push_back(parameter);
    for (const Tensor& other : besides(nodes_, given)) {
      const auto users = users_.find(other.node().get());
      const std::string where =
          users == users_.end() ? "the loss itself" : op_and_shape(users->second.front());
      add(AuditFault::not_listed,
          other.name().empty() ? fmt::format("a parameter of shape {}", other.shape()) : other.name(), where,
          "it enters the loss at {} and is not among the parameters given. Hint: does visit() name it?",
          where);
    }
  }

  // A unit is an index of the last axis.
  void look_for_dead_relus() {
    for (const Tensor& x : nodes_) {
      if (std::string(x.op()) != "relu" || x.dim() == 0 || x.size() == x.length(-1)) continue;
      const std::size_t units = x.length(-1);
      std::size_t dead = 0;
      for (std::size_t unit = 0; unit < units; ++unit) {
        bool alive = false;
        for (std::size_t i = unit; i < x.size() && !alive; i += units) alive = x.array().data()[i] != 0;
        dead += !alive;
      }
      if (dead > 0)
        add(AuditFault::dead_relu, "relu", op_and_shape(x),
            "{} of {} units of {} are 0 for every input: nothing behind them gets a gradient.", dead, units,
            op_and_shape(x));
    }
  }

 private:
  template <class... Args>
  void add(AuditFault fault, const std::string& name, const std::string& where,
           fmt::format_string<Args...> message, Args&&... args) {
    report_.findings.push_back({fault, name, where, fmt::format(message, std::forward<Args>(args)...)});
  }

  // The nearest user of x whose own cotangent is not `bad`.
  template <class Bad>
  std::string first_above(const Tensor& x, Bad bad) const {
    std::vector<Tensor> todo{x};
    std::unordered_set<const Node*> seen;
    for (std::size_t i = 0; i < todo.size(); ++i) {
      const auto users = users_.find(todo[i].node().get());
      if (users == users_.end()) continue;
      for (const Tensor& user : users->second) {
        const auto cotangent = cotangents_.find(user.node().get());
        if (cotangent == cotangents_.end() || !seen.insert(user.node().get()).second) continue;
        if (!bad(cotangent->second.array())) return op_and_shape(user);
        todo.push_back(user);
      }
    }
    return "the loss itself";
  }

  void report_unreachable(const std::string& name, const Tensor& parameter) {
    if (!parameter.requires_grad())
      return add(AuditFault::unreachable, name, "",
                 "it requires no gradient. Hint: make it with parameter().");
    const auto [how, where, entrance] = cut_before(parameter);
    if (where.empty())
      return add(
          AuditFault::unreachable, name, "",
          "the loss does not depend on it: it was not used, or its numbers were copied out of the graph{}.",
          traced_ ? "" : " (compute the loss inside an AuditScope to see the cuts of detach() and NoGrad)");
    add(AuditFault::unreachable, name, where, "the graph was cut by {} at {}, which enters {} as a constant.",
        how, where, entrance);
  }

  struct CutPlace {
    std::string how, where, entrance;
  };

  // Searches from the loss through recorded inputs and cuts for the parameter, and reports the first cut on
  // the path.
  CutPlace cut_before(const Tensor& parameter) {
    std::unordered_map<const Node*, Tensor> reached_from;
    std::vector<Tensor> todo{loss_};
    reached_from.emplace(loss_.node().get(), Tensor());
    const auto go = [&](const Tensor& from, const Tensor& to) {
      if (reached_from.emplace(to.node().get(), from).second) todo.push_back(to);
    };
    for (std::size_t i = 0; i < todo.size(); ++i) {
      const Tensor x = todo[i];
      for (const Input& input : x.node()->inputs) go(x, input.tensor);
      const Cut* cut = cut_of(x);
      if (cut == nullptr) continue;
      traced_ = true;
      for (const Tensor& input : cut->inputs) go(x, input);
    }
    CutPlace place;
    if (!reached_from.contains(parameter.node().get())) return place;
    for (Tensor x = parameter; x.defined(); x = reached_from.at(x.node().get())) {
      const Cut* cut = cut_of(x);
      if (place.where.empty() && cut != nullptr && *cut->how != '\0')
        place = {cut->how, fmt::format("'{}' {}", cut->op, x.shape()), "the loss"};
      else if (!place.where.empty() && x.requires_grad())
        return {place.how, place.where, op_and_shape(x)};
    }
    return place;
  }

  Tensor loss_;
  AuditReport& report_;
  std::vector<Tensor> nodes_;
  std::unordered_map<const Node*, std::vector<Tensor>> users_;
  std::unordered_map<const Node*, Tensor> cotangents_;
  bool traced_ = false;
};

}  // namespace

bool AuditReport::has(AuditFault fault, const std::string& parameter) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const AuditFinding& f) { return f.fault == fault && f.parameter == parameter; });
}

std::vector<Tensor> parameters_besides(const Tensor& root, const std::vector<Tensor>& parameters) {
  return besides(graph_of(root), parameters);
}

std::string to_string(const AuditReport& report) {
  if (report.ok()) return fmt::format("{} parameters: each gets a gradient.\n", report.parameters);
  std::string text;
  for (const AuditFinding& f : report.findings) text += fmt::format("{}: {}\n", f.parameter, f.message);
  return text;
}

AuditReport audit(const Tensor& loss, const NamedTensors& parameters) {
  check(loss.defined() && loss.requires_grad(),
        "[audit] the loss needs no gradient: the graph was cut before it, or nothing in it is a "
        "parameter(). Hint: pass the function that computes it, and audit() says where.");
  AuditReport report{.parameters = parameters.size(), .findings = {}};
  Audit audit(loss, report);
  for (const auto& [name, parameter] : parameters) audit.look_at(name, parameter);
  audit.look_for_others(parameters);
  audit.look_for_dead_relus();
  return report;
}

AuditReport audit(const std::function<Tensor()>& loss, const NamedTensors& parameters) {
  check(static_cast<bool>(loss), "[audit] the function that computes the loss is empty.");
  const AuditScope scope;
  const Tensor value = loss();
  if (value.defined() && value.requires_grad()) return audit(value, parameters);
  check(value.defined() && value.size() == 1,
        "[audit] the loss must be a scalar. Hint: take its sum() or mean().");
  AuditReport report{.parameters = parameters.size(), .findings = {}};
  Audit nothing_recorded(value, report);
  for (const auto& [name, parameter] : parameters) nothing_recorded.look_at(name, parameter);
  return report;
}

}  // namespace headlight
