// docs/gradients.md quotes code, names tests and rows of the ledger, and has links: all of these must exist.
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <vector>

#include "app/program.h"
#include "headlight/system/text.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = HEADLIGHT_SOURCE_DIR, kDocs = kRoot / "docs";

std::string page() { return read_file(kDocs / "gradients.md"); }

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

// A fenced block with the line that announces it: the last one before it that is not empty.
struct Block {
  std::string announced, language;
  std::vector<std::string> lines;
};

std::vector<Block> blocks(const std::string& text) {
  std::vector<Block> all;
  bool inside = false;
  std::string before;
  for (const std::string& line : text_lines(text)) {
    if (line.starts_with("```")) {
      if (!inside) all.push_back({before, line.substr(3), {}});
      inside = !inside;
    } else if (inside) {
      all.back().lines.push_back(line);
    } else if (!line.empty()) {
      before = line;
    }
  }
  CHECK_FALSE(inside);
  return all;
}

// The page without its fenced blocks.
std::string prose() {
  std::string text;
  bool inside = false;
  for (const std::string& line : text_lines(page())) {
    const bool fence = line.starts_with("```");
    if (!fence && !inside) text += line + "\n";
    inside ^= fence;
  }
  return text;
}

// From [`src/a.cpp`](../src/a.cpp):
const std::regex kFrom("From \\[`([^`]+)`\\]\\(\\.\\./([^)]+)\\):");

// - "a sentence" in [`tests/a_test.cpp`](../tests/a_test.cpp)
const std::regex kTest("- \"([^\"]+)\" in \\[`([^`]+)`\\]\\(\\.\\./([^)]+)\\).*");

// - `./headlight gradients --case self` shows it in the rows `dX` and `dM`
const std::regex kShown("- `\\./headlight gradients --case ([^` ]+)` shows it in the rows? (`.*)");

// Whether the lines stand in the file one after the other, all indented by the same number of spaces.
bool quotes(const std::vector<std::string>& file, const std::vector<std::string>& lines) {
  for (std::size_t at = 0; at + lines.size() <= file.size(); ++at) {
    const std::string indent(std::min(file[at].find_first_not_of(' '), file[at].size()), ' ');
    bool equal = true;
    for (std::size_t i = 0; i < lines.size() && equal; ++i)
      equal = file[at + i] == (lines[i].empty() ? "" : indent + lines[i]);
    if (equal) return true;
  }
  return false;
}

std::map<std::string, std::string> sections() {
  std::map<std::string, std::string> all;
  const std::string text = page();
  for (auto at = text.find("\n## "); at != std::string::npos;) {
    const auto next = text.find("\n## ", at + 1), end = text.find('\n', at + 1);
    all[text.substr(at + 4, end - at - 4)] = text.substr(end, next == std::string::npos ? next : next - end);
    at = next;
  }
  return all;
}

// What follows "**Checked by**" up to the next section.
std::vector<std::string> checks_of(const std::string& section) {
  const auto at = section.find("\n**Checked by**\n\n");
  REQUIRE(at != std::string::npos);
  std::vector<std::string> lines = text_lines(section.substr(at + 17));
  std::erase(lines, "");
  return lines;
}

}  // namespace

TEST_CASE("the derivations have their sections, each with formula, code and checks", "[derivations]") {
  const auto all = sections();
  for (const char* name :
       {"Matmul", "Broadcasting", "Softmax", "Cross-entropy", "Layer norm", "Gelu",
        "Scaled dot-product attention", "Multi-head attention", "Embedding", "Cotangents"}) {
    INFO(name);
    REQUIRE(all.contains(name));
    const std::string& section = all.at(name);
    std::size_t production = 0, by_hand = 0, tests = 0, cases = 0;
    for (const Block& block : blocks(section)) {
      if (block.language != "cpp") continue;
      (contains(block.announced, "`src/course/gradients/") ? by_hand : production) += 1;
    }
    for (const std::string& line : checks_of(section)) (std::regex_match(line, kTest) ? tests : cases) += 1;
    CHECK(production > 0);
    CHECK(tests > 0);
    CHECK(cases > 0);
    if (name == std::string("Cotangents")) continue;
    CHECK(by_hand > 0);
    for (const char* part :
         {"**Inputs and output.**", "**Formula.**", "**Derivation.**", "**Example.**", "**Code.**"})
      CHECK(contains(section, std::string("\n") + part));
  }
}

TEST_CASE("code in the derivations stands in the file that it is said to be from", "[derivations]") {
  std::size_t quoted = 0;
  for (const Block& block : blocks(page())) {
    if (block.language != "cpp") {
      CHECK((block.language == "text" || block.language == "math"));
      continue;
    }
    ++quoted;
    INFO(block.announced << "\n" << block.lines.at(0));
    std::smatch from;
    REQUIRE(std::regex_match(block.announced, from, kFrom));
    CHECK(from[1] == from[2]);
    REQUIRE(fs::exists(kRoot / from[2].str()));
    CHECK(quotes(text_lines(read_file(kRoot / from[2].str())), block.lines));
  }
  CHECK(quoted == matches(page(), std::regex("\nFrom \\[")).size());
}

TEST_CASE("the tests and the rows of the ledger that the derivations name exist", "[derivations]") {
  const Outcome ledger = run_program("headlight_gradients --json");
  REQUIRE(ledger.status == 0);
  std::set<std::string> rows;
  const auto json = nlohmann::json::parse(ledger.out);
  for (const auto& row : json["gradients"])
    rows.insert(row["case"].get<std::string>() + " " + row["quantity"].get<std::string>());
  std::size_t cases = 0;
  for (const auto& [name, section] : sections())
    for (const std::string& line : checks_of(section)) {
      INFO(name << ": " << line);
      std::smatch match;
      if (std::regex_match(line, match, kTest)) {
        CHECK(match[2] == match[3]);
        REQUIRE(fs::exists(kRoot / match[3].str()));
        CHECK(contains(read_file(kRoot / match[3].str()), "TEST_CASE(\"" + match[1].str() + "\","));
      } else {
        REQUIRE(std::regex_match(line, match, kShown));
        ++cases;
        const std::string rest = match[2];
        for (const auto& quantity : matches(rest, std::regex("`([^`]+)`")))
          CHECK(rows.contains(match[1].str() + " " + quantity[1].str()));
      }
    }
  CHECK(cases == matches(page(), std::regex("--case ")).size());
}

TEST_CASE("the derivations link to what is there", "[derivations]") {
  const std::string text = prose();
  std::set<std::string> anchors;
  for (const auto& [name, section] : sections()) {
    std::string anchor;
    for (char c : name) anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(c));
    anchors.insert(anchor);
  }
  for (const auto& link : matches(text, std::regex("\\]\\(([^)#\n]*)(#([^)\n]*))?\\)"))) {
    INFO(link.str());
    if (link[1].length() > 0) CHECK(fs::exists(kDocs / link[1].str()));
    if (link[1].length() == 0) CHECK(anchors.contains(link[3]));
  }
}

// GitHub's Markdown takes backslashes before punctuation, and pairs of _ after punctuation, out of $…$ and
// $$…$$; in ```math and $`…`$ it leaves everything alone.
TEST_CASE("formulas in the derivations survive GitHub's Markdown", "[derivations]") {
  const auto check_braces = [](const std::string& formula) {
    INFO(formula);
    const std::string bare = std::regex_replace(formula, std::regex("\\\\[{}]"), "");
    CHECK(std::count(bare.begin(), bare.end(), '{') == std::count(bare.begin(), bare.end(), '}'));
    CHECK(matches(formula, std::regex("\\\\left\\b")).size() ==
          matches(formula, std::regex("\\\\right\\b")).size());
    CHECK(matches(formula, std::regex("\\\\begin\\{")).size() ==
          matches(formula, std::regex("\\\\end\\{")).size());
    for (const char* refused :
         {"\\operatorname", "\\bm", "\\llbracket", "\\require", "\\def", "\\newcommand"})
      CHECK_FALSE(contains(formula, refused));
  };
  for (const Block& block : blocks(page())) {
    if (block.language != "math") continue;
    std::string formula;
    for (const std::string& line : block.lines) formula += line + "\n";
    check_braces(formula);
  }
  std::string text = prose();
  for (const auto& formula : matches(text, std::regex("\\$`([^`\n]*)`\\$"))) check_braces(formula[1]);
  text = std::regex_replace(text, std::regex("\\$`[^`\n]*`\\$|`[^`\n]*`"), "");
  const std::regex display("\n\n\\$\\$\n([^$]*)\n\\$\\$\n\n"), in_line("\\$([^$\n]+)\\$"),
      taken("\\\\[^A-Za-z]|[^A-Za-z0-9]_|\\*");
  for (const auto& formula : matches(text, display)) {
    INFO(formula.str());
    check_braces(formula[1]);
    CHECK_FALSE(std::regex_search(formula[1].str(), taken));
  }
  text = std::regex_replace(text, display, "\n\n");
  for (const auto& formula : matches(text, in_line)) {
    INFO(formula.str());
    check_braces(formula[1]);
    CHECK_FALSE(std::regex_search(formula[1].str(), std::regex("\\\\[^A-Za-z]|_|\\*")));
  }
  text = std::regex_replace(text, in_line, "");
  CHECK_FALSE(contains(text, "$"));
}
