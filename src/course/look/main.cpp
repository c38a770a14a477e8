// The program `look`: runs the checks of a hunt on the engine that it is linked to.
//   look                    every tool, and what differs from an engine without a bug
//   look TOOL [WORDS]       all checks of a tool, or those whose name has these words
//   look --record           what each check prints, for expected.txt
//   look --differences      for ./headlight hunt: tool, check, here, expected, with tabs between them
// It reads expected.txt in the folder where it runs.
#include <fmt/core.h>

#include <exception>
#include <fstream>
#include <map>

#include "checks.h"

namespace headlight::hunt {
namespace {

using Expected = std::map<std::string, std::string>;  // by "tool\tcheck"

Expected read_expected(const std::string& file) {
  std::ifstream in(file);
  Expected expected;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (second != std::string::npos) expected[line.substr(0, second)] = line.substr(second + 1);
  }
  return expected;
}

std::string found_by(const Check& check) {
  std::string text;
  try {
    text = check.run();
  } catch (const std::exception& e) {
    text = std::string("error: ") + e.what();
  }
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text;
}

struct Looked {
  std::size_t all = 0, wrong = 0;
};

// Calls found(check, here, expected) for each check of a tool, as soon as it is done.
template <class Found>
Looked look_at(const Tool& tool, const std::string& words, const Expected& expected, Found found) {
  Looked looked;
  for (const Check& check : tool.checks()) {
    if (check.name.find(words) == std::string::npos) continue;
    const std::string here = found_by(check);
    const auto at = expected.find(tool.name + "\t" + check.name);
    const std::string wanted = at == expected.end() ? "nothing" : at->second;
    ++looked.all;
    if (here != wanted) ++looked.wrong;
    found(check, here, wanted);
    std::fflush(stdout);
  }
  return looked;
}

int record() {
  for (const Tool& tool : tools())
    look_at(tool, "", {}, [&](const Check& check, const std::string& here, const std::string&) {
      fmt::print("{}\t{}\t{}\n", tool.name, check.name, here);
    });
  return 0;
}

int differences(const Expected& expected) {
  Looked all;
  for (const Tool& tool : tools())
    look_at(tool, "", expected, [&](const Check& check, const std::string& here, const std::string& wanted) {
      if (here != wanted) fmt::print("{}\t{}\t{}\t{}\n", tool.name, check.name, here, wanted);
    });
  fmt::print("end\n");
  return 0;
}

void print_one(const Check& check, const std::string& here, const std::string& wanted) {
  if (here == wanted)
    fmt::print("  ok     {}: {}\n", check.name, here);
  else
    fmt::print("  WRONG  {}\n           here      {}\n           expected  {}\n", check.name, here, wanted);
}

int overview(const Expected& expected) {
  constexpr std::size_t kMost = 5;  // of a tool
  std::size_t wrong = 0;
  for (const Tool& tool : tools()) {
    fmt::print("{}: {}\n", tool.name, tool.what);
    std::size_t printed = 0;
    const Looked looked = look_at(
        tool, "", expected, [&](const Check& check, const std::string& here, const std::string& wanted) {
          if (here != wanted && printed++ < kMost) print_one(check, here, wanted);
        });
    if (looked.wrong > kMost) fmt::print("  and others: ./look {}\n", tool.name);
    fmt::print("  {} checks, {}\n", looked.all,
               looked.wrong == 0 ? "all as expected" : fmt::format("{} WRONG", looked.wrong));
    wrong += looked.wrong;
  }
  return wrong == 0 ? 0 : 1;
}

int one_tool(const std::string& name, const std::string& words, const Expected& expected) {
  std::string known;
  for (const Tool& tool : tools()) {
    known += (known.empty() ? "" : ", ") + tool.name;
    if (tool.name != name) continue;
    fmt::print("{}: {}\n", tool.name, tool.what);
    const Looked looked = look_at(tool, words, expected, print_one);
    if (looked.all > 0) return looked.wrong == 0 ? 0 : 1;
    fmt::print(stderr, "look: no check of '{}' has '{}' in its name. Hint: look {}\n", name, words, name);
    return 2;
  }
  fmt::print(stderr, "look: there is no tool '{}': expected {}.\n", name, known);
  return 2;
}

int run(const std::vector<std::string>& words) {
  const std::string first = words.empty() ? "" : words[0];
  if (first == "--record") return record();
  const Expected expected = read_expected("expected.txt");
  if (first == "--differences") return differences(expected);
  if (first.empty()) return overview(expected);
  std::string rest;
  for (std::size_t i = 1; i < words.size(); ++i) rest += (i > 1 ? " " : "") + words[i];
  return one_tool(first, rest, expected);
}

}  // namespace
}  // namespace headlight::hunt

int main(int argc, char** argv) { return headlight::hunt::run({argv + 1, argv + argc}); }
