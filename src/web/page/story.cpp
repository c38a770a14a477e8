#include "story.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/studies/head_table.h"
#include "headlight/system/text.h"
#include "headline.h"

namespace headlight::page {
namespace {

using interpret::HeadScores;
using interpret::kInduction;
using interpret::kPreviousToken;
using nlohmann::ordered_json;

// The position after the last earlier copy of the token at `query`; 0 when there is none.
std::size_t follower(const std::vector<std::int32_t>& tokens, std::size_t query) {
  for (std::size_t after = query; after > 0; --after)
    if (tokens[after - 1] == tokens[query]) return after;
  return 0;
}

bool predicts(const Shown& s, std::size_t t) {
  const std::int32_t target = s.example.targets[t];
  return target >= 0 && !s.guesses[t].empty() && s.guesses[t].front().token == target;
}

// The query at which the head looks hardest at what followed the last copy, among those whose target the
// model predicts and whose follower stands before them; 0 when there is none.
std::size_t clearest_query(const Shown& s, const Real* pattern) {
  const std::vector<std::int32_t>& tokens = s.example.tokens;
  const std::size_t n = tokens.size();
  std::size_t best = 0;
  Real largest = 0;
  for (std::size_t t = 1; t < n; ++t) {
    const std::size_t key = follower(tokens, t);
    if (key == 0 || key == t || !predicts(s, t) || s.example.targets[t] != tokens[key] ||
        pattern[t * n + key] <= largest)
      continue;
    best = t;
    largest = pattern[t * n + key];
  }
  return best;
}

// A token in a sentence, where stars would mark a term.
std::string token_text(const tasks::Task& task, std::int32_t token) {
  const std::string text = printable_token(task.vocabulary.text(token));
  return text == "*" ? "∗" : text;
}

// A sentence, and the kind of evidence for it; none for one on the task.
void add(ordered_json& sentences, const char* kind, const std::string& words) {
  sentences.push_back({{"words", words}, {"kind", kind}});
}

// Where the head looks from this query, and what the model then predicts.
void add_place(ordered_json& sentences, const tasks::Task& task, const Shown& s,
               const interpret::HeadAt& head, std::size_t query, std::size_t key, Real weight) {
  const auto text = [&](std::size_t at) { return token_text(task, s.example.tokens[at]); };
  add(sentences, "shown",
      fmt::format(
          "At \"{}\", position {} (the *query*), layer {}, head {} gives an *attention weight* of {:.2f} to \"{}\" "
          "(the *key*). This token followed the \"{}\" before.",
          text(query), query, head.layer, head.head, static_cast<double>(weight), text(key), text(query)));
  const Guess& answer = s.guesses[query].front();
  add(sentences, "shown",
      fmt::format("That token is the answer: the model {} \"{}\"{}, with a probability of {:.2f}. To look "
                  "there is what an *induction head* does.",
                  task.sees_ahead ? "answers" : "predicts", token_text(task, answer.token),
                  task.sees_ahead ? "" : " next", answer.probability));
}

// Whether interventions showed that the later head finds its key by what the earlier one writes.
bool certified(const run::Results& r, const interpret::HeadAt& earlier, const interpret::HeadAt& later) {
  const auto has = [](const interpret::HeadSet& heads, const interpret::HeadAt& head) {
    return std::find(heads.begin(), heads.end(), head) != heads.end();
  };
  return r.certificate && r.certificate->verdict == interpret::Verdict::circuit &&
         r.certificate->through == interpret::HeadInputs{interpret::HeadInput::keys} &&
         has(r.certificate->previous_token_heads, earlier) && has(r.certificate->induction_heads, later);
}

// What an earlier layer can do for this head, when the model has the two heads that show it; what it does,
// where this was tested.
void add_layers(ordered_json& sentences, const run::Results& r, const interpret::HeadAt& head,
                const std::string& query, const std::string& key) {
  const HeadScores previous = interpret::best_head(interpret::by_stack(r.heads).front(), kPreviousToken);
  if (previous.layer >= head.layer || previous[kPreviousToken] < interpret::kFoundScore) return;
  const bool tested = certified(r, previous.at(), head);
  const std::string noted = fmt::format(
      "A *previous-token head* in an earlier *layer* {} at each token which token stood before. This is {}, "
      "with a *head score* of {:.2f}.",
      tested ? "notes" : "can note", interpret::head_words(previous.at()), previous[kPreviousToken]);
  const std::string looked_for =
      fmt::format("At that \"{}\" the note is \"{}\". {} the note \"{}\".", key, query,
                  tested ? "The later head looks for" : "A head in a later layer can look for", query);
  if (tested) {
    add(sentences, interpret::kComposition, noted + " " + looked_for + " The *certificate* tests this.");
  } else {
    add(sentences, "role", noted);
    add(sentences, "", looked_for);  // what can be, which nothing showed
  }
  if (tested && !r.certificate->helpers.empty())
    add(sentences, interpret::kSufficiency,
        fmt::format(
            "By themselves these heads are not enough; with the *helper{}* {} they are.{}",
            r.certificate->helpers.size() == 1 ? "" : "s", interpret::codes_of(r.certificate->helpers),
            r.certificate->stand_ins.empty() ? ""
                                             : " " + interpret::words_of(r.certificate->stand_ins) + "."));
}

}  // namespace

ordered_json story_json(const tasks::Task& task, const run::Results& r, const Shown& s,
                        const std::vector<const Array*>& patterns) {
  ordered_json story = {{"sequence", 0}, {"headline", ""}, {"sentences", ordered_json::array()}};
  if (task.words.what.empty()) return story;
  story["headline"] = headline(task, r);
  ordered_json& sentences = story["sentences"];
  add(sentences, "", task.words.what), add(sentences, "", task.words.answer);
  if (!run::induction_head_found(r.heads)) return story;
  const interpret::HeadAt head = interpret::best_head(r.heads, kInduction).at();
  if (head.stack != interpret::Stack::self) return story;
  const std::vector<std::int32_t>& tokens = s.example.tokens;
  const std::size_t n = tokens.size();
  const Real* pattern = patterns[head.layer]->data() + head.head * n * n;
  const std::size_t query = clearest_query(s, pattern);
  if (query == 0) return story;
  const std::size_t key = follower(tokens, query);
  add_place(sentences, task, s, head, query, key, pattern[query * n + key]);
  add_layers(sentences, r, head, token_text(task, tokens[query]), token_text(task, tokens[key]));
  story.update({{"layer", head.layer}, {"head", head.head}, {"query", query}, {"key", key}});
  return story;
}

}  // namespace headlight::page
