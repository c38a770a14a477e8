// `./headlight watch`: the learner's loop on one screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learner.h"

namespace headlight::course {

// The part behind this one that is not solved, and from the first again. Nothing when every part is.
std::optional<std::size_t> next_unsolved(const std::vector<bool>& solved, std::size_t part);

// What the screen shows: a title with the progress, what was found, and the keys. At most `rows` lines of at
// most `columns` columns; where that is too little for what was found, its end is left out, and a line says
// so.
std::vector<std::string> watch_screen(const Lesson& lesson, const std::string& progress,
                                      const std::string& body, std::size_t columns, std::size_t rows,
                                      bool color);

// Grades one part at each save until q is pressed: `part`, or without one the first that needs work. It stays
// when it is solved; the key n moves on. `run_lesson` is called for the key r, `show_picture` for the key d.
// Returns the exit status.
int watch(Learner& learner, std::optional<std::size_t> part, bool color,
          const std::function<void(const Lesson&)>& run_lesson,
          const std::function<void(const Lesson&)>& show_picture);

}  // namespace headlight::course
