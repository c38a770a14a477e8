#include "hunt_commands.h"

#include <fmt/core.h>

#include <memory>

#include "course/hunt/hunt.h"
#include "course/result_options.h"
#include "program/exit_status.h"

namespace headlight::course {
namespace {

struct Options {
  HuntRequest asked;
  std::string in;
  ResultFile result;
  int stars = 0;
  bool fixed = false;
};

int run(const Options& options, const std::filesystem::path& source) {
  const std::filesystem::path folder =
      options.in.empty() ? source / "hunt" : std::filesystem::path(options.in);
  const Hunt hunt(source, folder);
  if (!options.fixed) {
    const bool begins = !options.asked.name.empty() || !options.asked.bug.empty();
    fmt::print("{}\nThe folder is {}. HUNT.md there has this text.\n",
               begins ? hunt.begin(options.asked) : hunt.text(), folder.string());
    return kFound;
  }
  const Hunt::Judged judged = hunt.judge();
  const bool fixed = judged.outcome == Outcome::fixed;
  fmt::print("{}", judged.text);
  write_result(options.result, {{"hunt", fixed, judged.note.stars}});
  return fixed ? kFound : kNotFound;
}

}  // namespace

void add_hunt_command(CLI::App& program, const std::filesystem::path& source, std::function<int()>& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* hunt =
      program.add_subcommand("hunt", "A bug is planted in a copy of the engine: find and fix it");
  CLI::Option* as = hunt->add_option("--as", options->asked.name, "Begin a hunt: the name chooses the bug");
  CLI::Option* stars =
      hunt->add_option("--stars", options->stars,
                       "1: one function's checks differ; 3: those of eight parts or more; 2: others (2)")
          ->check(CLI::Range(1, 3));
  CLI::Option* bug =
      hunt->add_option("--bug", options->asked.bug, "This bug of ./headlight mutants --list instead");
  hunt->add_option("--in", options->in, "The hunt's folder (hunt)");
  CLI::Option* anew = hunt->add_flag("--anew", options->asked.anew, "Give up the hunt that is in the folder");
  CLI::Option* fixed = hunt->add_flag("--fixed", options->fixed, "Say whether it is fixed");
  add_result_options(*hunt, options->result);
  hunt->get_option("--result")->needs(fixed);
  stars->needs(as);
  fixed->excludes(as)->excludes(bug)->excludes(anew)->excludes(stars);
  hunt->footer(
      "\nExamples:\n  ./headlight hunt --as ada\n  ./headlight hunt            # what was seen, once more\n"
      "  ./headlight hunt --fixed\n\nThe stars count what ./look shows, and not how hard the fix is.\n\n"
      "Exit status of --fixed: 0 when it is fixed, 1 when not, 2 for an error. "
      "See docs/hunt.md.");
  hunt->callback([&chosen, options, source, stars] {
    if (stars->count() > 0) options->asked.stars = options->stars;
    chosen = [options, source] { return run(*options, source); };
  });
}

}  // namespace headlight::course
