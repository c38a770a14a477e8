#include "left_out_spaces.h"

#include <algorithm>

#include "headlight/core/ascii.h"
#include "headlight/system/run_main.h"

namespace headlight::app {
void warn_left_out_spaces(const tasks::Task& task, const std::string& flag, const std::string& text) {
  std::string without = text;
  without.erase(std::remove_if(without.begin(), without.end(), ascii::is_space), without.end());
  const tasks::Vocabulary& vocabulary = task.vocabulary;
  if (!vocabulary.by_character() || without == text || vocabulary.tokens(text) != vocabulary.tokens(without))
    return;
  note("Note: spaces are not tokens of this run; {} was read as '{}'.", flag, without);
}

}  // namespace headlight::app
