// The task "text": the next character of a text of your own.
#pragma once

#include <string>

#include "headlight/tasks/task.h"

namespace headlight::tasks {

// The predictor of a text that a model must surpass, among the task's references.
inline constexpr const char* kPairsOfCharacters = "pairs of characters";

// The name of the copy of the text in a run's folder.
inline constexpr const char* kTextFile = "text.txt";

// A target counts as copied from an earlier place when the last so many characters stood there too, and when
// counting pairs of characters gives it a probability below kRare: what is frequent need not be copied.
inline constexpr std::size_t kRepeatedCharacters = 2;
inline constexpr double kRare = 0.2;

// The task of a text file: windows of n_ctx characters from its first nine tenths; held-out are windows of
// its last tenth. A token is a character of UTF-8, or with config.bytes a byte. The vocabulary is the text's
// characters in the order of their code points, or all 256 bytes; a byte order mark at the beginning is left
// out. A target is predictable when the last kRepeatedCharacters characters stood in the window before, the
// target followed them the last time, and counting pairs gives it less than kRare.
//
// Throws FileError for a file that cannot be read, and Error for a text that has no or only one kind of
// character, is too short for the context, is not UTF-8, or is binary (has a byte 0) where characters are
// asked for.
Task text_task(const TaskConfig& config);

// The same for a text that is not in a file. `name` is what messages call it.
Task text_task(const TaskConfig& config, std::string text, const std::string& name);

}  // namespace headlight::tasks
