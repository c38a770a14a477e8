#include "headlight/page/glossary.h"

#include <fmt/core.h>

#include <utility>

#include "command.h"
#include "headlight/system/text.h"

namespace headlight::app {
namespace {

constexpr std::size_t kIndent = 22, kWidth = 79;

// The term, and beside it its definition in lines that fit a terminal.
void print_term(const page::Term& term) {
  std::string name = term.term;  // beside the first line
  for (const std::string& line : wrapped(page::without_stars(term.definition), kWidth - kIndent))
    fmt::print("{:<{}}{}\n", std::exchange(name, ""), kIndent, line);
}

}  // namespace

void add_glossary(CLI::App& program, Action& chosen) {
  auto asked = std::make_shared<std::vector<std::string>>();
  auto markdown = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("glossary", "What the words mean: all of them, or one TERM");
  command->add_option("TERM", *asked, "For example: induction head");
  command->add_flag("--markdown", *markdown, "All of them as docs/glossary.md");
  command->footer("\nExamples:\n  ./headlight glossary\n  ./headlight glossary induction head");
  command->callback([asked, markdown, &chosen] {
    chosen = [asked, markdown](const std::string&) {
      if (*markdown) {
        fmt::print("{}", page::glossary_markdown());
        return 0;
      }
      std::string name;
      for (const std::string& word : *asked) name += (name.empty() ? "" : " ") + word;
      if (!name.empty())
        print_term(page::find_term(name));
      else
        for (const page::Term& term : page::glossary()) print_term(term);
      return 0;
    };
  });
}

}  // namespace headlight::app
