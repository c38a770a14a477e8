// The verdict on an exercise that a learner reads: what became of each part, and what is wrong with one.
//
// As JSON, one object with these keys:
//   lesson        "03_reverse_mode"
//   parts         [{"name": "sum_to", "stars": 2, "not_called": ["relu"], "kind": a word of kind_names(),
//                 "mistake": as below, "after": number}, …], in their order; the kind is null for a part that
//                 was not graded. "after" is the first wrong part that a wrong one calls, or null: then
//                 nobody knows whether it is wrong itself
//   kind          a word of kind_names(), of the part that the verdict is about
//   part          number of that part: the first that is written and wrong, or else the first that is not
//                 written; the number of parts when all are solved
//   call          "sum_to(g, {3, 1})"; "" when no call was made
//   inputs, expected, found   [{"name": "g", "shape": [3, 4], "numbers": [1, "nan", "inf", "-inf"]}, …]
//   where         {"output": 0, "index": 3}: the first number that differs, in row-major order; or null
//   message       the words of the exception, of the signal, or of what stopped the part; the name of another
//                 function that it calls and that is not written; else ""
//   mistake       {"name", "sentence", "read"}: the known mistake that gives the same numbers or takes too
//                 long; or null
//   example_only  the example that the exercise shows is right, and a later call is not
//   line          of the learner's file, where it threw, crashed or was stopped; 0: unknown
//   thrown_at     ["0x4011f6", …]: where it threw an exception, as addresses of the checker; else []
//   trials        [settings, predicted, measured] of a solved experiment, as `found`; else []
//   printed       what the learner's code printed
//   seconds       of computing that the call may take; 0: as the grader says
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/shown.h"

namespace headlight::grader {

enum class Kind {
  solved,
  not_written,    // the part, or what it calls, still calls todo()
  wrong_numbers,  // right shapes
  wrong_shape,    // or the wrong number of outputs
  not_finite,     // the first number that differs is a NaN or infinite, and should not be
  wrong_trial,    // a measured number of an experiment is off; `message` says which
  refused,        // the part calls what it may not, or is no experiment; `message` says why
  threw,          // an exception; `message` has its words
  crashed,        // a signal ended it; `message` says which, in words
  endless,        // it was stopped at its limit of time
  memory,         // it asked for more memory than it may have
  running,        // the call has begun: what a checker says before each, with the mistake if it takes too
                  // long; never the last word
};

// The words of the kinds in JSON.
inline constexpr std::array<std::pair<Kind, const char*>, 12> kind_names() {
  return {{{Kind::solved, "solved"},
           {Kind::not_written, "not written yet"},
           {Kind::wrong_numbers, "wrong numbers"},
           {Kind::wrong_shape, "wrong shape"},
           {Kind::not_finite, "not finite"},
           {Kind::wrong_trial, "wrong trial"},
           {Kind::refused, "refused"},
           {Kind::threw, "exception"},
           {Kind::crashed, "crash"},
           {Kind::endless, "endless"},
           {Kind::memory, "memory"},
           {Kind::running, "running"}}};
}

const char* word_of(Kind kind);

struct Verdict {
  struct KnownMistake {
    std::string name, sentence, read;
  };
  struct PartState {
    std::string name;
    int stars = 1;
    std::vector<std::string> not_called = {};  // functions that its learner may not call
    std::optional<Kind> kind = {};             // nothing: not graded
    std::optional<KnownMistake> mistake = {};
    std::optional<std::size_t> after = {};  // the first wrong part that this one, which is wrong, calls
    bool solved() const { return kind == Kind::solved; }
  };
  struct Where {
    std::size_t output = 0, index = 0;
  };

  std::string lesson;
  std::vector<PartState> parts;
  Kind kind = Kind::solved;
  std::size_t part = 0;
  std::string call;
  std::vector<Shown> inputs, expected, found, trials;
  std::optional<Where> where;
  std::string message;
  std::optional<KnownMistake> mistake;
  bool example_only = false;
  int line = 0;
  std::vector<std::string> thrown_at;
  std::string printed;
  int seconds = 0;

  bool is_wrong() const { return kind != Kind::solved && kind != Kind::not_written; }
  bool all_solved() const;  // every part was graded, and is solved
};

// The verdict on an exercise, from those on its parts. It is about the part that is to be read first.
// Throws Error without any.
Verdict whole_verdict(const std::vector<Verdict>& of_parts);

// One line of JSON.
std::string to_json(const Verdict& verdict);

// Throws Error for a text that is no verdict, or points to a part or a number that it does not have.
Verdict verdict_from_json(std::string_view json);

// The verdict as a learner reads it, in lines of at most `width` columns: what was called on which numbers,
// what was expected beside what was found with the first difference marked, then what is known about the
// mistake.
std::string verdict_text(const Verdict& verdict, std::size_t width = 80, bool color = false);

// The experiment as a table, and the prediction that was farthest off. Empty without a solved experiment.
std::string trials_text(const Verdict& verdict, std::size_t width);

}  // namespace headlight::grader
