#include "paper_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/draw/text_page.h"

namespace headlight::papers {

std::string duration(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  return whole % 60 == 0 ? fmt::format("{} min", whole / 60)
                         : fmt::format("{} min {} s", whole / 60, whole % 60);
}

draw::Table table_of(const Reproduction& r) {
  draw::Table table{{"what", "printed there", "read off their code or figure", "computed by us", "measured",
                     "known", "tolerance", "verdict"},
                    {}};
  for (std::size_t i = 0; i < r.paper->rows.size(); ++i) {
    const Row& row = r.paper->rows[i];
    const auto& [printed, read_off, computed] = row.reference;
    table.rows.push_back({row.what, printed, read_off, computed,
                          fmt::format("{:.{}f}", r.measured.numbers[i], row.digits),
                          interpret::to_string(row.known), row.tolerance.words,
                          r.cut_short() ? "not judged"
                          : r.agrees[i] ? "✓ agrees"
                                        : "✗ differs"});
  }
  return table;
}

std::string sentence_of(const Reproduction& r) {
  const std::size_t rows = r.agrees.size();
  if (r.cut_short())
    return "Not judged: the trainings were cut short, and such numbers say nothing of the paper.";
  const auto agree = static_cast<std::size_t>(std::count(r.agrees.begin(), r.agrees.end(), true));
  if (agree == rows) return fmt::format("Reproduced: each of the {} rows is within its tolerance.", rows);
  return fmt::format("Not reproduced: {} of {} rows are within their tolerance.", agree, rows);
}

draw::Table list_of(const std::vector<Paper>& papers) {
  draw::Table table{{"paper", "time", "title", "changed here"}, {}};
  for (const Paper& paper : papers)
    table.rows.push_back({paper.name, duration(paper.seconds), paper.title,
                          paper.changed.empty() ? "nothing" : paper.changed});
  return table;
}

std::string page_of(const Reproduction& r) {
  const Paper& paper = *r.paper;
  std::vector<std::string> measured{sentence_of(r)};
  measured.insert(measured.end(), r.measured.notes.begin(), r.measured.notes.end());
  measured.push_back(fmt::format("Measured in {}.", duration(r.seconds)));
  draw::Table places{{"what", "where it is read, or how it is computed"}, {}};
  for (const Row& row : paper.rows) places.rows.push_back({row.what, row.place});
  return draw::text_page(
      "Headlight: " + paper.title,
      {{"The paper",
        {paper.authors + ": " + paper.title + ". " + paper.address, paper.finding,
         paper.changed.empty() ? "Nothing is changed here." : "Changed here: " + paper.changed + "."}},
       {"Reference and measurement", measured, table_of(r)},
       {"The figure", {}, {}, draw::svg_figure(r.measured.figure)},
       {"Where the references are from", {}, std::move(places)}});
}

}  // namespace headlight::papers
