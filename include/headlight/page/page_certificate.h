// The certificate of a model, as the page shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headlight::page {

// A claim of the certificate. It holds when `number` reaches `threshold` and `control` is within its own
// limit; the two bools say which side is good.
struct PageClaim {
  std::string key, name;  // "matching", "looks at what followed the same token before"
  std::string standing;   // "holds", "fails", "not asked"
  std::optional<double> number, control;
  double threshold = 0, control_limit = 0;
  bool number_at_most = false, control_at_most = true;
  std::string says;       // what was done and seen; why it was not asked
  std::string more = {};  // what was seen beside it
};

// The circuit at one step of training, all from 0 to 1.
struct PageFormation {
  std::int64_t step = 0;
  double matching = 0;  // attention weight of the induction heads on followers, above its control
  double previous = 0;  // attention weight of the previous-token heads on the token before
  double accuracy = 0;  // on predictable tokens
  // Absent where they were not measured: the accuracy without the circuit's heads, with them alone, and the
  // mean copying score of the induction heads by eigenvalues, from -1 to 1.
  std::optional<double> without = {}, alone = {}, copying = {};
};

// A head that a model needs which solves the task another way.
struct PageNeeded {
  std::size_t head = 0;
  double accuracy_without = 0;  // on predictable tokens, with this head alone mean-ablated
  std::string looks;            // where: "13 tokens back"
  double weight = 0;            // its mean attention weight there
};

// Heads are numbered through the layers of all stacks, as in Page::scores.
struct PageCertificate {
  std::string verdict;   // "induction circuit"
  std::string sentence;  // the verdict with its heads
  double accuracy = 0;   // on predictable tokens, intact
  std::vector<std::size_t> induction_heads, previous_token_heads, helpers;
  std::vector<PageClaim> claims = {};
  std::vector<PageFormation> formation = {};  // empty: nothing was kept along training
  std::vector<PageNeeded> needed = {};        // empty unless the task is solved another way
  bool tells_tokens = true;  // whether previous-token heads write into keys, so that they tell tokens
};

}  // namespace headlight::page
