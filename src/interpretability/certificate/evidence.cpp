#include "headlight/interpret/evidence.h"

#include <fmt/core.h>

#include <iterator>

#include "headlight/core/check.h"
#include "headlight/core/names.h"
#include "headlight/interpret/certificate.h"

namespace headlight::interpret {
namespace {

using enum Evidence;

constexpr EvidenceKind kKinds[] = {
    {"accuracy", seen, "how often the model is right", "its answers on sequences that were drawn",
     "report DIR"},
    {"shown", seen, "where a head looks, and what is answered, on a sequence that is shown",
     "its attention weights and its answers there", "report DIR"},
    {"role", seen, "where a head looks: \"an induction head, with a score of 0.97\"",
     "its mean attention weights on sequences that were drawn", "heads DIR"},
    {kMatching, seen, "heads look at what followed the same token before",
     "their attention weights there, beside those at the same places without repeats", "certify DIR"},
    {kCopying, tried, "heads raise the logit of the token that they look at",
     "the logits when the heads are made to look at one token instead of another; two tokens not looked at",
     "certify DIR"},
    {kComposition, tried, "heads find followers by what earlier heads wrote",
     "the matching that is lost when the earlier heads' outputs, or a smear of the keys, are replaced on these "
     "paths; where there are other earlier heads, when theirs are",
     "certify DIR"},
    {kNecessity, tried, "without heads the accuracy is gone, or is still there",
     "the accuracy with these heads mean-ablated; where there are others, with up to as many of them ablated",
     "certify DIR"},
    {kSufficiency, tried, "heads are enough for the task",
     "the accuracy with all other heads mean-ablated; with every head ablated", "certify DIR"},
    {"other sets", tried, "how many other sets of heads are enough",
     "the same for every set of heads, on the certificate's sequences", "certify DIR"},
    {kOrder, seen, "earlier heads had begun to form before", "the snapshots along training", "certify DIR"},
    {"distances", seen, "at which distances the answers were copied, and the accuracy at others",
     "the sequences that were drawn, and others with segments at random distances", "certify DIR"},
    {"circuit", tried, "the model has an induction circuit",
     "the claims above that can be asked of it: matching and order are seen, the others tried",
     "certify DIR"},
    {"another way", tried, "the task is solved otherwise than by an induction circuit",
     "the claims that failed, at least one of them by its intervention", "certify DIR"},
    {"no matching", seen,
     "the task is solved otherwise, where no head looks at what followed the same token before",
     "the attention weights of all heads there", "certify DIR"},
    {"shifted matching", seen, "heads look some places after what followed the same token before",
     "their attention weights there, beside those without repeats", "certify DIR"},
    {"shifted paths", tried, "earlier heads carry tokens into keys and values",
     "the matching, or the accuracy, that is lost when their outputs are replaced on these paths",
     "certify DIR"},
    {"minute", tried, "what the first minute of a page shows with a head off",
     "the answers on the lines shown, computed with that head off; with another head off", "report DIR"},
    {"off", tried, "what a model predicts without heads, MLPs or single looks",
     "the answers with them replaced, beside those with nothing changed", "ablate DIR"},
    {"parts", seen, "what raised a logit or an attention logit",
     "its parts in one pass, which add up to it; none was taken away", "attribute DIR"},
    {"parameters", seen, "what the matrices of heads hold, and how strongly two heads compose",
     "the parameters alone; no sequence was read", "circuits DIR"},
    {"lens", seen, "what would be predicted after a layer", "ln_final and W_U of the stream there",
     "lens DIR"},
    {"all inputs", proved, "how many of all inputs are right", "every input, with a bound of the rounding",
     "certify DIR --all-inputs"},
    {"from weights", proved, "an accuracy of at least so much, on every input",
     "a bound from the weights, with a bound of the rounding", "certify DIR --from-weights"}};

}  // namespace

const Registry<Evidence>& evidences() {
  static const Registry<Evidence> all(
      "evidence", {{"seen", "a pattern, a score or an accuracy on sequences that were drawn", Evidence::seen},
                   {"tried", "an intervention, beside its control", Evidence::tried},
                   {"proved", "over all inputs, or from the weights", Evidence::proved}});
  return all;
}

const char* to_string(Evidence how) {
  return evidences().entries().at(static_cast<std::size_t>(how)).name.c_str();
}

const std::vector<EvidenceKind>& evidence_kinds() {
  static const std::vector<EvidenceKind> all(std::begin(kKinds), std::end(kKinds));
  return all;
}

const EvidenceKind& evidence_kind(std::string_view key) {
  std::vector<std::string> keys;
  for (const EvidenceKind& kind : evidence_kinds()) {
    if (kind.key == key) return kind;
    keys.emplace_back(kind.key);
  }
  fail("there is no kind of sentence '{}'.{}", key, did_you_mean(std::string(key), keys));
}

std::string evidence_table() {
  std::string table = "| known | a sentence says | it rests on | command |\n|---|---|---|---|\n";
  for (const EvidenceKind& kind : evidence_kinds())
    table += fmt::format("| {} | {} | {} | `./headlight {}` |\n", to_string(kind.how), kind.says,
                         kind.rests_on, kind.command);
  return table;
}

}  // namespace headlight::interpret
