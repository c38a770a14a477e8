// `./headlight gradients`, run as a user runs it.
#include <nlohmann/json.hpp>
#include <set>

#include "program.h"

using namespace headlight;

namespace {

Outcome gradients(const std::string& arguments = "") {
  return run_program("headlight_gradients " + arguments);
}

}  // namespace

TEST_CASE("the ledger prints a line for each gradient, all OK", "[app][long]") {
  const Outcome o = gradients();
  INFO(o.out << o.err);
  CHECK(o.status == 0);
  for (const char* line :
       {"\nself: ", "\nmasked-row: ", "\nmodel: ", "dP        dZ Vᵀ", "  db_K ", "unembed.W_U"})
    CHECK(contains(o.out, line));
  CHECK_FALSE(contains(o.out, "WRONG"));
  CHECK(contains(o.out, "gradients, all OK. Largest differences: hand-tape "));
}

TEST_CASE("the ledger as JSON has every gradient within its bounds", "[app][long]") {
  const Outcome o = gradients("--json");
  CHECK(o.status == 0);
  const auto json = nlohmann::json::parse(o.out), rows = json["gradients"];
  CHECK(json["command"] == "gradients");
  std::set<std::string> cases, quantities_of_cross;
  for (const auto& row : rows) {
    INFO(row.dump());
    CHECK(row["ok"] == true);
    CHECK(row["hand_vs_tape"].get<double>() <= 1e-12);
    CHECK(row["fused_vs_tape"].get<double>() <= 1e-12);
    CHECK(row["tape_vs_numeric"].get<double>() <= 1e-7);
    cases.insert(row["case"]);
    if (row["case"] == "cross") quantities_of_cross.insert(row["quantity"]);
  }
  CHECK(cases == std::set<std::string>{"self", "causal", "padding", "cross", "bias", "relative", "masked-row",
                                       "d-head", "batch", "block", "model", "rms-norm", "swiglu", "smear",
                                       "smoothing", "grouped-heads", "sinks", "cap"});
  CHECK(quantities_of_cross == std::set<std::string>{"dV", "dP", "dS", "dQ", "dK", "dW_Q", "dW_K", "dW_V",
                                                     "dW_O", "db_Q", "db_K", "db_V", "db_O", "dX", "dM"});
}

TEST_CASE("the ledger shows one case when asked", "[app]") {
  const Outcome o = gradients("--case block");
  CHECK(contains(o.out, "mlp.W_in"));
  CHECK_FALSE(contains(o.out, "self:"));
}

TEST_CASE("a case that the ledger does not know is named, with those it knows", "[app]") {
  check_refused("--case blok",
                "there is no case 'blok'; there are self, causal, padding, cross, bias, relative, masked-row",
                "headlight_gradients");
  check_refused("--case ''", "argument 2 is empty", "headlight_gradients");
  check_refused("--speed", "--speed", "headlight_gradients");
}
