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

// The position after the last earlier copy of the token at `query`; 0 when there is none.
std::size_t follower(const std::vector<std::int32_t>& tokens, std::size_t query) {
  for (std::size_t after = query; after > 0; --after)
    if (tokens[after - 1] == tokens[query]) return after;
  return 0;
}

bool predicts(const PageSequence& s, std::size_t t) {
  return s.targets[t] >= 0 && !s.guesses[t].empty() && s.guesses[t].front().token == s.targets[t];
}

// The query at which the head looks hardest at what followed the last copy, among those whose target the
// model predicts and whose follower stands before them; 0 when there is none.
std::size_t clearest_query(const PageSequence& s, const Real* pattern) {
  const std::size_t n = s.tokens.size();
  std::size_t best = 0;
  Real largest = 0;
  for (std::size_t t = 1; t < n; ++t) {
    const std::size_t key = follower(s.tokens, t);
    if (key == 0 || key == t || !predicts(s, t) || s.targets[t] != s.tokens[key] ||
        pattern[t * n + key] <= largest)
      continue;
    best = t;
    largest = pattern[t * n + key];
  }
  return best;
}

// One copy of the segment, when the sequence knows its copies.
std::size_t segment_length(const PageSequence& s) {
  return static_cast<std::size_t>(std::count(s.repeats.begin(), s.repeats.end(), 0));
}

// A token in a sentence, where stars would mark a term.
std::string token_text(const tasks::Task& task, std::int32_t token) {
  const std::string text = printable_token(task.vocabulary.text(token));
  return text == "*" ? "∗" : text;
}

// Where the head looks from the story's query, and what the model then predicts.
void add_place(PageStory& story, const tasks::Task& task, const PageSequence& s, const Real* pattern) {
  const std::size_t t = story.place->query, key = story.place->key;
  const auto text = [&](std::int32_t token) { return token_text(task, token); };
  story.sentences.push_back(fmt::format(
      "At the marked \"{}\" (the *query*), layer {}, head {} gives an *attention weight* of {:.2f} to \"{}\" "
      "(the *key*). This token followed the \"{}\" before.",
      text(s.tokens[t]), story.place->layer, story.place->head,
      static_cast<double>(pattern[t * s.tokens.size() + key]), text(s.tokens[key]), text(s.tokens[t])));
  story.sentences.push_back(
      fmt::format("That token is the answer: the model {} \"{}\"{}, with a probability of {:.2f}. A *head* "
                  "that looks there is an *induction head*.",
                  task.sees_ahead ? "answers" : "predicts", text(s.guesses[t].front().token),
                  task.sees_ahead ? "" : " next", s.guesses[t].front().probability));
}

// Whether interventions showed that the story's head finds its key by what this earlier head writes.
bool certified(const run::Results& r, const HeadScores& previous, const PageStory::Place& place) {
  const auto has = [](const interpret::HeadSet& heads, const interpret::HeadAt& head) {
    return std::find(heads.begin(), heads.end(), head) != heads.end();
  };
  return r.certificate && r.certificate->verdict == interpret::Verdict::circuit &&
         r.certificate->through == interpret::HeadInputs{interpret::HeadInput::keys} &&
         has(r.certificate->previous_token_heads, previous.at()) &&
         has(r.certificate->induction_heads, {place.layer, place.head});
}

// What an earlier layer can do for it, when the model has the two heads that show it; what it does, where
// this was tested.
void add_layers(PageStory& story, const run::Results& r, const std::string& query, const std::string& key) {
  const HeadScores previous = interpret::best_head(interpret::by_stack(r.heads).front(), kPreviousToken);
  if (previous.layer >= story.place->layer || previous[kPreviousToken] < interpret::kFoundScore) return;
  const bool tested = certified(r, previous, *story.place);
  story.sentences.push_back(fmt::format(
      "A *previous-token head* in an earlier *layer* {} at each token which token stood before. This is {}, "
      "with a *head score* of {:.2f}. At that \"{}\" the note is \"{}\". {} the note \"{}\".{}",
      tested ? "notes" : "can note", interpret::head_words(previous.at()), previous[kPreviousToken], key,
      query, tested ? "The later head looks for" : "A head in a later layer can look for", query,
      tested ? " The *certificate* tests this." : ""));
  if (tested && !r.certificate->helpers.empty())
    story.sentences.push_back(fmt::format(
        "By themselves these heads are not enough: they need the *helper{}* {}.",
        r.certificate->helpers.size() == 1 ? "" : "s", interpret::codes_of(r.certificate->helpers)));
}

}  // namespace

PageStory story_of(const tasks::Task& task, const run::Results& r, const PageSequence& s,
                   const std::vector<const Array*>& patterns) {
  PageStory story;
  if (task.words.what.empty()) return story;
  story.headline = headline(task, r);
  std::string what = task.words.what;
  if (segment_length(s) > 0 && what.ends_with('.'))
    what = fmt::format("{} Here the segment has {} tokens, coloured copy by copy.", what, segment_length(s));
  story.sentences = {what, task.words.answer};
  if (!run::induction_head_found(r.heads) ||
      interpret::best_head(r.heads, kInduction).stack != interpret::Stack::self)
    return story;
  const HeadScores& best = interpret::best_head(r.heads, kInduction);
  const std::size_t n = s.tokens.size();
  const Real* pattern = patterns[best.layer]->data() + best.head * n * n;
  if (const std::size_t query = clearest_query(s, pattern); query > 0) {
    story.place = PageStory::Place{best.layer, best.head, query, follower(s.tokens, query)};
    add_place(story, task, s, pattern);
    add_layers(story, r, token_text(task, s.tokens[query]), token_text(task, s.tokens[story.place->key]));
  }
  return story;
}

}  // namespace headlight::page
