#include "plain_types.h"

#include <array>
#include <string_view>
#include <utility>

namespace headlight::course {
namespace {

constexpr auto kNone = std::string::npos;

// The place behind the bracket that closes the one at `open`; none if there is no such.
std::size_t behind_bracket(const std::string& text, std::size_t open) {
  const char opens = text[open], closes = opens == '<' ? '>' : opens == '(' ? ')' : opens == '[' ? ']' : '}';
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == opens) ++depth;
    if (text[at] == closes && !(closes == '>' && text[at - 1] == '-') && --depth == 0) return at + 1;
  }
  return kNone;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != kNone; at += to.size())
    text.replace(at, from.size(), to);
}

// Replaces each text that begins so, up to the bracket that closes its last character, by what `name` makes
// of it.
template <class Name>
void replace_bracketed(std::string& text, std::string_view begin, Name name) {
  for (std::size_t at = 0; (at = text.find(begin, at)) != kNone;) {
    const std::size_t end = behind_bracket(text, at + begin.size() - 1);
    if (end == kNone) return;
    const std::string instead = name(std::string_view(text).substr(at, end - at));
    text.replace(at, end - at, instead);
    at += instead.size();
  }
}

// Without each text that begins so, up to the bracket that closes its second character.
void erase_bracketed(std::string& text, std::string_view begin) {
  for (std::size_t at; (at = text.find(begin)) != kNone;) {
    const std::size_t end = behind_bracket(text, at + 1);
    if (end == kNone) return;
    text.erase(at, end - at);
  }
}

// Without each template argument that begins so, and the space in front of the bracket that follows.
void erase_argument(std::string& text, std::string_view begin) {
  for (std::size_t at; (at = text.find(begin)) != kNone;) {
    const std::size_t end = behind_bracket(text, at + begin.size() - 1);
    if (end == kNone) return;
    text.erase(at, end - at + (text.compare(end, 2, " >") == 0 ? 1 : 0));
  }
}

// By its numbers: "xt::xarray_container<xt::uvector<double, …>, …>", "xt::xarray<int>".
std::string array_name(std::string_view type) {
  constexpr std::string_view kBuffer = "uvector<";
  const std::size_t buffer = type.find(kBuffer);
  type.remove_prefix(buffer == kNone ? type.find('<') + 1 : buffer + kBuffer.size());
  if (type.starts_with("bool")) return "BoolArray";
  return type.starts_with("int") || type.starts_with("std::int") ? "IntArray" : "Array";
}

// "f(int)::<lambda(double)>" → "lambda(double)".
void shorten_lambdas(std::string& text) {
  constexpr std::string_view kLambda = "::<lambda";
  for (std::size_t at; (at = text.find(kLambda)) != kNone;) {
    const std::size_t end = behind_bracket(text, at + 2);
    if (end == kNone) return;
    std::size_t begin = at, depth = 0;  // of the function's name
    while (begin > 0) {
      const char before = text[begin - 1];
      if (before == ')') ++depth;
      if (before == '(' && depth-- == 0) break;
      if (depth == 0 && (before == ' ' || before == '\'' || before == ',' || before == '<')) break;
      --begin;
    }
    text.replace(begin, end - begin, text.substr(at + 3, end - at - 4));
  }
}

// "(F) (A, B)" in quotes: what is called, and the arguments.
void shorten_call(std::string& text) {
  constexpr std::string_view kCall = "no match for call to '(";
  const std::size_t at = text.find(kCall);
  if (at == kNone) return;
  const std::size_t open = at + kCall.size() - 1, end = behind_bracket(text, open);
  if (end == kNone || text.compare(end, 2, " (") != 0) return;
  text = text.substr(0, at) + "no match for a call of '" + text.substr(open + 1, end - open - 2) +
         "' with '" + text.substr(end + 1);
}

}  // namespace

std::string plain_types(std::string message) {
  erase_bracketed(message, " {aka ");
  erase_bracketed(message, " [with ");
  for (const char* type : {"xt::xarray_container<", "xt::xarray<"})
    replace_bracketed(message, type, array_name);
  for (const char* type :
       {"xt::xfunction<", "xt::xview<", "xt::xreducer<", "xt::xgenerator<", "xt::xbroadcast<"})
    replace_bracketed(message, type, [](std::string_view) { return std::string("an expression of arrays"); });
  replace_bracketed(message, "xt::svector<", [](std::string_view) { return std::string("Shape"); });
  replace_bracketed(message, "std::__cxx11::basic_string<",
                    [](std::string_view) { return std::string("std::string"); });
  for (const char* type : {", std::allocator<", ", std::less<", ", std::hash<", ", std::equal_to<"})
    erase_argument(message, type);
  constexpr std::array<std::pair<const char*, const char*>, 8> kNames{{{"headlight::f64::", ""},
                                                                       {"headlight_f64::", ""},
                                                                       {"headlight::", ""},
                                                                       {"{anonymous}::", ""},
                                                                       {"(anonymous namespace)::", ""},
                                                                       {"std::__cxx11::", "std::"},
                                                                       {"long unsigned int", "std::size_t"},
                                                                       {"> >", ">>"}}};
  for (const auto& [from, to] : kNames) replace_all(message, from, to);
  shorten_lambdas(message);
  shorten_call(message);
  return message;
}

}  // namespace headlight::course
