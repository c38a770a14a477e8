#include "folder.h"

#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/json.h"
#include "headlight/system/process.h"
#include "headlight/system/sha256.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// The engine, which the learner reads and edits, what it stands on, and the tools.
const std::vector<std::string> kFolders{"src/engine", "include/headlight/system", "src/application/system",
                                        "src/course/gradients", "src/course/look"};
const std::vector<std::string> kHeaders{"core", "autograd", "ops", "nn", "optim", "tasks", "train"};

bool is_engine(const std::string& name) {
  if (name.starts_with("src/engine/")) return true;
  for (const std::string& component : kHeaders)
    if (name.starts_with("include/headlight/" + component + "/")) return true;
  return false;
}

bool is_source(const fs::path& file) { return file.extension() == ".cpp" || file.extension() == ".h"; }

// Names of the project's files that a hunt copies.
std::vector<std::string> copied(const fs::path& source) {
  std::vector<std::string> folders = kFolders, names{"include/headlight/version.h"};
  for (const std::string& component : kHeaders) folders.push_back("include/headlight/" + component);
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(source / folder))
      if (is_source(entry.path())) names.push_back(fs::relative(entry.path(), source).generic_string());
  std::erase(names, "src/course/gradients/main.cpp");
  std::erase(names, "src/course/look/try.cpp");  // the learner's
  for (const char* file :
       {"samples.h", "samples.cpp", "attention_samples.cpp", "everyday_samples.cpp", "sample_inputs.cpp"})
    names.push_back(std::string("tests/engine/ops/") + file);
  return names;
}

void write_changed(const fs::path& file, const std::string& text) {
  if (!fs::exists(file) || read_file(file) != text) write_file(file, text);
}

}  // namespace

std::string hidden(const std::string& bug) { return sha256("hunt " + bug).substr(0, 16); }

std::optional<Difference> difference_from(const std::string& line) {
  std::vector<std::string> parts(1);
  for (char c : line) c == '\t' ? parts.emplace_back() : parts.back() += c;
  if (parts.size() != 4) return {};
  return Difference{parts[0], parts[1], parts[2], parts[3]};
}

std::optional<HuntNote> HuntFolder::note() const {
  const fs::path file = folder_ / "hunt.json";
  if (!fs::exists(file)) return {};
  try {
    const auto json = json_from<nlohmann::json>(read_file(file));
    return HuntNote{json.at("name"), json.at("stars"), json.at("bug"), json.at("sources"), json.at("fixed")};
  } catch (const nlohmann::json::exception&) {
    fail("'{}' is no note of a hunt. Hint: --anew begins another one.", file.string());
  }
}

void HuntFolder::write_note(const HuntNote& note) const {
  const nlohmann::ordered_json json{{"name", note.name},
                                    {"stars", note.stars},
                                    {"bug", note.bug},
                                    {"sources", note.sources},
                                    {"fixed", note.fixed}};
  write_file(folder_ / "hunt.json", json.dump(2) + "\n");
}

HuntFolder::Files HuntFolder::files_with(const Bug& bug) const {
  Files files;
  for (const std::string& name : copied(source_)) files[name] = read_file(source_ / name);
  const auto at = files.find(bug.file);
  check(at != files.end(), "'{}' is a bug of {}, which a hunt does not copy.", bug.name, bug.file);
  at->second = plant(bug, at->second).text;
  const fs::path look = source_ / "src/course/look";
  for (const char* name : {"CMakeLists.txt", "expected.txt", "look", "try.cpp"})
    files[name] = read_file(look / name);
  return files;
}

void HuntFolder::lay_out(const Bug& bug) const {
  const Files files = files_with(bug);
  for (const auto& [name, text] : files) write_changed(folder_ / name, text);
  for (const char* folder : {"src", "include", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder))
      if (entry.is_regular_file() && !files.contains(fs::relative(entry.path(), folder_).generic_string()))
        remove_file(entry.path());
  fs::permissions(folder_ / "look", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
}

void HuntFolder::level_times() const {
  const auto built = folder_ / "build/build.ninja";
  if (!fs::exists(built)) return;
  // Older than all that was built of them.
  const auto time = fs::last_write_time(built) - std::chrono::hours(1);
  for (const char* folder : {"src", "include", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder))
      fs::last_write_time(entry.path(), time);
}

void HuntFolder::restore_tools() const {
  const fs::path look = source_ / "src/course/look";
  for (const char* name : {"CMakeLists.txt", "expected.txt", "look"})
    write_changed(folder_ / name, read_file(look / name));
  for (const std::string& name : copied(source_))
    if (!is_engine(name)) write_changed(folder_ / name, read_file(source_ / name));
}

Looked HuntFolder::look() const {
  using std::chrono::minutes, std::chrono::seconds;
  const fs::path folder = fs::absolute(folder_);
  Looked looked;
  const Ended built = run_process({.words = {(folder / "look").string(), "--build"}, .limit = minutes(20)});
  looked.errors = built.output + built.errors;
  looked.built = built.ok();
  if (!looked.built) return looked;
  constexpr std::size_t kMemory = std::size_t{4} << 30;
  const Ended ended = run_process({.words = {(folder / "build/look").string(), "--differences"},
                                   .folder = folder,
                                   .limit = minutes(5),
                                   .confined = Confinement{.cpu = seconds(60), .memory = kMemory}});
  looked.finished = ended.ok() && ended.output.ends_with("end\n");
  looked.errors = ended.signal ? fmt::format("Signal {} ended it.", *ended.signal)
                               : fmt::format("It ended with status {}. {}", ended.status, ended.errors);
  for (const std::string& line : text_lines(ended.output))
    if (const auto difference = difference_from(line)) looked.differences.push_back(*difference);
  return looked;
}

HuntFolder::Changes HuntFolder::changes(const Bug& bug, const HuntNote& note) const {
  const Files files = files_with(bug);
  Changes changes;
  check(
      hash_of(bug) == note.sources,
      "the project's sources are not those from which '{}' was made. Hint: take the project as it was then, "
      "or begin anew with --anew.",
      folder_.string());
  for (const auto& [name, text] : files) {
    if (!is_engine(name)) continue;
    const fs::path mine = folder_ / name;
    check(fs::exists(mine), "'{}' is missing. Hint: --anew lays the hunt out again.", mine.string());
    const std::string now = read_file(mine);
    if (now == text) continue;
    changes.any = true;
    if (name == bug.file)
      changes.at_the_bug = !place_is_unchanged(plant(bug, read_file(source_ / name)), now);
  }
  return changes;
}

std::string HuntFolder::hash_of(const Bug& bug) const {
  std::string all;
  for (const auto& [name, text] : files_with(bug)) all += name + " " + sha256(text) + "\n";
  return sha256(all).substr(0, 16);
}

}  // namespace headlight::course
