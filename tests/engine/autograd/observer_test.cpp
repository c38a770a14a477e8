// Observers of ops: what they are called with, and when.
#include "headlight/autograd/observer.h"

#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "headlight/autograd/anomaly.h"
#include "headlight/autograd/audit.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/record.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

// Writes down every call.
class Log final : public OpObserver {
 public:
  std::vector<std::string> lines;

  void computed(const char* op, std::span<const Tensor>, const Array&) override { add("computed", op); }
  void recorded(const Tensor& result) override { add("recorded", result.op()); }
  void made_constant(const Tensor&, const char* how, const char* op, std::span<const Tensor>) override {
    add(how, op);
  }
  void derivative_begins(const Tensor& output) override { add("begins", output.op()); }
  void derivative_ends() override { add("ends", ""); }
  void differentiated(const Tensor& output, std::size_t which, const Tensor&, const Tensor&) override {
    add("differentiated " + std::to_string(which), output.op());
  }

  std::vector<std::string> take() { return std::exchange(lines, {}); }

 private:
  void add(const std::string& what, const std::string& op) { lines.push_back(what + " " + op); }
};

// Exists until the program ends, as an observer must.
Log log_of_test;

struct Logging {
  Logging() { log_of_test.take(), log_of_test.switch_on(); }
  ~Logging() { log_of_test.switch_off(); }
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an observer is called for ops, constants and derivatives", "[observer]") {
  const Tensor x = parameter({1, 2});
  const Logging on;
  const Tensor y = sum(x * x);
  CHECK(log_of_test.take() == Lines{"computed mul", "recorded mul", "computed sum", "recorded sum"});
  {
    const NoGrad no_grad;
    (void)(x * x);
  }
  (void)y.detach();
  CHECK(log_of_test.take() == Lines{"computed mul", "NoGrad mul", "detach() sum"});
  y.backward();
  const Lines backward = log_of_test.take();
  CHECK(backward.front() == "begins sum");
  CHECK(std::count(backward.begin(), backward.end(), "differentiated 0 sum") == 1);
  CHECK(std::count(backward.begin(), backward.end(), "begins mul") == 1);
  CHECK(std::count(backward.begin(), backward.end(), "differentiated 1 mul") == 1);
  CHECK(backward.back() == "ends ");
}

TEST_CASE("an observer is called for nothing before it is on and after it is off", "[observer]") {
  const Tensor x = parameter({1, 2});
  log_of_test.take();
  sum(x * x).backward();
  {
    const Logging outer;
    { const Logging inner; }
    CHECK(observers().size() == 1);
    (void)(x * x);
    CHECK(log_of_test.take() == Lines{"computed mul", "recorded mul"});  // once, however often it is on
  }
  CHECK(observers().empty());
  (void)(x * x);
  CHECK(log_of_test.take().empty());
}

TEST_CASE("a derivative that throws ends for its observers", "[observer]") {
  const Tensor x = parameter({1, 2});
  const Tensor y = record("broken", {x}, Array(x.array()),
                          [](const Tensor&, const Tensor&) -> Tensor { fail("it cannot be computed."); });
  const Tensor loss = sum(y);
  const Logging on;
  CHECK(error_of([&] { loss.backward(); }) == "it cannot be computed.");
  CHECK(log_of_test.take().back() == "ends ");
}

TEST_CASE("observers do not disturb each other, and get the ops of all threads", "[observer]") {
  const Tensor x = parameter({1, 2});
  const Logging on;
  const AnomalyScope anomalies;
  const AuditScope cuts;
  CHECK(observers().size() == 3);
  std::thread([&] { (void)(x * x); }).join();
  CHECK(log_of_test.take() == Lines{"computed mul", "recorded mul"});
  const Tensor loss = sum(x.detach() * x);
  loss.backward();
  CHECK(x.grad().array()(1) == 2);
  const AuditReport report = audit([&] { return sum(x.detach()); }, {{"x", x}});
  CHECK(contains(report.findings.at(0).message, "cut by detach()"));
}
