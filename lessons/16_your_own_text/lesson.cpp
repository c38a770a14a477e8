// Lesson 16: a character model on a text of your own.
#include <algorithm>
#include <string>
#include <vector>

#include "headlight/system/files.h"
#include "headlight/tasks/grammar.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "texts.h"
#include "training.h"

using namespace headlight;
using namespace headlight::lesson;

constexpr std::size_t kCharacters = 100000, kFew = 4000;

// 1. The pieces of a text in another order, so that what stood side by side may be in both parts of it.
std::string in_shuffled_pieces(const tasks::Task& task, const std::vector<std::int32_t>& tokens) {
  const std::size_t pieces = tokens.size() / kContext;
  std::string text;
  for (const std::int32_t piece : Rng(2).distinct(pieces, pieces)) {
    const auto begin = tokens.begin() + piece * static_cast<std::ptrdiff_t>(kContext);
    text += of_tokens(task.vocabulary, {begin, begin + kContext});
  }
  return text;
}

void tokens_and_parts(const tasks::Task& task, const std::string& name) {
  section("1. Tokens, and a part that is held out");
  const std::string& text = task.files[0].content;
  const std::vector<std::int32_t> tokens = task.vocabulary.tokens(text);
  say("The text: {}, {} characters", name, tokens.size());
  show_lines(text, 3);
  show_vocabulary(task, tokens);
  say("\nThe model is trained on {}. The others are held out.", task.trained_on);
  const tasks::Task mixed = tasks::text_task({.name = "text", .n_ctx = kContext},
                                             in_shuffled_pieces(task, tokens), "the shuffled pieces");
  say("\nThe held-out loss of counting runs of 5 characters");
  for (const auto& [parts, of] :
       {std::pair{"the end of the text is held out", &task}, {"pieces from everywhere are held out", &mixed}})
    say("  {:<38}{:.3f}", parts, losses_of(of->references[3].losses, windows(*of, of->held_out)).all);
}

// The first kFew bytes, or half of a shorter text, up to a whole character.
std::string beginning_of(const std::string& text) {
  std::size_t end = std::min(kFew, text.size() / 2);
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

// 2.
void counting(const tasks::Task& task, const std::string& name, const tasks::Task& other,
              const std::string& other_name) {
  section("2. What counting knows");
  say("                          {:<27}{}", name, other_name);
  say("                          training    held out       training    held out");
  const auto loss = [](const tasks::Task& of, const tasks::Generator& part, std::size_t r) {
    return losses_of(of.references[r].losses, windows(of, part)).all;
  };
  const double even = math::log(static_cast<double>(task.config.d_vocab)),
               other_even = math::log(static_cast<double>(other.config.d_vocab));
  const auto line = [](const std::string& predictor, double a, double b, double c, double d) {
    say("  {:<24}{:8.3f}{:12.3f}{:15.3f}{:12.3f}", predictor, a, b, c, d);
  };
  line("uniform", even, even, other_even, other_even);
  for (std::size_t r = 0; r < task.references.size(); ++r)
    line(task.references[r].name, loss(task, task.training, r), loss(task, task.held_out, r),
         loss(other, other.training, r), loss(other, other.held_out, r));
}

void learning(const Pictures& pictures, const Trained& all, const Trained& part) {
  section("3. A model, and learning by heart");
  say("The model has {} parameters.", nn::parameter_count(nn::named_parameters(all.model)));
  show_training(all, part);
  pictures.write("by_heart.svg", svg_by_heart(all, part));
}

// 4.
void against_counting(const Trained& t) {
  say("The held-out loss on {}", t.recipe.name);
  say("                                all   copied   other characters");
  const auto line = [](const std::string& name, double all, double copied, double others) {
    say("  {:<26}{:7.3f}{:9.3f}{:9.3f}", name, all, copied, others);
  };
  const std::vector<tasks::Sequence> held_out = windows(t.task, t.task.held_out);
  for (const tasks::Reference& r : t.task.references) {
    const Losses l = losses_of(r.losses, held_out);
    line(r.name, l.all, l.copied, l.others);
  }
  const train::Evaluation e =
      train::evaluate(t.model, tasks::draw_batch(t.task, t.task.held_out, kWindows, Rng(9)), nn::Hooks{});
  line("the model", e.loss, e.loss_predictable.value_or(0), e.loss_unpredictable.value_or(0));
}

// 5.
void heads(const Pictures& pictures, const Trained& t, const Trained& few_letters) {
  section("5. Its induction heads");
  say("Mean weights on what followed an earlier place where so many of the last characters stood:");
  show_heads(t, few_letters);
  ThreadPool pool;
  for (const Trained* each : {&t, &few_letters}) {
    say("\nThe certificate of the model of {}:", each->recipe.name);
    if (!interpret::can_be_certified(each->model.config(), each->task)) {
      say("  the text has too few different characters for one.");
      continue;
    }
    const interpret::Certificate c = interpret::certify(each->model, each->task, Rng(0), pool);
    fmt::print("{}", claims_of(c));
    say("  {}", interpret::sentence(c));
  }
  const std::vector<std::int32_t> tokens = windows(t.task, t.task.held_out)[0].tokens;
  pictures.write("pattern.svg", svg_pattern(t, {tokens.begin(), tokens.begin() + 40}));
  pictures.write("matches.svg", svg_matches({&t, &few_letters}));
}

// 7.
void write_with(const Trained& t, const nn::SampleOptions& options) {
  const std::string text = written(t, windows(t.task, t.task.held_out)[1].tokens, 3000, options, 7);
  say("{}, temperature {}{}:", t.recipe.name, options.temperature,
      options.top_k > 0 ? fmt::format(", of the {} most likely characters", options.top_k) : "");
  show_lines(text.substr(text.find('\n') + 1), 3);
  if (const Uses uses = uses_of(text); uses.all > 0)
    say("  {} of {} uses have the name of their line", uses.right, uses.all);
}

void writing(const Trained& t, const Trained& by_heart) {
  section("7. Writing");
  for (const nn::SampleOptions& options : {nn::SampleOptions{0, 0}, {0.5, 0}, {1, 0}, {1, 3}, {1.5, 0}})
    write_with(t, options);
  write_with(by_heart, {1, 0});
}

int main(int argc, char** argv) {
  return run_on_text(argc, argv, "16_your_own_text", [](const Pictures& pictures, const auto& file) {
    const std::string name = file.empty() ? "names that return" : file.filename().string(),
                      text = file.empty() ? identifier_text(kCharacters, {}, 1) : read_file(file),
                      stories = tasks::grammar_text(kCharacters, 0);
    const auto task_of = [](const std::string& content, const std::string& called) {
      return tasks::text_task({.name = "text", .n_ctx = kContext}, content, called);
    };
    const tasks::Task task = task_of(text, name);
    say("Lesson 16: your own text");
    tokens_and_parts(task, name);
    counting(task, name, task_of(stories, "stories"), "stories");
    const std::vector<Trained> all =
        train_all({{text, name, 600},
                   {identifier_text(kCharacters, {.letters = 5}, 1), "names of a to e", 600},
                   {stories, "stories", 600},
                   {beginning_of(text), "its beginning", 300},
                   {text, "context of 16", 600, 16},
                   {identifier_text(kCharacters, {.once = true}, 1), "names that come once", 300}});
    learning(pictures, all[0], all[3]);
    section("4. Against counting");
    for (const std::size_t i : {0, 2}) against_counting(all[i]);
    heads(pictures, all[0], all[1]);
    section("6. What a text needs");
    show_needs(all);
    writing(all[0], all[3]);
  });
}
