#include "verdict/calls.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace headlight::grader {
namespace {

struct Token {
  std::string text;
  int line;
  bool is_name() const { return std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_'; }
};
using Tokens = std::vector<Token>;

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The end of what begins at `at`: a comment, a text, a line of the preprocessor, a name, or one character.
std::size_t end_of_piece(const std::string& source, std::size_t at, bool at_line_start) {
  const auto after = [&](const char* mark, std::size_t from, std::size_t length) {
    const std::size_t found = source.find(mark, from);
    return found == std::string::npos ? source.size() : found + length;
  };
  if (source.compare(at, 2, "//") == 0) return after("\n", at, 0);
  if (source.compare(at, 2, "/*") == 0) return after("*/", at + 2, 2);
  if (source[at] == '#' && at_line_start) return after("\n", at, 0);
  if (source[at] == '"' || source[at] == '\'') {
    std::size_t end = at + 1;
    while (end < source.size() && source[end] != source[at] && source[end] != '\n')
      end += source[end] == '\\' ? 2 : 1;
    return std::min(end + 1, source.size());
  }
  std::size_t end = at;
  while (end < source.size() && in_name(source[end])) ++end;
  return std::max(end, at + 1);
}

Tokens tokens_of(const std::string& source) {
  Tokens tokens;
  int line = 1;
  bool at_line_start = true;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = end_of_piece(source, at, at_line_start);
    const std::string piece = source.substr(at, end - at);
    const bool space = std::isspace(static_cast<unsigned char>(piece[0])) != 0;
    const bool counts = !space && piece[0] != '"' && piece[0] != '\'' && !piece.starts_with("//") &&
                        !piece.starts_with("/*") && !(piece[0] == '#' && at_line_start);
    if (counts) tokens.push_back({piece, line});
    line += static_cast<int>(std::ranges::count(piece, '\n'));
    at_line_start = piece == "\n" || (at_line_start && space);
    at = end;
  }
  return tokens;
}

// What stands at the outermost level of a file, one definition each: a function with its body, a struct, a
// variable. What a namespace holds counts as outermost.
std::vector<Tokens> definitions_in(const Tokens& tokens) {
  std::vector<Tokens> all(1);
  int depth = 0;
  for (const Token& token : tokens) {
    Tokens& now = all.back();
    if (depth == 0 && token.text == "{" && !now.empty() && now[0].text == "namespace") {
      now.clear();
      continue;
    }
    if (token.text == "}" && depth == 0) continue;  // of a namespace
    now.push_back(token);
    if (token.text == "{") ++depth;
    if (token.text == "}") --depth;
    if (depth == 0 && (token.text == "}" || token.text == ";")) all.emplace_back();
  }
  return all;
}

// "sum_to", or "operator/": the last name before the first bracket, brace or sign of equality.
std::string name_of(const Tokens& definition) {
  std::string name;
  for (std::size_t i = 0; i < definition.size(); ++i) {
    const std::string& text = definition[i].text;
    if (text == "operator") {
      for (name = text; ++i < definition.size() && definition[i].text != "(";) name += definition[i].text;
      return name;
    }
    if (text == "(" || text == "{" || text == "=") break;
    if (definition[i].is_name()) name = text;
  }
  return name;
}

// Whether a name with a bracket behind it is called there: before it stands no type, as in "Tensor exp(x)".
bool is_called(const Tokens& definition, std::size_t at) {
  constexpr std::array kBefore{"return", "else", "do", "case", "throw", "co_return", "not", "and", "or"};
  if (at + 1 >= definition.size() || definition[at + 1].text != "(") return false;
  return at == 0 || !definition[at - 1].is_name() ||
         std::ranges::find(kBefore, definition[at - 1].text) != kBefore.end();
}

// Whether a definition may call an operator: it names one of the types that the operator is for.
bool may_call_operator(const Tokens& definition, const Tokens& op) {
  const auto body = std::ranges::find(op, "{", &Token::text);
  return std::any_of(op.begin(), body, [&](const Token& token) {
    return std::isupper(static_cast<unsigned char>(token.text[0])) != 0 &&
           std::ranges::find(definition, token.text, &Token::text) != definition.end();
  });
}

// Calls `visit` with each name in what the function `part` is made of; it returns whether to stop. Returns
// the functions of the file that were read.
template <class Visit>
std::set<std::string> read_through(const std::string& source, const std::string& part, const Visit& visit) {
  std::multimap<std::string, Tokens> definitions;
  for (const Tokens& each : definitions_in(tokens_of(source))) definitions.emplace(name_of(each), each);
  std::vector<std::string> to_read{part};
  std::set<std::string> read{part};
  while (!to_read.empty()) {
    const auto [first, last] = definitions.equal_range(to_read.back());
    to_read.pop_back();
    for (auto at = first; at != last; ++at)
      for (std::size_t i = 0; i < at->second.size(); ++i) {
        const std::string& name = at->second[i].text;
        const auto op = definitions.find("operator" + name);
        if (op != definitions.end() && may_call_operator(at->second, op->second)) {
          if (read.insert(op->first).second) to_read.push_back(op->first);
        } else if (definitions.contains(name)) {
          if (read.insert(name).second) to_read.push_back(name);
        } else if (visit(at->second, i)) {
          return read;
        }
      }
  }
  return read;
}

}  // namespace

std::optional<ForbiddenCall> forbidden_call(const std::string& source, const std::string& part,
                                            const std::vector<std::string>& not_called) {
  std::optional<ForbiddenCall> found;
  read_through(source, part, [&](const Tokens& definition, std::size_t i) {
    const auto& [name, line] = definition[i];
    if (std::ranges::find(not_called, name) != not_called.end() &&
        (std::isupper(static_cast<unsigned char>(name[0])) != 0 || is_called(definition, i)))
      found = ForbiddenCall{name, line};
    return found.has_value();
  });
  return found;
}

std::set<std::string> own_calls(const std::string& source, const std::string& part) {
  std::set<std::string> read = read_through(source, part, [](const Tokens&, std::size_t) { return false; });
  read.erase(part);
  return read;
}

}  // namespace headlight::grader
