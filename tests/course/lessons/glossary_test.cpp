// lessons/glossary.md against the texts: each term is explained where the glossary says, and not used before.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

const fs::path kTexts = fs::path(HEADLIGHT_SOURCE_DIR) / "lessons";

struct Term {
  std::string name, folder, section;  // "dot product", "01_tensors", "The transpose of copying is summing"
  bool everyday;                      // "**value** (in attention)": a word that has another meaning before
};

std::vector<Term> terms() {
  static const std::regex kRow(
      R"re(\| \*\*(.+)\*\*( \(.+\))? \| .+ \| \[\d+, (.+)\]\((\d\d_\w+)/README\.md#.+\) \|)re");
  std::vector<Term> all;
  std::smatch m;
  for (const std::string& line : text_lines(read_file(kTexts / "glossary.md")))
    if (std::regex_match(line, m, kRow)) all.push_back({m[1], m[4], m[3], m[2].matched});
  return all;
}

struct Line {
  std::string section, text;
};

// What a reader reads in order: without code, figures and headings, and from the first section that explains.
std::vector<Line> prose_of(const std::string& folder) {
  std::vector<Line> lines;
  std::string section;
  bool code = false, figure = false;
  for (const std::string& line : text_lines(read_file(kTexts / folder / "README.md"))) {
    if (line.starts_with("```")) code = !code;
    if ((line.starts_with("# ") || line.starts_with("## ")) && !code)
      section = line.substr(line.find(' ') + 1);
    figure = figure || line.starts_with("![");
    const bool read = !code && !figure && !line.starts_with("#") && !line.starts_with("```");
    if (figure && line.ends_with(")")) figure = false;
    if (read && !section.starts_with("Lesson ") && section != "What you will see")
      lines.push_back({section, line});
  }
  return lines;
}

std::vector<std::string> texts() {
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(kTexts))
    if (fs::exists(entry.path() / "lesson.cpp")) folders.push_back(entry.path().filename().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

// The term as a word, in any case, in the singular or the plural.
std::regex word(const std::string& term, const std::string& before, const std::string& after) {
  const std::string plain = std::regex_replace(term, std::regex(R"([.^$|()\[\]{}*+?\\])"), "\\$&");
  return std::regex(before + plain + "(s|es)?" + after, std::regex::icase);
}

std::string without_number(const std::string& section) {
  return std::regex_replace(section, std::regex(R"(^\d+\. )"), "");
}

// Where the term is used before its line of bold print; empty when nowhere.
std::string used_before(const Term& term) {
  const std::regex use = word(term.name, R"((^|[^\w-]))", R"(($|[^\w-]))"),
                   bold = word(term.name, R"(\*\*)", R"(\*\*)");
  for (const std::string& folder : texts()) {
    for (const Line& line : prose_of(folder)) {
      if (folder == term.folder && std::regex_search(line.text, bold)) return "";
      if (std::regex_search(line.text, use)) return folder + ": " + line.text;
    }
    if (folder == term.folder) return "it is never explained in bold";
  }
  return "";
}

}  // namespace

TEST_CASE("each term of the lessons is explained where the glossary says, and not used before",
          "[lessons][glossary]") {
  const std::vector<Term> all = terms();
  CHECK(all.size() > 40);
  for (const Term& term : all) {
    INFO(term.name);
    if (!term.everyday) CHECK(used_before(term) == "");
    const std::vector<Line> lines = prose_of(term.folder);
    CHECK(std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
      return without_number(line.section) == term.section &&
             std::regex_search(line.text, word(term.name, R"(\*\*)", R"(\*\*)"));
    }));
  }
}

TEST_CASE("the glossary names a term once and in the order of the lessons", "[lessons][glossary]") {
  std::set<std::string> names;
  std::string last;
  for (const Term& term : terms()) {
    INFO(term.name);
    CHECK(names.insert(term.name).second);
    CHECK(last <= term.folder);
    last = term.folder;
  }
}
