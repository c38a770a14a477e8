#include "compile_error.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <regex>
#include <string_view>
#include <vector>

#include "headlight/system/text.h"
#include "plain_types.h"

namespace headlight::course {
namespace {

struct Explained {
  const char* message;  // a regular expression; quotes are ' in it
  const char* words;
};

// From the special to the general: the first that fits is shown.
constexpr std::array kExplained = {
    Explained{"expected ',' or ';'|expected ';'",
              "A semicolon is missing, often at the end of the line before."},
    Explained{"expected '\\}' at end of input|expected '\\}'|expected unqualified-id.*end of input",
              "A { has no matching }."},
    Explained{"expected '\\)'", "A ( has no matching )."},
    Explained{
        "'(vector|string|pair|array|map|max|min|swap|move|sqrt|abs|size_t|cout|endl|function)' "
        "was not declared|undeclared identifier "
        "'(vector|string|pair|array|map|max|min|swap|move|sqrt|abs|size_t|cout|endl|function)'|'(vector|string|pair|array|map|max|min|swap|move)' "
        "does not name a type",
        "This name is in the namespace std: write std:: before it."},
    Explained{
        "was not declared in this scope|undeclared identifier|does not name a type|unknown type name",
        "The compiler does not know this name here: it is misspelt, or declared further down or in another "
        "block."},
    Explained{"(could not|cannot) convert .*Tensor.* to .*(Array|xarray)|no known conversion "
              ".*Tensor.*(Array|xarray)|conversion from .*Tensor.* to non-scalar type "
              ".*(Array|xarray)|no viable conversion from .*Tensor.*(Array|xarray)",
              "An Array is needed, and this is a Tensor. t.array() gives the numbers of a Tensor t."},
    Explained{"(could not|cannot) convert .*(Array|xarray).* to .*Tensor|no known conversion "
              ".*(Array|xarray).*Tensor|conversion from .*(Array|xarray).* to non-scalar type "
              ".*Tensor|no viable conversion from .*(Array|xarray).*Tensor",
              "A Tensor is needed, and this is an Array. Tensor(a) makes one of an Array a."},
    Explained{"narrowing conversion|cannot be narrowed",
              "A number would lose digits or its sign here. Convert it "
              "explicitly: static_cast<double>(n)."},
    Explained{"too (few|many) arguments", "The function takes another number of arguments."},
    Explained{
        "no return statement|control reaches end|non-void function does not return|should return a value",
        "Every way through the function must end with a return."},
    Explained{"has no member named|no member named",
              "This type has no such member: look into the header of the type."},
    Explained{"no match for 'operator|invalid operands", "There is no such operator for these two types."},
    Explained{"assignment of read-only|discards qualifiers|cannot assign to .*const|not viable: 'this' "
              "argument.*const",
              "This value is const: it may be read, not changed. Make a copy."},
    Explained{"invalid types .*for array subscript|subscripted value is not",
              "Square brackets need an array or a vector before them."},
    Explained{"no match for a call of|no matching function for call to object",
              "What is called here does not take these arguments: compare their number and their types."},
    Explained{"no matching function", "There is a function of this name, but none that takes these types."},
    Explained{"(could not|cannot) convert|no viable conversion|conversion from",
              "The type of this value does not fit what is expected here."},
    Explained{"redefinition of|redeclar", "This name is defined twice."}};

std::string plain_quotes(std::string text) {
  for (const char* quote : {"‘", "’", "`"})
    for (std::size_t at = 0; (at = text.find(quote, at)) != std::string::npos;)
      text.replace(at, std::char_traits<char>::length(quote), "'");
  return text;
}

// Of longer words the beginning says enough: the types of a template may take a megabyte, and std::regex
// takes stack for each character.
constexpr std::size_t kMostWords = 20'000, kMostExplained = 2000;

std::string explanation_of(const std::string& whole) {
  const std::string message = whole.substr(0, kMostExplained);
  for (const Explained& known : kExplained)
    if (std::regex_search(message, std::regex(known.message))) return known.words;
  return "";
}

// A line of the compiler: "path:12:5: error: words".
struct Said {
  bool own = false;  // of the learner's file
  int line = 0, column = 0;
  std::string kind, words;
};

// Takes ":12" from the beginning of a text. Nothing for another beginning.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  if (!text.starts_with(':')) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<Said> read_line(const std::string& text, const std::string& file) {
  constexpr std::array kKinds{"fatal error", "error", "warning", "note", "required from here"};
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1)) {
    std::string_view rest = std::string_view(text).substr(at);
    const auto line = take_number(rest);
    const auto column = line ? take_number(rest) : std::nullopt;
    if (!column || !rest.starts_with(": ")) continue;
    rest.remove_prefix(std::min(rest.find_first_not_of(' ', 1), rest.size()));
    for (const std::string_view kind : kKinds) {
      if (!rest.starts_with(kind)) continue;
      rest.remove_prefix(kind.size());
      return Said{text.substr(0, at).ends_with(file), *line, *column, std::string(kind),
                  std::string(rest.substr(rest.starts_with(": ") ? 2 : rest.size(), kMostWords))};
    }
  }
  return std::nullopt;
}

// What stands behind `before` and in front of the last `after`; nothing without `before`.
std::optional<std::string> between(const std::string& text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return std::nullopt;
  const std::string rest = text.substr(at + before.size());
  return rest.substr(0, rest.rfind(after));
}

// What the linker finds twice: "my/01_tensors.cpp:63: multiple definition of 'main'; …".
std::optional<CompileError> found_twice(const std::string& plain, const std::string& file) {
  auto name = between(plain, "multiple definition of '", "';");
  if (!name) name = between(plain, "duplicate symbol: ", "");
  if (!name) return std::nullopt;
  const std::size_t at = std::min(plain.find(file + ":"), plain.size());
  std::string_view place = std::string_view(plain).substr(std::min(at + file.size(), plain.size()));
  return CompileError{take_number(place).value_or(0), 0, "defined twice: '" + *name + "'",
                      "What checks the exercise has this name too: give yours another."};
}

// What the linker misses or finds twice.
std::optional<CompileError> link_error(const std::vector<std::string>& lines, const std::string& file) {
  for (const std::string& line : lines) {
    const std::string plain = plain_quotes(line);
    if (const auto twice = found_twice(plain, file)) return twice;
    auto name = between(plain, "undefined reference to '", "'");
    if (!name) name = between(plain, "undefined symbol: ", "");
    if (!name) continue;
    if (name->starts_with("solution::"))
      return CompileError{0, 0, "our solution cannot be called: '" + *name + "'", "Write the part yourself."};
    return CompileError{
        0, 0, "the function '" + *name + "' is missing",
        "Was its name or its signature changed? The exercise as it was shipped stands in lessons/."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<CompileError> first_error(const std::string& log, const std::string& file) {
  const std::vector<std::string> lines = text_lines(log);
  std::optional<Said> led_here;           // the learner's line that g++ names before an error in a header
  std::optional<CompileError> elsewhere;  // the first error in a header
  for (const std::string& line : lines) {
    const auto said = read_line(line, file);
    if (!said) continue;
    const std::string words = plain_types(plain_quotes(said->words));
    const bool error = said->kind.ends_with("error");
    if (error && said->own) return CompileError{said->line, said->column, words, explanation_of(words)};
    if (error && !elsewhere) {
      elsewhere = CompileError{0, 0, words, explanation_of(words)};
      if (led_here) elsewhere->line = led_here->line, elsewhere->column = led_here->column;
    } else if (said->own && elsewhere && elsewhere->line == 0 && said->kind == "note") {
      elsewhere->line = said->line, elsewhere->column = said->column;  // clang names it after the error
    }
    if (said->own && said->kind == "required from here") led_here = said;
  }
  return elsewhere ? elsewhere : link_error(lines, file);
}

std::string error_text(const CompileError& error, const std::string& file, const std::string& source,
                       std::size_t width) {
  std::string text = error.line > 0 ? fmt::format("{}:{}:{}: it does not compile.\n", file, error.line,
                                                  std::max(error.column, 1))
                                    : fmt::format("{}: it does not compile.\n", file);
  constexpr std::size_t kMostLines = 4;
  std::vector<std::string> message = wrapped(printable(error.message), width - 2);
  if (message.size() > kMostLines) message.resize(kMostLines), message.back() += " …";
  for (const std::string& line : message) text += "  " + cut_to(line, width - 2) + "\n";
  const std::vector<std::string> lines = text_lines(source);
  if (error.line > 0 && static_cast<std::size_t>(error.line) <= lines.size()) {
    std::string shown = lines[static_cast<std::size_t>(error.line) - 1];
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    std::string number = fmt::format("{:>5} | ", error.line);
    auto column = static_cast<std::size_t>(std::max(error.column, 1)) - 1;
    // Of a long line what is before the error.
    if (number.size() + column >= width && column < shown.size()) {
      const std::size_t left_out = number.size() + column + 5 - width;
      shown.erase(0, left_out), column -= left_out, number += "…";
    }
    text += "\n" + cut_to(number + printable(shown), width) + "\n";
    const auto place = display_width(number) + column;
    if (place < width) text += std::string(place, ' ') + "^\n";
  }
  if (!error.explanation.empty()) text += "\n" + error.explanation + "\n";
  return text;
}

}  // namespace headlight::course
