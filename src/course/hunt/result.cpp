#include "result.h"

#include <fmt/chrono.h>

#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::course {

void write_result(const std::filesystem::path& file, const std::vector<ResultTest>& tests) {
  nlohmann::ordered_json json{{"schema", "classroom50/result/v1"}};
  for (const char* key :
       {"classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release", "review"}) {
    std::string variable = "CLASSROOM50_";
    for (const char* c = key; *c != '\0'; ++c)
      variable += *c == '_' ? '_' : static_cast<char>(*c - 'a' + 'A');
    const char* value = std::getenv(variable.c_str());
    json[key] = value == nullptr ? "" : value;
  }
  json["datetime"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  int score = 0, most = 0;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ResultTest& test : tests) {
    const int got = test.passed ? test.most : 0;
    score += got, most += test.most;
    list.push_back(
        {{"test-name", test.name}, {"passed", test.passed}, {"score", got}, {"max-score", test.most}});
  }
  json["score"] = score, json["max-score"] = most, json["tests"] = list;
  write_file(file, json.dump(2) + "\n");
}

}  // namespace headlight::course
