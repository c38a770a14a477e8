// Which functions of the library a part calls, read from the learner's file.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headlight::grader {

struct ForbiddenCall {
  std::string name;
  int line = 0;  // of the file
};

// The first call of one of these functions, in the function `part` of the file or in what it calls of the
// file. A name with a capital letter is a type, and any use of it counts. Names in comments and texts do not,
// nor do those that the file defines itself. The file need not be whole C++: what is not understood is
// skipped.
std::optional<ForbiddenCall> forbidden_call(const std::string& source, const std::string& part,
                                            const std::vector<std::string>& not_called);

// The functions of the file that the function `part` calls, itself or through others, without itself. A sign
// counts as a call of the operator that the file defines for it where the type is named too.
std::set<std::string> own_calls(const std::string& source, const std::string& part);

}  // namespace headlight::grader
