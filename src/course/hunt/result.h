// The result of an assignment, as Classroom 50 reads it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::course {

struct ResultTest {
  std::string name;  // at most 100 bytes, each once
  bool passed = false;
  int most = 1;  // its score when passed, else 0
};

// Writes result.json by the contract "classroom50/result/v1". What only the classroom knows comes from the
// environment: CLASSROOM, ASSIGNMENT, ASSIGNMENT_TYPE, OWNER, SUBMISSION, COMMIT, RELEASE and REVIEW, each
// behind CLASSROOM50_; empty where it is not set.
void write_result(const std::filesystem::path& file, const std::vector<ResultTest>& tests);

}  // namespace headlight::course
