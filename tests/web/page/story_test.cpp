// What the report says first, on a sequence and patterns made by hand.
#include "page/story.h"

#include "catch.h"

using namespace headlight;
using namespace headlight::run;

namespace {

// A B C A B C, in copies of three; the model predicts C after the second B only.
page::Shown abcabc() {
  page::Shown s{{"", {0, 1, 2, 0, 1, 2}, {1, 2, 0, 1, 2, -1}, {}}, {}};
  for (const std::int32_t said : {9, 9, 9, 9, 2, 9}) s.guesses.push_back({{said, 0.75}});
  return s;
}

// One layer of two heads, of which the second looks from each second copy at what followed the first.
Array patterns() {
  Array pattern = full_array({1, 2, 6, 6}, 0);
  for (std::size_t t = 3; t < 6; ++t)
    pattern(0, 1, t, t - 2) = static_cast<Real>(.5 + .1 * static_cast<double>(t));
  return pattern;
}

Results with_heads(double induction, std::size_t layer) {
  Results r;
  r.heads = {{0, 0, {.75, 0, 0, 0, 0}}, {layer, 1, {0, 0, induction, 0, 0}}};
  r.verdict = "Nothing was found.";
  return r;
}

std::vector<std::string> sentences_of(const nlohmann::ordered_json& story) {
  std::vector<std::string> words;
  for (const auto& sentence : story["sentences"]) words.push_back(sentence["words"]);
  return words;
}

bool says(const nlohmann::ordered_json& story, const std::string& part) {
  const std::vector<std::string> sentences = sentences_of(story);
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return contains(sentence, part); });
}

const tasks::Task kTask = tasks::make_task({});

}  // namespace

TEST_CASE("the story shows the best head at a token that the model predicts", "[experiment]") {
  const Array pattern = patterns();
  const nlohmann::ordered_json story = story_json(kTask, with_heads(.9, 1), abcabc(), {&pattern, &pattern});
  REQUIRE(story.contains("query"));
  CHECK(story["layer"] == 1);
  CHECK(story["head"] == 1);
  CHECK(story["query"] == 4);  // at 5 the weight is larger, but nothing is predicted
  CHECK(story["key"] == 2);
  CHECK(says(
      story,
      "At \"B\", position 4 (the *query*), layer 1, head 1 gives an *attention weight* of 0.90 to \"C\""));
  CHECK(says(story, "the model predicts \"C\" next, with a probability of 0.75"));
  CHECK(says(story, "This is layer 0, head 0, with a *head score* of 0.75"));
}

TEST_CASE("the story says what earlier heads do where interventions showed it", "[experiment]") {
  const Array pattern = patterns();
  Results r = with_heads(.9, 1);
  const auto story = [&] { return story_json(kTask, r, abcabc(), {&pattern, &pattern}); };
  CHECK(says(story(), "can note at each token"));
  CHECK_FALSE(says(story(), "*certificate*"));
  r.certificate.emplace();
  r.certificate->verdict = interpret::Verdict::circuit;
  r.certificate->induction_heads = {{1, 1}};
  r.certificate->previous_token_heads = {{0, 0}};
  CHECK(says(story(), "notes at each token which token stood before"));
  CHECK(says(story(), "The later head looks for the note \"B\". The *certificate* tests this."));
  CHECK_FALSE(says(story(), "helper"));
  r.certificate->helpers = {{0, 1}};
  CHECK(says(story(), "By themselves these heads are not enough; with the *helper* L0H1 they are."));
  r.certificate->helpers = {{0, 1}, {1, 0}};
  CHECK(says(story(), "with the *helpers* L0H1, L1H0 they are."));
  r.certificate->stand_ins = {{{0, 2}, {{0, 1}}}};
  CHECK(says(story(), "with the *helpers* L0H1, L1H0 they are. L0H2 can replace L0H1."));
  r.certificate->previous_token_heads = {{0, 1}};
  CHECK(says(story(), "can note at each token"));
  r.certificate->previous_token_heads = {{0, 0}};
  r.certificate->induction_heads = {{1, 0}};
  CHECK(says(story(), "can note at each token"));
  r.certificate->induction_heads = {{1, 1}};
  r.certificate->through = {interpret::HeadInput::queries};
  CHECK(says(story(), "can note at each token"));
}

TEST_CASE("of several earlier copies the story points behind the last", "[experiment]") {
  page::Shown s{{"", {0, 1, 0, 1, 0, 2}, {1, 0, 1, 0, 1, -1}, {}}, {}};
  for (int t = 0; t < 6; ++t) s.guesses.push_back({{t == 4 ? 1 : 9, 0.75}});
  Array pattern = full_array({1, 2, 6, 6}, 0);
  pattern(0, 1, 4, 1) = static_cast<Real>(.4);
  pattern(0, 1, 4, 3) = static_cast<Real>(.3);
  const nlohmann::ordered_json story = story_json(kTask, with_heads(.9, 0), s, {&pattern});
  REQUIRE(story.contains("query"));
  CHECK((story["query"] == 4 && story["key"] == 3));
}

TEST_CASE("the story says nothing of two layers when the previous-token head is in the same",
          "[experiment]") {
  const Array pattern = patterns();
  const nlohmann::ordered_json story = story_json(kTask, with_heads(.9, 0), abcabc(), {&pattern});
  CHECK(story.contains("query"));
  CHECK(story["sentences"].size() == 4);
  CHECK_FALSE(says(story, "previous-token head"));
}

TEST_CASE("without an induction head the story has no place, and tells nothing of other runs",
          "[experiment]") {
  const Array pattern = patterns();
  const nlohmann::ordered_json story = story_json(kTask, with_heads(.4, 1), abcabc(), {&pattern, &pattern});
  CHECK_FALSE(story.contains("query"));
  CHECK_FALSE(says(story, "Nothing was found."));  // the page's heading says it
  CHECK_FALSE(says(story, kTask.words.look_for));
  CHECK(story["sentences"].size() == 2);  // the task
}

TEST_CASE("without a token that is predicted the story has no place", "[experiment]") {
  const Array pattern = patterns();
  page::Shown s = abcabc();
  s.guesses[4][0].token = 7;
  CHECK_FALSE(story_json(kTask, with_heads(.9, 1), s, {&pattern, &pattern}).contains("query"));
}

TEST_CASE("the story of a task with labels names answers, not of next tokens", "[experiment]") {
  tasks::Task task = kTask;
  task.sees_ahead = true;
  const Array pattern = patterns();
  const nlohmann::ordered_json story = story_json(task, with_heads(.9, 1), abcabc(), {&pattern, &pattern});
  CHECK(says(story, "the model answers \"C\", with a probability of 0.75"));
  CHECK_FALSE(says(story, "\"C\" next"));
}

TEST_CASE("the story shows no place where the head looks at another token than the answer", "[experiment]") {
  const Array pattern = patterns();
  page::Shown s = abcabc();
  s.example.targets[4] = s.guesses[4][0].token = 7;
  CHECK_FALSE(story_json(kTask, with_heads(.9, 1), s, {&pattern, &pattern}).contains("query"));
}

TEST_CASE("the story makes white space and stars readable", "[experiment]") {
  tasks::Task task = kTask;
  task.vocabulary = tasks::Vocabulary({" ", "*", "\n"});
  const Array pattern = patterns();
  const nlohmann::ordered_json story = story_json(task, with_heads(.9, 1), abcabc(), {&pattern, &pattern});
  CHECK(says(story, "At \"∗\", position 4 (the *query*)"));
  CHECK(says(story, "to \"↵\" (the *key*)"));
}

TEST_CASE("a task without words has no story", "[experiment]") {
  tasks::Task task = kTask;
  task.words = {};
  const Array pattern = patterns();
  CHECK(story_json(task, with_heads(.9, 1), abcabc(), {&pattern, &pattern})["sentences"].empty());
}

TEST_CASE("the story's sentences, word for word", "[experiment]") {
  const Array first = full_array({1, 2, 6, 6}, 0.25), second = patterns();
  Results r = with_heads(.9, 1);
  r.heads[0].values[0] = .66;
  const auto sentences = [&] { return sentences_of(story_json(kTask, r, abcabc(), {&first, &second})); };
  const std::vector<std::string> begin = {
      "The model reads a sequence of *tokens* and must predict each next token; in every sequence a random "
      "*segment* repeats.",
      kTask.words.answer,
      "At \"B\", position 4 (the *query*), layer 1, head 1 gives an *attention weight* of 0.90 to \"C\" (the "
      "*key*). This token followed the \"B\" before.",
      "That token is the answer: the model predicts \"C\" next, with a probability of 0.75. To look "
      "there is what an *induction head* does."};
  const auto with = [&](const std::vector<std::string>& end) {
    std::vector<std::string> all = begin;
    all.insert(all.end(), end.begin(), end.end());
    return all;
  };
  CHECK(
      sentences() ==
      with({"A *previous-token head* in an earlier *layer* can note at each token which token stood before. "
            "This is layer 0, head 0, with a *head score* of 0.66.",
            "At that \"C\" the note is \"B\". A head in a later layer can look for the note \"B\"."}));
  r.certificate.emplace();
  r.certificate->verdict = interpret::Verdict::circuit;
  r.certificate->induction_heads = {{1, 1}};
  r.certificate->previous_token_heads = {{0, 0}};
  r.certificate->helpers = {{0, 1}};
  CHECK(sentences() ==
        with({"A *previous-token head* in an earlier *layer* notes at each token which token stood before. "
              "This is layer 0, head 0, with a *head score* of 0.66. At that \"C\" the note is \"B\". The "
              "later head looks for the note \"B\". The *certificate* tests this.",
              "By themselves these heads are not enough; with the *helper* L0H1 they are."}));
  r.heads[0].values[0] = .49;  // no previous-token head
  CHECK(sentences() == begin);
}

TEST_CASE("of several predicted tokens the story shows the one at which the head looks hardest",
          "[experiment]") {
  page::Shown s = abcabc();
  s.example.targets[5] = 0;
  for (const std::size_t t : {3U, 4U, 5U}) s.guesses[t] = {{s.example.targets[t], 0.5}, {7, 0.25}};
  for (const std::size_t hardest : {3U, 4U, 5U}) {
    Array pattern = full_array({1, 2, 6, 6}, 0);
    for (const std::size_t t : {3U, 4U, 5U}) {
      pattern(0, 1, t, t - 2) = static_cast<Real>(t == hardest ? .6 : .3);
      pattern(0, 1, t, t - 3) = static_cast<Real>(.35);  // at the copy itself
      pattern(0, 0, t, t - 2) = static_cast<Real>(t == 3 ? .9 : .8);
    }
    const nlohmann::ordered_json story = story_json(kTask, with_heads(.9, 0), s, {&pattern});
    REQUIRE(story.contains("query"));
    CHECK((story["query"] == hardest && story["key"] == hardest - 2));
    CHECK(says(story, "gives an *attention weight* of 0.60 to"));
  }
}
