// The task "text" of a file.
#include <filesystem>

#include "headlight/core/setting_text.h"
#include "headlight/system/file_error.h"
#include "headlight/system/files.h"
#include "headlight/tasks/text.h"

namespace headlight::tasks {
namespace {

std::string where_from(const TaskConfig& c) {
  check_setting(!c.text.empty(),
                "the task 'text' needs a file to learn from. Hint: {}, a text of yours, or "
                "data/text/stories.txt.",
                setting_key("task.text", "FILE"));
  const std::filesystem::path file =
      std::filesystem::path(c.folder) / c.text;  // an absolute path stays itself
  return file.string();
}

}  // namespace

Task text_task(const TaskConfig& config) {
  const std::string file = where_from(config);
  std::error_code error;
  check_file(!std::filesystem::is_other(file, error),
             "'{}' is a pipe or a device, and a text is read more than once. Hint: save it to a file first.",
             file);
  return text_task(config, read_file(file), "'" + file + "'");
}

}  // namespace headlight::tasks
