#include "grade_class.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <atomic>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/json.h"
#include "headlight/system/sha256.h"

namespace headlight::course {
namespace {

namespace fs = std::filesystem;

// A folder for one student, which nobody else can enter, and which is gone afterwards.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "headlight-class-XXXXXX").string();
    const char* made = ::mkdtemp(name.data());
    check(made != nullptr, "no folder can be made in '{}'.", fs::temp_directory_path().string());
    path_ = fs::canonical(made);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// What a check finds, without the file: what is kept of it.
struct Kept {
  std::string problem;
  std::optional<grader::Verdict> verdict;
  bool for_good = true;  // false: on another day it might end otherwise
};

Kept check_file(const std::string& text, const Lesson& lesson, const ClassGrading& grading) {
  const WorkFolder work;
  const Places places{grading.source / "lessons", work.path() / "my"};
  fs::create_directories(places.my);
  write_file(paths_of(places, lesson).mine, text);
  Learner learner(places, class_tools({grading.source, grading.build, work.path(), grading.confined}));
  try {
    const Findings found = learner.check(lesson);
    if (!found.error) return {"", found.verdict};
    return {fmt::format("does not compile: line {}: {}", found.error->line, found.error->message), {}};
  } catch (const Error& e) {
    const std::string what = e.what();
    return {what.substr(0, what.find(" Hint: ")), {}, false};
  }
}

// What grades a lesson, by the sizes and times of its files: the objects that grading.ninja links for it, and
// the grader.
std::string stamp_of_checker(const fs::path& build, const Lesson& lesson) {
  const std::string rules = read_file(build / "grading.ninja");
  const auto at = rules.find(fmt::format("build $made/my_{}: ", lesson.folder));
  check(at != std::string::npos, "'{}' knows no lesson {}.", (build / "grading.ninja").string(),
        lesson.folder);
  std::vector<fs::path> parts{build / "lessons/libheadlight_grader.a", build / "lessons/header.h"};
  std::istringstream words(rules.substr(at, rules.find('\n', at) - at));
  for (std::string word; words >> word;)
    if (word.ends_with(".o") && !word.starts_with('$')) parts.push_back(build / word);
  std::string stamps;
  for (const fs::path& part : parts)
    stamps +=
        fmt::format("{} {} ", fs::file_size(part), fs::last_write_time(part).time_since_epoch().count());
  return stamps;
}

std::optional<Kept> kept_in(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  try {
    const auto stored = json_from<nlohmann::json>(read_file(file));
    Kept kept{stored.at("problem"), {}};
    if (!stored.at("verdict").is_null())
      kept.verdict = grader::verdict_from_json(stored.at("verdict").dump());
    return kept;
  } catch (const std::exception&) {  // of an older version
    return std::nullopt;
  }
}

void keep(const fs::path& file, const Kept& kept) {
  const nlohmann::json verdict =
      kept.verdict ? nlohmann::json::parse(grader::to_json(*kept.verdict)) : nlohmann::json();
  write_file(file, nlohmann::json{{"problem", kept.problem}, {"verdict", verdict}}.dump(
                       -1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// One exercise of one student.
struct Task {
  const Lesson* lesson;
  const std::string* text;  // null: it is missing
  GradedFile* graded;
  std::string checker;  // its stamp
};

void grade(const Task& task, const ClassGrading& grading) {
  const Places places{grading.source / "lessons", {}};
  if (task.text == nullptr) {
    *task.graded = {marks_of(places, *task.lesson), "missing", ""};
    return;
  }
  const fs::path file =
      grading.build / "class" / (sha256(task.checker + task.lesson->folder + *task.text) + ".json");
  std::optional<Kept> kept = kept_in(file);
  if (!kept) {
    kept = check_file(*task.text, *task.lesson, grading);
    if (kept->for_good) keep(file, *kept);
  }
  Findings found;
  found.verdict = kept->verdict;
  *task.graded = {marks_of(places, *task.lesson, found), kept->problem, *task.text};
}

// All tasks, several at once. An error of one is thrown when all have ended.
void grade_all(const std::vector<Task>& tasks, const ClassGrading& grading) {
  std::atomic<std::size_t> next = 0, done = 0;
  std::mutex one;
  std::exception_ptr error;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < tasks.size();) {
      try {
        grade(tasks[i], grading);
      } catch (...) {
        const std::scoped_lock lock(one);
        error = std::current_exception();
      }
      const std::scoped_lock lock(one);
      if (grading.progress) grading.progress(++done, tasks.size());
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < grading.at_once; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace

int GradedStudent::score() const {
  int sum = 0;
  for (const GradedFile& file : files) sum += file.marks.score();
  return sum;
}

GradedClass grade_class(const std::vector<Submission>& submissions, const std::vector<Lesson>& lessons,
                        const ClassGrading& grading) {
  fs::create_directories(grading.build / "class");
  GradedClass graded{lessons, std::vector<GradedStudent>(submissions.size())};
  std::map<std::string, std::string> checkers;
  const Places places{grading.source / "lessons", {}};
  for (const Lesson& lesson : lessons) {
    const Built built = prepare_lesson(grading.build, lesson);
    check(built.ok, "what grades lesson {} could not be built: {}", lesson.number, errors_of(built.log, 20));
    checkers[lesson.folder] = stamp_of_checker(grading.build, lesson);
    graded.most += marks_of(places, lesson).most();
  }
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    GradedStudent& student = graded.students[i];
    student = {submissions[i].name, std::vector<GradedFile>(lessons.size()), submissions[i].problem};
    for (std::size_t k = 0; k < lessons.size(); ++k) {
      const auto file = submissions[i].files.find(lessons[k].folder);
      tasks.push_back({&lessons[k], file == submissions[i].files.end() ? nullptr : &file->second,
                       &student.files[k], checkers[lessons[k].folder]});
    }
  }
  grade_all(tasks, grading);
  return graded;
}

}  // namespace headlight::course
