#include "result_options.h"

#include <nlohmann/json.hpp>

#include "headlight/system/files.h"

namespace headlight::course {

void add_result_options(CLI::App& command, ResultFile& result) {
  constexpr const char* kGroup = "Where a --result belongs (Classroom 50 sets the variables)";
  command.add_option("--result", result.file, "Write the marks to this file, in the form of Classroom 50");
  Assignment& a = result.assignment;
  const auto add = [&](const char* name, std::string& value, const char* variable, const char* help) {
    command.add_option(name, value, help)->envname(variable)->group(kGroup);
  };
  add("--classroom", a.classroom, "CLASSROOM", "The class");
  add("--assignment", a.assignment, "ASSIGNMENT", "The assignment");
  add("--assignment-type", a.assignment_type, "ASSIGNMENT_TYPE", "individual or group");
  add("--owner", a.owner, "OWNER", "Whose it is");
  add("--submission", a.submission, "SUBMISSION_TAG", "The tag that was handed in");
  add("--commit", a.commit, "COMMIT_URL", "Address of the commit");
  add("--release", a.release, "RELEASE_URL", "Address of the release");
  add("--review", a.review, "REVIEW_URL", "Address of the changes; without: the commit's");
  add("--datetime", a.datetime, "SUBMISSION_DATETIME",
      "When it was handed in, UTC, as 2026-11-29T14:00:00Z; without: now");
}

void write_result(const ResultFile& result, const std::vector<ResultTest>& tests) {
  if (!result.file.empty())
    write_file(result.file, classroom_result(result.assignment, tests).dump(2) + "\n");
}

}  // namespace headlight::course
