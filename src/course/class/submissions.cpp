#include "submissions.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytesOfText = std::size_t{1} << 20;

// Paths in a submission, and how one is read.
struct Contents {
  std::vector<std::string> paths;
  std::function<std::string(const std::string& path)> read;
};

Contents contents_of_folder(const fs::path& folder) {
  Contents contents;
  // Links are not followed: what they lead to is not the student's.
  auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied);
  for (; at != fs::recursive_directory_iterator(); ++at) {
    const std::string name = at->path().filename();
    if (name.starts_with('.') && at->is_directory()) at.disable_recursion_pending();
    if (at->symlink_status().type() == fs::file_type::regular)
      contents.paths.push_back(at->path().lexically_relative(folder).generic_string());
  }
  contents.read = [folder](const std::string& path) { return read_file(folder / path, kMostBytesOfText); };
  return contents;
}

bool is_zip(const fs::path& file) { return file.extension() == ".zip"; }

bool is_archive(const fs::path& file) {
  const std::string name = file.filename();
  return is_zip(file) || std::ranges::any_of(std::vector{".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"},
                                             [&](const char* end) { return name.ends_with(end); });
}

std::string output_of(const Command& command, const fs::path& archive) {
  const Ended ended = run_process(command);
  check(ended.found, "'{}' takes the program {}. Hint: install {}, or unpack it.",
        archive.filename().string(), command.words[0], command.words[0]);
  check(ended.ok() && !ended.timed_out, "'{}' is no archive that {} can read.", archive.filename().string(),
        command.words[0]);
  return ended.output;
}

// Nothing is unpacked: only the texts that are wanted are read, each into memory.
Contents contents_of_archive(const fs::path& archive) {
  const std::string file = fs::absolute(archive).string();
  const auto command = [&](std::vector<std::string> words, std::size_t most) {
    return Command{.words = std::move(words), .limit = std::chrono::seconds(20), .most_output = most};
  };
  const bool zip = is_zip(archive);
  constexpr std::size_t kMostList = std::size_t{8} << 20;
  Contents contents;
  contents.paths = text_lines(output_of(command(zip ? std::vector<std::string>{"unzip", "-Z1", file}
                                                    : std::vector<std::string>{"tar", "-tf", file},
                                                kMostList),
                                        archive));
  contents.read = [=](const std::string& path) {
    return output_of(command(zip ? std::vector<std::string>{"unzip", "-p", file, path}
                                 : std::vector<std::string>{"tar", "-xOf", file, "--", path},
                             kMostBytesOfText),
                     archive);
  };
  return contents;
}

// The path of the file of this name that is the student's work.
std::string best_path(const std::vector<std::string>& paths, const std::string& name) {
  const auto rank = [&](const std::string& path) {
    const bool in_my = ("/" + path).ends_with("/my/" + name);
    return std::pair(!in_my, std::ranges::count(path, '/'));
  };
  const auto is_hidden = [](const std::string& path) {  // as .solved/ is, with what later lessons use
    return ("/" + path.substr(path.starts_with("./") ? 2 : 0)).find("/.") != std::string::npos;
  };
  std::string best;
  for (const std::string& path : paths) {
    if (!("/" + path).ends_with("/" + name) || is_hidden(path)) continue;
    if (best.empty() || std::pair(rank(path), path) < std::pair(rank(best), best)) best = path;
  }
  return best;
}

void read_files(const fs::path& place, const std::vector<Lesson>& lessons, Submission& submission) {
  const Contents contents = fs::is_directory(place) ? contents_of_folder(place) : contents_of_archive(place);
  for (const Lesson& lesson : lessons)
    if (const std::string path = best_path(contents.paths, lesson.folder + ".cpp"); !path.empty())
      submission.files[lesson.folder] = contents.read(path);
  if (submission.files.empty()) submission.problem = "it has no file of an exercise";
}

// "alice" of alice/, alice.tar.gz and "alice_123_assignsubmission_file_".
std::string student_of(const fs::path& place) {
  std::string name = place.filename();
  if (!fs::is_directory(place))
    name.resize(name.rfind(".tar") != std::string::npos ? name.rfind(".tar") : name.rfind('.'));
  if (const auto at = name.find("_assignsubmission"); at != std::string::npos) {
    name.resize(at);
    name.resize(std::min(name.size(), name.find_last_not_of("0123456789") + 1));
    while (name.ends_with('_')) name.pop_back();
  }
  return name;
}

std::string trimmed(std::string text) {
  const auto drop = [](char c) { return c == ' ' || c == '"' || c == '\r'; };
  while (!text.empty() && drop(text.back())) text.pop_back();
  return text.substr(static_cast<std::size_t>(std::ranges::find_if_not(text, drop) - text.begin()));
}

// folder → name
std::map<std::string, std::string> read_names(const fs::path& file) {
  std::map<std::string, std::string> names;
  if (file.empty()) return names;
  std::size_t number = 0;
  for (const std::string& line : text_lines(read_file(file))) {
    ++number;
    if (trimmed(line).empty()) continue;
    const auto comma = line.find(',');
    check(comma != std::string::npos, "'{}', line {}: expected 'folder,name', got '{}'.", file.string(),
          number, printable(line));
    names[trimmed(line.substr(0, comma))] = trimmed(line.substr(comma + 1));
  }
  return names;
}

}  // namespace

std::vector<Submission> submissions_in(const fs::path& folder, const std::vector<Lesson>& lessons,
                                       const fs::path& names_file) {
  check(fs::is_directory(folder), "'{}' is no folder. Hint: a folder with one folder or archive a student.",
        folder.string());
  std::map<std::string, std::string> names = read_names(names_file);
  std::vector<Submission> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path& place = entry.path();
    if (place.filename().string().starts_with('.')) continue;
    if (!entry.is_directory() && !is_archive(place)) continue;
    const std::string student = student_of(place);
    Submission submission{names.contains(student) ? names[student] : student, {}};
    names.erase(student);
    try {
      read_files(place, lessons, submission);
    } catch (const std::exception& e) {
      submission.problem = e.what();
    }
    all.push_back(std::move(submission));
  }
  check(!all.empty(), "'{}' has no submissions. Hint: one folder or archive a student.", folder.string());
  for (const auto& [place, name] : names) all.push_back({name, {}, "nothing was handed in"});
  std::ranges::sort(all, {}, &Submission::name);
  return all;
}

}  // namespace headlight::course
