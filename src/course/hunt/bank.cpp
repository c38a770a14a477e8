#include "bank.h"

#include <algorithm>
#include <sstream>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

void add_line(std::string& text, const std::string& line) { text += (text.empty() ? "" : "\n") + line; }

void read_line(Bug& bug, bool& has_new, const std::string& line) {
  const std::string kind = line.substr(0, line.find(' ')),
                    rest = line.substr(std::min(line.size(), kind.size() + 1));
  const std::string words = rest.substr(std::min(rest.size(), rest.find_first_not_of(' ')));
  if (kind == "why") {
    bug.why = words;
  } else if (kind == "file") {
    bug.file = words;
  } else if (kind == "-" && !has_new) {
    add_line(bug.right, rest);
  } else if (kind == "+" && !bug.right.empty()) {
    has_new ? add_line(bug.wrong, rest) : void(bug.wrong = rest);
    has_new = true;
  } else {
    fail("the bank of bugs: '{}' stands where 'why', 'file', '-' and then '+' were expected, in '{}'.", line,
         bug.name);
  }
}

bool blank(std::string_view line) { return line.find_first_not_of(" \t\n") == std::string_view::npos; }

std::string without_spaces(const std::string& text) {
  std::string rest;
  std::ranges::copy_if(text, std::back_inserter(rest),
                       [](char c) { return c != ' ' && c != '\t' && c != '\n'; });
  return rest;
}

// The begin of the line `count` lines before the one that holds a place, and likewise the end of one behind.
std::size_t lines_before(const std::string& text, std::size_t at, int count) {
  for (; at > 0; --at)
    if (text[at - 1] == '\n' && count-- == 0) break;
  return at;
}
std::size_t lines_behind(const std::string& text, std::size_t at, int count) {
  for (; at < text.size(); ++at)
    if (text[at] == '\n' && count-- == 0) break;
  return at;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

std::vector<Bug> read_bank(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Bug> bugs;
  for (const fs::path& file : files) {
    bool has_new = false, in_bug = false;  // before the first there are comments
    for (const std::string& line : text_lines(read_file(file))) {
      if (line.starts_with("== ")) {
        bugs.push_back({.name = line.substr(3)});
        has_new = false, in_bug = true;
      } else if (in_bug && !line.empty()) {
        read_line(bugs.back(), has_new, line);
      }
    }
  }
  return bugs;
}

std::vector<Eligible> read_eligible(const fs::path& file) {
  std::vector<Eligible> eligible;
  for (const std::string& line : text_lines(read_file(file))) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    Eligible bug;
    check(words >> bug.stars >> bug.name && bug.stars >= 1 && bug.stars <= 3,
          "{}: expected stars from 1 to 3 and a name, got '{}'.", file.filename().string(), line);
    eligible.push_back(bug);
  }
  return eligible;
}

const Eligible& bug_for(const std::string& name, int stars, const std::vector<Eligible>& eligible) {
  std::vector<const Eligible*> fitting;
  for (const Eligible& bug : eligible)
    if (bug.stars == stars) fitting.push_back(&bug);
  check(!fitting.empty(), "--stars: expected 1, 2 or 3, got {}.", stars);
  // A hash, so that neighbouring names are no neighbours in the list.
  const std::string hash = sha256(std::to_string(stars) + " " + name).substr(0, 15);
  return *fitting[std::stoull(hash, nullptr, 16) % fitting.size()];
}

Planted plant(const Bug& bug, const std::string& source) {
  const std::size_t times = occurrences(source, bug.right);
  check(times == 1, "the text that '{}' replaces stands {} times in {}, not once.", bug.name, times,
        bug.file);
  const std::size_t at = source.find(bug.right);
  std::string text = source;
  text.replace(at, bug.right.size(), bug.wrong);
  if (blank(bug.wrong)) {
    const std::size_t begin = lines_before(text, at, 0), end = lines_behind(text, at, 0);
    if (blank(std::string_view(text).substr(begin, end - begin))) text.erase(begin, end + 1 - begin);
  }
  constexpr int kAround = 3;
  const std::size_t begin = lines_before(text, at, kAround);
  const std::size_t end = lines_behind(text, std::min(text.size(), at + bug.wrong.size()), kAround);
  return {text, text.substr(begin, end - begin)};
}

bool place_is_unchanged(const Planted& planted, const std::string& text) {
  const std::string place = without_spaces(planted.place);
  return occurrences(without_spaces(text), place) >= occurrences(without_spaces(planted.text), place);
}

}  // namespace headlight::course
