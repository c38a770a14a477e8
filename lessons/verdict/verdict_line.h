// How a checker reports to the process that started it how far it is: lines of standard output that begin
// with a word that these two alone know. What stands between them is the learner's own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "verdict/verdict.h"

namespace headlight::grader {

// With line feeds around it.
std::string verdict_line(const Verdict& verdict, std::string_view word);

// How far a call is, as a line like these.
std::string progress_line(std::size_t done, std::size_t all, std::string_view word);

// Reads what a checker writes, however much a learner's code prints between its lines.
class Follower {
 public:
  using OnProgress = std::function<void(std::size_t done, std::size_t all)>;
  explicit Follower(std::string_view word, OnProgress progress = {});

  // Takes the next piece. Throws Error for a line with the word that is no verdict.
  void read(std::string_view piece);

  // Nothing while there was no verdict.
  const std::optional<Verdict>& last() const { return last_; }

  // The last one on each part, by its number, with what was printed in its call.
  const std::map<std::size_t, Verdict>& of_parts() const { return of_parts_; }

  // By the learner, in the call that the last verdict is about: the beginning of it.
  std::string printed() const;

 private:
  bool in_call() const { return !last_ || last_->kind == Kind::running; }
  void take_printed(std::string_view text);
  void take_line(std::string_view line);

  std::string mark_;  // before each line
  OnProgress progress_;
  std::string rest_;  // what is read when more of it has arrived
  std::optional<Verdict> last_;
  std::map<std::size_t, Verdict> of_parts_;
  std::string printed_;
};

}  // namespace headlight::grader
