#include <sys/stat.h>

#include <cmath>
#include <set>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/grammar.h"
#include "headlight/tasks/text.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::tasks;
using Catch::Matchers::ContainsSubstring;

namespace {

TaskConfig of_context(std::size_t n_ctx) {
  TaskConfig c;
  c.name = "text";
  c.n_ctx = n_ctx;
  return c;
}

std::string written(const Task& task, const std::vector<std::int32_t>& tokens) {
  std::string text;
  for (const std::int32_t token : tokens) text += task.vocabulary.bytes(token);
  return text;
}

}  // namespace

TEST_CASE("a text is learned from windows of its characters", "[tasks][text]") {
  const std::string text = grammar_text(3000, 1);
  const Task task = text_task(of_context(16), text, "the story");
  CHECK(task.config.d_vocab == std::set<char>(text.begin(), text.end()).size());
  const std::size_t held_out_from = text.size() - text.size() / 10;
  Rng rng(2);
  for (int i = 0; i < 300; ++i) {
    const Sequence trained = task.training(rng), held_out = task.held_out(rng);
    const std::size_t at =
        text.find(written(task, trained.tokens) + task.vocabulary.bytes(trained.targets.back()));
    CHECK(at + 17 <= held_out_from);
    CHECK(text.rfind(written(task, held_out.tokens)) >= held_out_from);
    for (std::size_t t = 0; t + 1 < 16; ++t) CHECK(trained.targets[t] == trained.tokens[t + 1]);
  }
}

TEST_CASE("a character is copied from the last place where the two before it stood", "[tasks][text]") {
  const std::string ends = "cdefghij";  // each is rare after b
  std::string text;
  Rng drawn(5);
  for (int i = 0; i < 800; ++i) text += std::string("ab") + ends[drawn.below(ends.size())];
  const Task task = text_task(of_context(90), text, "eight ends");
  Rng rng(2);
  const Sequence s = task.training(rng);
  const std::string seen = written(task, s.tokens) + task.vocabulary.bytes(s.targets.back());
  int copied = 0;
  for (std::size_t t = 4; t < 90; ++t) {
    if (seen.substr(t - 1, 2) != "ab") continue;
    CHECK(s.predictable[t] == (seen[t - 2] == seen[t + 1]));  // what followed the last "ab"
    copied += s.predictable[t] ? 1 : 0;
  }
  CHECK(copied > 0);
}

TEST_CASE("every window of a text can be drawn", "[tasks][text]") {
  std::string text;
  for (char c = 'a'; c <= 'z'; ++c) text += c;
  const Task task = text_task(of_context(3), text + text, "two alphabets");  // 47 to train on: 44 windows
  Rng rng(0);
  std::set<std::string> notes, held_out;
  for (int i = 0; i < 3000; ++i)
    notes.insert(task.training(rng).note), held_out.insert(task.held_out(rng).note);
  CHECK(notes.size() == 44);
  CHECK(notes.contains("characters 43 to 46"));
  CHECK(held_out == std::set<std::string>{"characters 47 to 50", "characters 48 to 51"});
}

TEST_CASE("characters of UTF-8 and bytes are tokens", "[tasks][text]") {
  const std::string text = "Käse für Zoë, 10 €! Käse für Zoë, 10 €!";
  const Task characters = text_task(of_context(4), text, "it");
  CHECK(characters.vocabulary.tokens("ä€").size() == 2);
  CHECK(written(characters, characters.vocabulary.tokens("Zoë 1€")) == "Zoë 1€");
  TaskConfig c = of_context(4);
  c.bytes = true;
  const Task bytes = text_task(c, text + '\0' + "\xff", "it");
  CHECK(bytes.config.d_vocab == 256);
  CHECK(bytes.vocabulary.tokens("ä") == std::vector<std::int32_t>{0xc3, 0xa4});
  CHECK(bytes.vocabulary.text(0xc3) == "\\xc3");
  CHECK(written(bytes, bytes.vocabulary.tokens("ä\n")) == "ä\n");
}

TEST_CASE("a rare character that stood in the window after the same two is predictable", "[tasks][text]") {
  // After "a " comes each of the letters x, y … about equally often, so that counting pairs cannot tell.
  std::string text;
  for (const char* word : {"xq", "yr", "zs", "wt", "vu", "up"})
    text += std::string("a ") + word + " a " + word + " ";
  const Task task = text_task(of_context(23), text + text + text, "it");
  Rng rng(0);
  const Sequence s = [&] {
    for (;;)
      if (Sequence drawn = task.training(rng); drawn.note == "characters 0 to 23") return drawn;
  }();
  // 0123456789...
  // a xq a xq a yr a yr a zs
  for (std::size_t t = 0; t < 23; ++t) {
    INFO(t);
    const bool rare = t == 6 || t == 16;  // the second x and the second y, after "a "
    CHECK(s.predictable[t] == rare);
    CHECK(s.answers[t] == (rare ? static_cast<std::int32_t>(t) - 4 : -1));
  }
}

TEST_CASE("counting characters predicts a text better than nothing", "[tasks][text]") {
  const Task task = text_task(of_context(32), grammar_text(20000, 3), "the story");
  REQUIRE(task.references.size() == 4);
  const auto mean = [&](const Losses& losses) {
    Rng rng(5);
    double total = 0;
    for (int i = 0; i < 50; ++i)
      for (const double loss : losses(task.held_out(rng))) total += loss;
    return total / (50 * 32);
  };
  const double single = mean(task.references[0].losses), pairs = mean(task.references[1].losses);
  CHECK(single < std::log(static_cast<double>(task.config.d_vocab)));
  CHECK(pairs < single - 0.5);
  // "ab" four times: after a always b.
  const Task two = text_task(of_context(4), "abababababab", "it");
  Sequence s;
  s.tokens = {0, 1}, s.targets = {1, 0};
  CHECK(two.references[0].losses(s)[0] == Approx(-std::log(4.0 / 9)));  // 7 characters count: 4 a, 3 b
  CHECK(two.references[1].losses(s)[0] == Approx(-std::log((3 + 4.0 / 9) / 5)));
}

namespace {

// Witten and Bell's P(b | h), counted in the text again for each question.
double witten_bell(const std::string& text, const std::string& h, char b, double d_vocab,
                   bool no_token = false) {
  if (no_token) return 1 / d_vocab;
  double times = 0, followed = 0;
  std::set<char> kinds;
  for (std::size_t i = 0; i + h.size() < text.size(); ++i) {
    if (text.compare(i, h.size(), h) != 0) continue;
    ++followed;
    kinds.insert(text[i + h.size()]);
    times += text[i + h.size()] == b ? 1 : 0;
  }
  const double less = witten_bell(text, h.empty() ? h : h.substr(1), b, d_vocab, h.empty());
  return followed == 0 ? less : (times + double(kinds.size()) * less) / (followed + double(kinds.size()));
}

}  // namespace

TEST_CASE("a byte order mark is no token", "[tasks][text]") {
  const std::string text = grammar_text(600, 1);
  const Task plain = text_task(of_context(16), text, "it"),
             marked = text_task(of_context(16), "\ufeff" + text, "it");
  CHECK(marked.config.d_vocab == plain.config.d_vocab);
  Rng one(3), other(3);
  CHECK(marked.training(one).tokens == plain.training(other).tokens);
}

TEST_CASE("runs of characters are mixed as Witten and Bell do", "[tasks][text]") {
  const std::string text = grammar_text(3000, 7);
  const Task task = text_task(of_context(24), text, "the story");
  const std::string counted = text.substr(0, text.size() - text.size() / 10);
  Rng rng(2);
  double five = 0, pairs = 0;
  for (int i = 0; i < 4; ++i) {
    const Sequence s = task.held_out(rng);
    std::string read;
    for (std::size_t t = 0; t < s.tokens.size(); ++t) {
      read += task.vocabulary.text(s.tokens[t]);
      const char b = task.vocabulary.text(s.targets[t])[0];
      for (const auto& [reference, length] : {std::pair{2U, 2U}, {3U, 4U}}) {
        const std::string h = read.substr(read.size() - std::min<std::size_t>(read.size(), length));
        CHECK(task.references[reference].losses(s)[t] ==
              Approx(-std::log(witten_bell(counted, h, b, double(task.config.d_vocab)))));
      }
      five += task.references[3].losses(s)[t], pairs += task.references[1].losses(s)[t];
    }
  }
  CHECK(five < pairs);
}

TEST_CASE("a text that cannot be learned is refused in a sentence", "[tasks][text]") {
  const auto refused = [](const std::string& text, std::size_t n_ctx = 8) {
    try {
      text_task(of_context(n_ctx), text, "'it'");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  CHECK(refused("") == "'it' is empty.");
  CHECK(refused("\ufeff") == "'it' is empty.");
  CHECK(refused(std::string(100, 'x')) ==
        "'it' has only one kind of character, 'x': there is nothing to predict.");
  CHECK(
      refused("ab") ==
      "'it' has 2 characters, too few for a context of 8: one window to train on and one held out take 18.");
  CHECK_THAT(refused("abcdefghijklmnopq"),
             ContainsSubstring("has 17 characters") && ContainsSubstring("Hint: n_ctx = 7."));
  CHECK_THAT(refused("abcdefgh", 4), ContainsSubstring("Hint: n_ctx = 3."));
  CHECK(refused("abcdefgh", 3) == "accepted");
  CHECK(refused(std::string("text\0binary", 11)) ==
        "'it' is not a text: its byte 4 is 0. Hint: task.bytes = true takes any file.");
  for (const char* bad :
       {"abc\xff", "abc\xc3", "abc\xe2\x82", "abc\xc0\x80", "abc\xed\xa0\x80", "abc\xf4\x90\x80\x80"})
    CHECK(refused(bad) ==
          "'it' is not UTF-8: no character begins at byte 3. Hint: task.bytes = true takes any file.");
  CHECK_THROWS_WITH(make_task(of_context(8)), ContainsSubstring("needs a file to learn from"));
  TaskConfig missing = of_context(8);
  missing.text = "no_such_file.txt";
  CHECK_THROWS_WITH(make_task(missing), ContainsSubstring("no_such_file.txt"));
}

TEST_CASE("a text is found beside the config that names it", "[tasks][text]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "mine.txt", "some text to learn, some text to learn");
  TaskConfig c = of_context(8);
  c.text = "mine.txt";
  c.folder = folder.path().string();
  CHECK(make_task(c).files.front().content == "some text to learn, some text to learn");
  c.text = (folder.path() / "mine.txt").string();
  c.folder = "elsewhere";
  CHECK(make_task(c).files.front().name == kTextFile);
}

TEST_CASE("a vocabulary of a text shows control characters as symbols in its messages", "[tasks][text]") {
  const Task task = text_task(of_context(3), "one\ttwo\nthree\tfour\n", "it");
  CHECK_THROWS_WITH(task.vocabulary.tokens("x"), ContainsSubstring("␉↵") && !ContainsSubstring("\n"));
}

TEST_CASE("the grammar writes the same stories for a seed", "[tasks][text]") {
  const std::string text = grammar_text(1000, 7);
  CHECK(text == grammar_text(1000, 7));
  CHECK(text != grammar_text(1000, 8));
  CHECK(text.size() >= 1000);
  CHECK(grammar_text(5000, 7).starts_with(text));
  CHECK(text.back() == '\n');
  for (const char c : text) CHECK((c == '\n' || (c >= ' ' && c <= '~')));
}

TEST_CASE("a pipe is no text: a text is read more than once", "[tasks][text]") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  TaskConfig config = of_context(4);
  config.text = pipe.string();
  CHECK(error_of([&] { make_task(config); }) ==
        "'" + pipe.string() +
            "' is a pipe or a device, and a text is read more than once. Hint: save it to a file first.");
}
