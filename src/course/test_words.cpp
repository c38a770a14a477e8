#include "test_words.h"

#include <algorithm>
#include <map>

#include "headlight/core/check.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

constexpr std::size_t kShown = 80;  // columns of a word from outside

struct Option {
  bool joined = false;   // "--show-only=json-v1"
  bool follows = false;  // a value may be the next word
  bool must = false;     // and has to
};

// The names in "  -j <jobs>, --parallel <jobs> = Run the tests …" or "  -N,--show-only[=format]  = …".
void read_options(const std::string& line, std::map<std::string, Option>& options) {
  if (!line.starts_with("  -")) return;
  const bool must = line.find(" <") != std::string::npos;
  const bool follows = must || line.find(" [") != std::string::npos;
  for (std::size_t at = 2; at < line.size() && line[at] == '-';) {
    std::size_t end = line.find_first_of(" ,=[<", at);
    if (end == std::string::npos) end = line.size();
    const std::string rest = line.substr(end);
    Option& option = options[line.substr(at, end - at)];
    option.joined |= rest.starts_with("[=") || rest.starts_with("=<");
    option.follows |= follows;
    option.must |= must;
    const std::size_t next = std::min(line.find(", -", end), line.find(",-", end)),
                      text = line.find("= ", end);
    if (next == std::string::npos || next > text) return;
    at = line.find('-', next);
  }
}

bool is_count_of_jobs(const std::string& word) {
  return word.size() > 2 && word.starts_with("-j") &&
         word.find_first_not_of("0123456789", 2) == std::string::npos;
}

std::string shown(const std::string& word) { return cut_to(printable(word), kShown); }

}  // namespace

void check_ctest_words(const std::vector<std::string>& words, const std::string& help) {
  std::map<std::string, Option> options;
  for (const std::string& line : text_lines(help)) read_options(line, options);
  if (options.empty()) return;  // a ctest whose help reads otherwise
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    check(word.starts_with('-') && word.size() > 1,
          "'{}' belongs to no option of ./headlight test. Hint: -R chooses the tests whose name it matches.",
          shown(word));
    if (is_count_of_jobs(word)) continue;
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const auto option = options.find(word.substr(0, equals));
    check(option != options.end() && (equals == std::string::npos || option->second.joined),
          "neither ./headlight test nor ctest knows the option '{}'. (--help explains)", shown(word));
    if (equals != std::string::npos) continue;
    const bool last = i + 1 == words.size();
    check(!option->second.must || !last, "{} takes a value. (--help explains)", word);
    // The help leaves out the values of some long options. They do not begin with a dash.
    const bool unsaid = word.starts_with("--") && !last && !words[i + 1].starts_with('-');
    if (option->second.must || (option->second.follows && !last && !words[i + 1].starts_with('-')) || unsaid)
      ++i;
  }
}

}  // namespace headlight::course
