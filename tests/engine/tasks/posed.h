// A task of the registry that can be posed.
#pragma once

#include "headlight/tasks/task.h"

namespace headlight::tasks {

// The default settings, and a text for the task that needs one.
inline TaskConfig posed(const std::string& name, bool with_source = false) {
  TaskConfig c{.name = name};
  if (name == "text") c.text = HEADLIGHT_SOURCE_DIR "/README.md";
  c.with_source = with_source;
  return c;
}

}  // namespace headlight::tasks
