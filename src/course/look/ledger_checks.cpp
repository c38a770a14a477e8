// The ledger of ./headlight gradients, a line for each case.
#include <fmt/core.h>

#include "checks.h"
#include "gradients/ledger.h"

namespace headlight::hunt {

std::vector<Check> ledger_checks() {
  std::vector<Check> checks;
  for (const ledger::Case& c : ledger::cases())
    checks.push_back({c.name, [&c] {
                        std::string wrong;
                        for (const ledger::Row& row : ledger::judge(c.name, c.run()))
                          if (!row.ok)
                            wrong += fmt::format("{}{} ({})", wrong.empty() ? "WRONG: " : ", ", row.quantity,
                                                 row.remark);
                        return wrong.empty() ? std::string("all rows OK") : wrong;
                      }});
  return checks;
}

}  // namespace headlight::hunt
