#include "headlight/system/crash.h"

#include <charconv>

#include "headlight/system/text.h"

namespace headlight {
namespace {

struct CrashPlace {
  std::size_t begin, end;
};
std::optional<CrashPlace> place_of_crash(std::string_view errors) {
  const std::size_t begin = errors.rfind("\n" + std::string(kCrashMark));
  if (begin == std::string_view::npos) return {};
  const std::size_t end = errors.find('\n', begin + 1);
  return CrashPlace{begin, end == std::string_view::npos ? errors.size() : end + 1};
}

}  // namespace

std::optional<Crash> reported_crash(std::string_view errors) {
  const auto place = place_of_crash(errors);
  if (!place) return {};
  const std::size_t begin = place->begin + 1 + kCrashMark.size();
  const std::vector<std::string> words = text_words(errors.substr(begin, place->end - begin));
  Crash crash;
  if (words.size() < 2) return crash;
  std::from_chars(words[0].data(), words[0].data() + words[0].size(), crash.signal);
  crash.stack_is_full = words[1] == "1";
  crash.addresses.assign(words.begin() + 2, words.end());
  return crash;
}

std::string without_crash(std::string_view errors) {
  const auto place = place_of_crash(errors);
  if (!place) return std::string(errors);
  return std::string(errors.substr(0, place->begin + 1)) + std::string(errors.substr(place->end));
}

}  // namespace headlight
