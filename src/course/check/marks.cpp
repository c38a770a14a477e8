#include "marks.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "headlight/core/check.h"
#include "headlight/system/json_output.h"

namespace headlight::course {
namespace {

ordered_json json_of(const PartMark& part, std::size_t number) {
  ordered_json mistake;
  if (part.mistake)
    mistake = {
        {"name", part.mistake->name}, {"sentence", part.mistake->sentence}, {"read", part.mistake->read}};
  return {{"part", number},
          {"name", part.name},
          {"stars", part.stars},
          {"passed", part.passed()},
          {"score", part.score()},
          {"kind", part.kind ? ordered_json(grader::word_of(*part.kind)) : ordered_json()},
          {"mistake", mistake},
          {"after", part.after ? ordered_json(*part.after + 1) : ordered_json()}};
}

std::string now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

}  // namespace

int Marks::score() const {
  int sum = 0;
  for (const PartMark& part : parts) sum += part.score();
  return sum;
}

int Marks::most() const {
  int sum = 0;
  for (const PartMark& part : parts) sum += part.stars;
  return sum;
}

bool Marks::all_passed() const { return !parts.empty() && std::ranges::all_of(parts, &PartMark::passed); }

Marks marks_of(const Places& places, const Lesson& lesson, const std::optional<Findings>& found) {
  Marks marks{lesson.folder, {}};
  for (const ExercisePart& part : exercise_parts(places, lesson))
    marks.parts.push_back({part.name, part.stars});
  if (!found || !found->verdict) return marks;
  const auto& graded = found->verdict->parts;
  for (std::size_t i = 0; i < std::min(graded.size(), marks.parts.size()); ++i) {
    marks.parts[i].kind = graded[i].kind;
    marks.parts[i].after = graded[i].after;
    if (!graded[i].after) marks.parts[i].mistake = graded[i].mistake;
  }
  return marks;
}

ordered_json json_of(const Marks& marks, const Lesson& lesson, const Findings& found,
                     const std::string& shown) {
  ordered_json error, parts = ordered_json::array();
  if (found.error)
    error = {{"line", found.error->line}, {"column", found.error->column}, {"message", found.error->message}};
  for (std::size_t i = 0; i < marks.parts.size(); ++i) parts.push_back(json_of(marks.parts[i], i + 1));
  return {{"lesson", marks.lesson}, {"title", lesson.title},  {"compiles", !found.error},  {"error", error},
          {"parts", parts},         {"score", marks.score()}, {"max-score", marks.most()}, {"shown", shown}};
}

std::vector<ResultTest> tests_of(const std::vector<Marks>& marks) {
  std::vector<ResultTest> tests;
  for (const Marks& each : marks)
    for (std::size_t i = 0; i < each.parts.size(); ++i)
      tests.push_back({fmt::format("{}.{} {}", each.lesson, i + 1, each.parts[i].name),
                       each.parts[i].passed(), each.parts[i].stars});
  return tests;
}

ordered_json classroom_result(const Assignment& a, const std::vector<ResultTest>& results) {
  ordered_json tests = ordered_json::array();
  int score = 0, most = 0;
  for (const ResultTest& test : results) {
    const int got = test.passed ? test.most : 0;
    tests.push_back(
        {{"test-name", test.name}, {"passed", test.passed}, {"score", got}, {"max-score", test.most}});
    score += got, most += test.most;
  }
  return {{"schema", "classroom50/result/v1"},
          {"classroom", a.classroom},
          {"assignment", a.assignment},
          {"assignment_type", a.assignment_type},
          {"owner", a.owner},
          {"submission", a.submission},
          {"commit", a.commit},
          {"release", a.release},
          {"review", a.review.empty() ? a.commit : a.review},
          {"datetime", a.datetime.empty() ? now() : a.datetime},
          {"score", score},
          {"max-score", most},
          {"tests", tests}};
}

}  // namespace headlight::course
