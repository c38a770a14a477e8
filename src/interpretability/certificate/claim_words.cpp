#include "claim_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace headlight::interpret {
namespace {

// Less than nothing can be lost where the patched heads match a little better, and more than all where they
// look at the followers less than without repeats.
std::string lost_words(double share) {
  const long percent = std::lround(100 * share);
  return percent <= 0 ? "nothing" : percent > 100 ? "all" : fmt::format("{} %", percent);
}

std::string each_alone(const PathLosses& paths) {
  std::string each;
  for (std::size_t i = 0; i < paths.each.size(); ++i)
    each += fmt::format("{}{} {}", each.empty() ? "" : ", ", head_code(paths.senders[i]),
                        lost_words(paths.each[i]));
  return each.empty() ? "" : fmt::format("For one head at a time the losses are {}. ", each);
}

}  // namespace

std::string lost_of_matching(double share) {
  return fmt::format("{} of the matching is lost{}", lost_words(share),
                     std::lround(100 * share) > 100
                         ? ", and the heads look at the followers even less than without repeats"
                         : "");
}

ClaimWords matching_words(const HeadSet& heads, std::size_t best, const Look& look, const Looks& looks,
                          const Looks& elsewhere, bool random) {
  const char* const kinds[] = {"On the task's own sequences",
                               "In random segments that come back at random distances"};
  const bool all = look.over == Over::all;
  std::string says = fmt::format(
      "{}, {} gives the follower an attention weight of {:.2f}{}. The control, the same two positions in "
      "sequences without repeats, has {:.2f}.",
      kinds[random], head_code(heads[best]), look.weight,
      all                         ? ""
      : look.over == Over::beside ? " where the follower is not the answer"
                                  : " where one token alone has come again",
      look.control);
  const char* const over = all ? "" : " over all followers";
  std::string more =
      fmt::format("{}{} it gives {:.2f}{}, and {:.2f} without repeats.",
                  all ? "" : fmt::format("Over all followers it gives {:.2f}. ", looks.followers[best]),
                  kinds[!random], elsewhere.followers[best], over, elsewhere.control[best]);
  std::string others;
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (i != best)
      others +=
          fmt::format("{}{} {:.2f}", others.empty() ? "" : ", ", head_code(heads[i]), looks.followers[i]);
  if (!others.empty())
    more += fmt::format(
        " The limits are for {}, whose weight is furthest above its control. "
        "The other heads tested here give the follower{}: {}.",
        head_code(heads[best]), over, others);
  return {std::move(says), std::move(more)};
}

ClaimWords copying_words(const HeadSet& heads, const Preference& preference) {
  return {
      fmt::format(
          "Made to look at a token A instead of a token B, {} raise{} A against B in {:.0f} % of cases. The "
          "control counts the same for two tokens looked at neither time: {:.0f} %, where chance gives 50 %.",
          codes_of(heads), heads.size() == 1 ? "s" : "", 100 * preference.seen, 100 * preference.unseen),
      fmt::format(
          "The tokens are drawn at random, among those that are answers somewhere. A is raised against "
          "B when its logit, less that of B, is higher; a tie counts half. In {:.0f} % of cases the "
          "model's answer is then A.",
          100 * preference.answered)};
}

ClaimWords composition_words(const Certificate& c, const PathLosses& paths) {
  const bool one = paths.senders.size() == 1, keys = c.through == HeadInputs{HeadInput::keys};
  std::string says =
      fmt::format("A test exchanges what {} write{} into {} of {} for what {} write{} on {}: {}.",
                  codes_of(paths.senders), one ? "s" : "", words_of(c.through), codes_of(c.induction_heads),
                  one ? "it" : "they", one ? "s" : "", keys ? "other tokens" : "sequences without repeats",
                  lost_of_matching(paths.lost));
  if (paths.control)
    says += fmt::format(" The control does this with the other earlier heads, {}: it loses {}.",
                        codes_of(paths.rest), lost_words(*paths.control));
  std::string more = each_alone(paths);
  for (const auto& [input, share] :
       {std::pair{HeadInput::keys, c.by_keys}, {HeadInput::queries, c.by_queries}})
    if (c.through != HeadInputs{input})
      more += fmt::format("The test in {}{} loses {}. ", words_of({input}),
                          c.through.size() > 1 ? " alone" : " instead", lost_words(share));
  more += fmt::format(
      "Removing what {} write{}, so that only its mean is left, loses {}: it does not mislead, as the "
      "exchange does.",
      one ? "it" : "they", one ? "s" : "", lost_words(c.by_removal));
  return {std::move(says), std::move(more)};
}

ClaimWords necessity_words(const Certificate& c, const HeadSet& others, const Claim& claim) {
  std::string says = fmt::format("Without {} the accuracy on {} tokens is {:.2f} instead of {:.2f}.",
                                 codes_of(c.induction_heads), c.predictable, *claim.number, c.accuracy);
  if (claim.control)
    says += fmt::format(" The control, without {} instead, leaves {:.2f}.", codes_of(others), *claim.control);
  std::string more;
  if (c.accuracy_without_previous_token_heads)
    more = fmt::format("Without {} it is {:.2f}.", codes_of(c.previous_token_heads),
                       *c.accuracy_without_previous_token_heads);
  return {std::move(says), std::move(more)};
}

ClaimWords sufficiency_words(const Certificate& c, const HeadSet& core, const HeadSet& others,
                             const Claim& claim, double without_helpers) {
  std::string says = c.helpers.empty()
                         ? fmt::format("With only {} the accuracy is {:.2f}.", codes_of(core), *claim.number)
                         : fmt::format("With only {} and the helpers {} the accuracy is {:.2f}.",
                                       codes_of(core), codes_of(c.helpers), *claim.number);
  if (others.empty()) says += " These are all heads of the model, so none was ablated.";
  says += fmt::format(" The control, with no head, has {:.2f}.", *claim.control);
  std::string more;
  if (!c.helpers.empty()) more = fmt::format("Without the helpers it is {:.2f}. ", without_helpers);
  if (!c.stand_ins.empty()) {
    double least = 1;
    for (const StandIn& s : c.stand_ins) least = std::min(least, s.accuracy);
    more += fmt::format("Other helpers are enough too: {}. The accuracy is then {:.2f} at least. ",
                        words_of(c.stand_ins), least);
  }
  if (!others.empty() && others.size() <= c.induction_heads.size())
    more += "Here the same heads are ablated as in the control of necessity.";
  return {std::move(says), std::move(more)};
}

std::string unsolved_words(const Certificate& c) {
  return fmt::format(
      "The model does not solve the task: its accuracy on {} tokens of the tested sequences is {:.2f}.",
      c.predictable, c.accuracy);
}

}  // namespace headlight::interpret
