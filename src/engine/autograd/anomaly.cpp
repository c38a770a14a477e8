#include "headlight/autograd/anomaly.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "headlight/autograd/node.h"
#include "headlight/autograd/observer.h"
#include "headlight/core/check.h"

namespace headlight {
namespace {

// The ops whose derivatives this thread is computing, the innermost last.
thread_local std::vector<const char*> differentiated_ops;

// The worst kind of number in an array, and the first element of that kind.
struct Worst {
  enum Kind { finite, infinite, nan } kind = finite;
  std::size_t at = 0;
};

Worst worst_of(const Array& x) {
  Worst worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real value = x.data()[i];
    if (std::isfinite(value)) continue;
    if (std::isnan(value)) return {Worst::nan, i};
    if (worst.kind == Worst::finite) worst = {Worst::infinite, i};
  }
  return worst;
}

const char* name_of(Worst::Kind kind) { return kind == Worst::nan ? "NaN" : "an infinity"; }

// "'div'", or "'div', in the derivative of 'sqrt',"
std::string op_here(const char* op) {
  return differentiated_ops.empty()
             ? fmt::format("'{}'", op)
             : fmt::format("'{}', in the derivative of '{}',", op, differentiated_ops.back());
}

std::string list_of(std::span<const Tensor> inputs) {
  std::string list;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    list += (i == 0 ? "" : i + 1 < inputs.size() ? ", " : " and ") + describe(inputs[i]);
  return list;
}

// FNV-1a over the bits of the numbers.
std::uint64_t hash_of(const Array& x) {
  std::uint64_t hash = 14695981039346656037U;
  for (std::size_t i = 0; i < x.size(); ++i)
    hash = (hash ^ std::bit_cast<std::uint64_t>(static_cast<double>(x.data()[i]))) * 1099511628211U;
  return hash;
}

// Of each input of an op; 0 for the result of another op, which cannot change.
struct InputHashes : Note {
  std::vector<std::uint64_t> hashes;
};

class AnomalyObserver final : public OpObserver {
 public:
  void computed(const char* op, std::span<const Tensor> inputs, const Array& result) override {
    const Worst made = worst_of(result);
    if (made.kind == Worst::finite) return;
    Worst::Kind given = Worst::finite;
    for (const Tensor& input : inputs) {
      const Worst worst = worst_of(input.array());
      if (worst.kind == Worst::nan && input.is_leaf())
        fail("[anomaly] {} was given NaN: element {} of {}, which no op has made.", op_here(op),
             unravel_index(worst.at, input.shape()), describe(input));
      given = std::max(given, worst.kind);
    }
    check(made.kind <= given, "[anomaly] {} made {}: element {} of its result {}. Its inputs: {}{}.",
          op_here(op), name_of(made.kind), unravel_index(made.at, result.shape()), result.shape(),
          list_of(inputs), given == Worst::finite ? ", all finite" : "; there is an infinity in them");
  }

  void recorded(const Tensor& result) override {
    auto note = std::make_unique<InputHashes>();
    for (const Input& input : result.node()->inputs)
      note->hashes.push_back(input.tensor.is_leaf() ? hash_of(input.tensor.array()) : 0);
    result.node()->notes.push_back(std::move(note));
  }

  // A change through a kept reference gets the new version that mutable_array() would have given it, and the
  // backward pass reports the change.
  void derivative_begins(const Tensor& output) override {
    differentiated_ops.push_back(output.op());
    const auto* note = output.node()->note<InputHashes>();
    if (note == nullptr) return;
    for (std::size_t i = 0; i < note->hashes.size(); ++i) {
      const Tensor& input = output.node()->inputs[i].tensor;
      if (input.is_leaf() && hash_of(input.array()) != note->hashes[i]) ++input.node()->version;
    }
  }

  void derivative_ends() override { differentiated_ops.pop_back(); }

  void differentiated(const Tensor& output, std::size_t which, const Tensor& given,
                      const Tensor& made) override {
    if (!made.defined()) return;
    const Worst worst = worst_of(made.array());
    if (worst.kind <= worst_of(given.array()).kind) return;
    fail(
        "[anomaly] the derivative of '{}' made {} in the backward pass: element {} of the cotangent of its "
        "input {}, {}.",
        output.op(), name_of(worst.kind), unravel_index(worst.at, made.shape()), which,
        describe(output.node()->inputs[which].tensor));
  }
};

AnomalyObserver anomaly_observer;
std::atomic<int> anomaly_scopes{0};

}  // namespace

AnomalyScope::AnomalyScope() {
  ++anomaly_scopes;
  anomaly_observer.switch_on();
}
AnomalyScope::~AnomalyScope() {
  anomaly_observer.switch_off();
  --anomaly_scopes;
}

bool anomalies_watched() { return anomaly_scopes > 0; }

}  // namespace headlight
