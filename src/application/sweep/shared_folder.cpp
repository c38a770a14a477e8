#include "shared_folder.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/system/json.h"
#include "headlight/system/json_output.h"
#include "headlight/system/sha256.h"

namespace headlight::sweep {
namespace {

namespace fs = std::filesystem;

fs::path place(const fs::path& folder, std::size_t number) {
  return hidden_name(folder / fmt::format("worker-{}", number), "lock");
}

}  // namespace

std::string text_of(const tasks::Task& task) {
  std::string hashes;
  for (const tasks::TaskFile& file : task.files) hashes += sha256(file.content);
  return hashes;
}

std::optional<SavedSweep> saved_sweep(const fs::path& folder) {
  const fs::path file = folder / sweep_files::kJson;
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  try {
    const auto json = json_from<ordered_json>(read_file(file));
    return SavedSweep{json.at("plan").dump(), json.value("version", ""), json.value("texts", "")};
  } catch (const ordered_json::exception&) {
    fail("'{}' is damaged: it has no plan of a sweep.", file.string());
  } catch (const Error& e) {
    fail("'{}' is damaged: {}.", file.string(), e.what());
  }
}

system::FileLock wait_for_sweep(const fs::path& folder) {
  const fs::path target = FolderLock::resolve(folder);
  make_folder(target.parent_path());
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(20)))
    if (auto lock = system::FileLock::try_to_take(hidden_name(target, "sweep"))) return std::move(*lock);
}

system::FileLock enter_sweep(const fs::path& folder) {
  system::FileLock lock = wait_for_sweep(folder);
  const FolderLock no_other_command(folder);
  return lock;
}

system::FileLock take_place(const fs::path& folder) {
  make_folder(folder);
  for (std::size_t number = 1;; ++number)
    if (auto lock = system::FileLock::try_to_take(place(folder, number))) return std::move(*lock);
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.insert(at->path().filename().string());
  return names;
}

std::size_t count_workers(const fs::path& folder, const std::set<std::string>& names) {
  std::size_t count = 0;
  for (auto name = names.lower_bound(".worker-"); name != names.end() && name->starts_with(".worker-");
       ++name)
    count += system::FileLock::try_to_take(folder / *name) ? 0 : 1;
  return count;
}

fs::path failure_note(const fs::path& run) { return hidden_name(run, "error"); }

void remove_leftovers(const fs::path& folder) {
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with('.')) continue;
    if (name.ends_with(".headlight.error")) remove_file(folder / name);
    if (name.ends_with(".headlight.lock"))
      system::FileLock::try_to_take(folder / name);  // removes a free one
  }
}

}  // namespace headlight::sweep
