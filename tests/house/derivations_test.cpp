// docs/gradients.md against the sources that it quotes.
#include <filesystem>
#include <regex>
#include <sstream>

#include "catch.h"
#include "headlight/core/files.h"

using headlight::contains;
using headlight::read_file;

namespace {

const std::filesystem::path kSource = HEADLIGHT_SOURCE_DIR;

// Lines without what stands before their first letter, so that a quotation may be indented otherwise.
std::string without_indents(const std::string& text) {
  std::istringstream in(text);
  std::string result;
  for (std::string line; std::getline(in, line);) {
    const auto start = line.find_first_not_of(' ');
    result += (start == std::string::npos ? "" : line.substr(start)) + "\n";
  }
  return result;
}

std::string derivations() { return read_file(kSource / "docs" / "gradients.md"); }

}  // namespace

TEST_CASE("code that the derivations quote stands in the file that they name", "[house]") {
  std::istringstream in(derivations());
  std::string file, code;
  bool quoting = false;
  int quotations = 0;
  const std::regex from("^From \\[`([^`]+)`\\].*");
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, from)) file = match[1];
    if (quoting && line == "```") {
      INFO(file << " does not have\n" << code);
      REQUIRE_FALSE(file.empty());
      CHECK(contains(without_indents(read_file(kSource / file)), without_indents(code)));
      ++quotations;
      quoting = false;
    } else if (quoting) {
      code += line + "\n";
    } else if (line == "```cpp") {
      quoting = true;
      code.clear();
    }
  }
  CHECK(quotations >= 18);
}

TEST_CASE("tests that the derivations name exist in the file that they name", "[house]") {
  const std::string text = derivations();
  const std::regex named("\n- \"([^\"\n]+)\" in \\[`([^`]+)`\\]");
  int names = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), named), end; match != end; ++match, ++names) {
    INFO((*match)[0].str());
    CHECK(contains(read_file(kSource / (*match)[2].str()), "TEST_CASE(\"" + (*match)[1].str() + "\""));
  }
  CHECK(names >= 20);
}

TEST_CASE("files and cases that the derivations point to exist", "[house]") {
  const std::string text = derivations(), cases = read_file(kSource / "src" / "gradients" / "cases.cpp");
  const std::regex link("\\]\\(\\.\\./([^)#]+)\\)"), shown("gradients --case ([a-z-]+)");
  for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
    INFO((*match)[1].str());
    CHECK(std::filesystem::exists(kSource / (*match)[1].str()));
  }
  for (std::sregex_iterator match(text.begin(), text.end(), shown), end; match != end; ++match)
    CHECK(contains(cases, "{\"" + (*match)[1].str() + "\","));
  for (const char* section : {"Matmul", "Broadcasting", "Softmax", "Cross-entropy", "Layer norm", "Gelu",
                              "Scaled dot-product attention", "Multi-head attention", "Embedding"})
    CHECK(contains(text, std::string("\n## ") + section + "\n"));
}
