#include "paper.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/options/output_option.h"
#include "app/output/json.h"
#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"
#include "papers/paper_text.h"

namespace headlight::app {
namespace {

using papers::Paper, papers::Reproduction;

struct PaperOptions {
  std::vector<std::string> names;
  std::string out = "papers";
  bool all = false, json = false;
  papers::Effort effort;
};

void list_papers(bool json) {
  if (!json) {
    fmt::print("{}\n{}", draw::terminal_table(papers::list_of(papers::all_papers())),
               in_lines("./headlight paper NAME trains what a paper describes, and compares."));
    return;
  }
  ordered_json all = json_of("paper");
  for (const Paper& p : papers::all_papers())
    all["papers"].push_back({{"name", p.name},
                             {"title", p.title},
                             {"authors", p.authors},
                             {"address", p.address},
                             {"seconds", p.seconds},
                             {"changed", p.changed}});
  print_json(all);
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json json_of_paper(const Reproduction& r) {
  ordered_json json = {{"name", r.paper->name}, {"seconds", r.seconds}};
  json["reproduced"] = r.cut_short() ? ordered_json() : ordered_json(r.reproduced());
  for (std::size_t i = 0; i < r.paper->rows.size(); ++i) {
    const papers::Row& row = r.paper->rows[i];
    json["rows"].push_back({{"what", row.what},
                            {"printed", text_or_null(row.reference.printed)},
                            {"read_off", text_or_null(row.reference.read_off)},
                            {"computed", text_or_null(row.reference.computed)},
                            {"place", row.place},
                            {"measured", r.measured.numbers[i]},
                            {"tolerance", row.tolerance.words},
                            {"agrees", r.cut_short() ? ordered_json() : ordered_json(r.agrees[i])}});
  }
  return json;
}

void print_reproduction(const Reproduction& r) {
  fmt::print("{}{}\n{}\n", in_lines(r.paper->authors + ": " + r.paper->title), in_lines(r.paper->finding),
             draw::terminal_table(papers::table_of(r)));
  for (const std::string& text : r.measured.notes) fmt::print("{}", in_lines(text));
  fmt::print("{}", in_lines(papers::sentence_of(r)));
}

std::string page_name(const Paper& paper) { return paper.name + ".html"; }

int paper(const PaperOptions& options) {
  if (options.names.empty() && !options.all) {
    list_papers(options.json);
    return 0;
  }
  std::vector<const Paper*> chosen;
  for (const std::string& name : options.names) chosen.push_back(&papers::find_paper(name));
  if (options.all)
    for (const Paper& each : papers::all_papers()) chosen.push_back(&each);
  const std::filesystem::path folder = options.out;
  if (!options.json) {
    for (const Paper* each : chosen) check_same_kind({"--out", (folder / page_name(*each)).string()});
    std::filesystem::create_directories(folder);
  }
  ordered_json all = json_of("paper");
  papers::Effort effort = options.effort;
  effort.progress = [](const std::string& stage, std::int64_t step, std::int64_t steps) {
    note("{}: step {}/{}", stage, step, steps);
  };
  papers::reproduce_all(chosen, effort, [&](const Reproduction& r) {
    if (options.json) {
      if (chosen.size() == 1)
        all.update(json_of_paper(r));
      else
        all["papers"].push_back(json_of_paper(r));
      return;
    }
    print_reproduction(r);
    const std::filesystem::path file = folder / page_name(*r.paper);
    write_file(file.string(), papers::page_of(r));
    fmt::print("\n");
    print_file(file);
    fmt::print("\n");
    std::fflush(stdout);
  });
  if (options.json) print_json(all);
  return 0;
}

std::function<int()> add_paper(CLI::App& command) {
  auto options = std::make_shared<PaperOptions>();
  command.add_option("NAME", options->names, "Papers, as ./headlight paper lists them (default: the list)");
  command.add_flag("--all", options->all, "Every paper");
  command.add_option("--steps", options->effort.steps,
                     "Cut each training short after these steps, without verdicts (default: 0, the whole)");
  command.add_option("--threads", options->effort.threads, "Threads; 0: all cores")->capture_default_str();
  command.add_option("-o,--out", options->out, "Folder for the pages")->capture_default_str();
  add_json_option(command, options->json);
  command.footer(
      "\nA row has what the paper prints, what we read off its authors' code, data or figures, and what we "
      "computed from their definition. It agrees when our measurement is within the tolerance, which was fixed "
      "before. Where a row or a training was changed after a first measurement, the paper's notes say so.\n"
      "\nExamples:\n  ./headlight paper\n  ./headlight paper edelman-2024\n  ./headlight paper --all");
  return [options] { return paper(*options); };
}

}  // namespace

OwnCommand paper_command() { return {"paper", "Reproduce the numbers of a paper", add_paper}; }

}  // namespace headlight::app
