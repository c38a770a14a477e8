// What a checker knows of an exercise: its parts, the calls on which they are compared with the solution, and
// the mistakes that people make in them.
#pragma once

#include <fmt/ranges.h>

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "grader/shown.h"
#include "headlight/autograd/tensor.h"
#include "headlight/core/check.h"

namespace headlight::grader {

Shown shown(std::string name, double number);
Shown shown(std::string name, bool answer);
Shown shown(std::string name, const Array& array);
Shown shown(std::string name, const Tensor& tensor);  // an undefined one has the shape (0)
Shown shown(std::string name, const Shape& shape);
Shown shown(std::string name, const std::vector<double>& numbers);
template <std::integral T>
Shown shown(std::string name, T number) {
  return shown(std::move(name), static_cast<double>(number));
}
template <std::integral T>
Shown shown(std::string name, const std::vector<T>& numbers) {
  return shown(std::move(name), std::vector<double>(numbers.begin(), numbers.end()));
}

// What a part gave back, number by number.
using Result = std::vector<Shown>;

// One call of a part of type F, a pointer to a function.
template <class F>
struct Case {
  std::string call;           // "sum_to(g, {3, 1})"
  std::vector<Shown> inputs;  // what stands in the call by name
  std::function<Result(F)> run;
};

// A wrong version of a part, as a learner would have written it.
template <class F>
struct Mistake {
  std::string name;      // "keeps-the-broadcast-axis"
  std::string sentence;  // what it does and why that is wrong, in one or two sentences
  std::string read;      // the heading in the lesson's text to read again; empty if none is about it
  F function;
  std::vector<std::string> of = {};  // if it is several others of the bank together: their names
};

// Several mistakes of a bank in one function, as a learner would have written it.
template <class F>
struct Together {
  std::vector<std::string> names;
  F function;
};

// Several mistakes under one name, with the sentences of all.
struct NamedTogether {
  std::string name, sentence;
};
NamedTogether named_together(const std::vector<std::string>& names,
                             const std::vector<std::string>& sentences);

// The bank with these behind it; slips.h makes them from switches. Throws Error for a name that the bank does
// not have.
template <class F>
std::vector<Mistake<F>> with_together(std::vector<Mistake<F>> bank,
                                      const std::vector<Together<std::type_identity_t<F>>>& several) {
  const std::size_t singles = bank.size();
  for (const auto& [names, function] : several) {
    std::vector<std::string> sentences, read;
    for (const std::string& name : names)
      for (std::size_t k = 0; k < singles; ++k)
        if (bank[k].name == name) sentences.push_back(bank[k].sentence), read.push_back(bank[k].read);
    check(sentences.size() == names.size(), "the bank does not have each of these mistakes: {}.",
          fmt::join(names, ", "));
    NamedTogether all = named_together(names, sentences);
    bank.push_back({std::move(all.name), std::move(all.sentence), read[0], function, names});
  }
  return bank;
}

// Implementations of a part by number: 0 is the learner's, 1 the solution, 2 + k is mistake k.
inline constexpr std::size_t kLearner = 0, kSolution = 1, kFirstMistake = 2;

// A part with its type erased.
struct Part {
  struct Call {
    std::string text;
    std::vector<Shown> inputs;
    std::function<Result(std::size_t implementation)> run;
  };
  struct Known {
    std::string name, sentence, read;
    std::vector<std::string> of = {};
  };
  std::string name;         // of the function: "sum_to"
  int stars;                // 1 … 3, how hard it is
  double tolerance;         // of a number, relative to the largest of its output, at least absolute
  std::vector<Call> calls;  // first the examples that the exercise shows; later ones have random numbers
  std::vector<Known> mistakes;
  int seconds = 0;           // of computing that a call may take; 0: as the grader says
  std::size_t examples = 1;  // how many calls the exercise shows
  bool separate = false;     // each call asks for something else, so that a mistake may show on one
  // Of an experiment: which of its measured numbers is off, and how, in a sentence. Empty when none is.
  std::function<std::string(const Result& found)> what_is_off = {};
  // Of an experiment: known wrong ways to measure, each with its sentence.
  std::vector<std::pair<std::string, std::function<std::vector<double>(const std::vector<double>&)>>>
      wrong_ways = {};
  std::vector<std::string> not_called = {};  // functions of the library that would do the part's work
  Known too_slow = {};  // what is said of a call that takes too long or too much memory; no name: nothing
};

// The part, in which none of these functions of the library may be called. exercise.cpp names them too.
Part without(Part part, std::vector<std::string> not_called);

// The part, with what to say when a call takes too long or too much memory.
Part timed(Part part, Part::Known too_slow);

// Thrown by a call whose result cannot be judged; the words are for the learner.
struct Refused : Error {
  using Error::Error;
};

// Makes a part. F is deduced from the learner's function; the solution and the mistakes have its signature.
template <class F>
Part part(std::string name, int stars, F learner, std::type_identity_t<F> solution,
          std::vector<Case<std::type_identity_t<F>>> cases,
          std::vector<Mistake<std::type_identity_t<F>>> mistakes, double tolerance = 1e-9) {
  std::vector<F> functions{learner, solution};
  Part made{std::move(name), stars, tolerance, {}, {}};
  for (auto& m : mistakes) {
    functions.push_back(m.function);
    made.mistakes.push_back({std::move(m.name), std::move(m.sentence), std::move(m.read), std::move(m.of)});
  }
  for (auto& c : cases)
    made.calls.push_back(
        {std::move(c.call), std::move(c.inputs),
         [functions, run = std::move(c.run)](std::size_t i) { return run(functions.at(i)); }});
  return made;
}

// An argument with the name that it has in the call.
template <class T>
struct Named {
  std::string name;
  T value;
};
template <class T>
Named<T> named(std::string name, T value) {
  return {std::move(name), std::move(value)};
}

// The case that calls the part with these arguments and shows what it returns:
//   calling<Array (*)(const Array&, const Shape&)>("sum_to(g, shape)", named("g", g), named("shape", Shape{3,
//   1}))
template <class F, class... T>
Case<F> calling(std::string text, Named<T>... arguments) {
  return {std::move(text), {shown(arguments.name, arguments.value)...}, [arguments...](F function) {
            return Result{shown("result", function(arguments.value...))};
          }};
}

// Shows the learner how far a call is that takes seconds, such as a training.
void progress(std::size_t done, std::size_t all);

struct Exercise {
  std::string lesson;  // its folder, "03_reverse_mode"
  std::vector<Part> parts;
};

// The whole of a checker's main(). Grades the learner's functions and prints the verdict as JSON. `--bank`
// proves the exercise instead: each mistake is caught and called by its own name, the solution passes, no two
// mistakes give the same numbers. `make` gives the same exercise at each call, with inputs of its own: a
// learner's function may change those that it is called with, since a copy of a Tensor has the numbers of the
// Tensor.
int run(int argc, char** argv, const std::function<Exercise()>& make);

}  // namespace headlight::grader
