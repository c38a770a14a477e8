#include "puzzles.h"

#include "headlight/core/check.h"

namespace headlight::puzzles {
namespace {

using interpret::HeadSet;

int last(const Numbers& x) { return x.back(); }

std::function<int(const Numbers&)> at(std::size_t place) {
  return [place](const Numbers& x) { return x[place]; };
}

// The one place before the last that has the last number; nothing where none or several have it.
std::optional<std::size_t> only_copy(const Numbers& x) {
  if (std::count(x.begin(), x.end(), last(x)) != 2) return {};
  return static_cast<std::size_t>(std::find(x.begin(), x.end(), last(x)) - x.begin());
}

// The number so many places behind that copy. The place is before the last for each input that is asked.
std::function<int(const Numbers&)> behind_copy(std::size_t places) {
  return [places](const Numbers& x) { return x[only_copy(x).value_or(0) + places]; };
}

std::function<bool(const Numbers&)> has_behind_copy(std::size_t places) {
  return [places](const Numbers& x) {
    const auto copy = only_copy(x);
    return copy && *copy + places + 1 < x.size();
  };
}

const Recipe& follower() {
  static const Recipe recipe{5,
                             6,
                             2,
                             2,
                             false,
                             behind_copy(1),
                             has_behind_copy(1),
                             3000,
                             0,
                             "a8ad16efeab4c8c42e69ec3560c660b8f6bc6712cfd3ba0d5cb33de457bc3af9"};
  return recipe;
}

std::vector<Puzzle> one_star() {
  return {
      {1,
       1,
       "The model has one head.",
       {6,
        4,
        1,
        1,
        false,
        at(0),
        {},
        1500,
        0,
        "6e79a93ab71ee819625db030362a9e091b7b54ac3143cd70c71f72f48e61f694"},
       {{0, 0}},
       false,
       true,
       {},
       {"Look at several inputs that differ in one number.", "One number of the input decides. Which?"},
       "The head looks at the first position, whatever stands there, and carries its number to the answer."},
      {2,
       1,
       "The model has one head.",
       {5,
        5,
        1,
        1,
        false,
        at(2),
        {},
        1500,
        0,
        "b13848e14705825b5f684f3f4bdb688d39075b3efdc8bd1f8a2d0b334a26ca08"},
       {{0, 0}},
       false,
       true,
       {},
       {"Does where the head looks depend on the numbers?", "Count positions from the end."},
       "The head looks two positions back. It goes by position alone: no number changes where it looks."},
      {3,
       1,
       "The model has one head.",
       {6,
        5,
        1,
        1,
        false,
        [](const Numbers& x) { return *std::ranges::max_element(x); },
        {},
        1500,
        0,
        "eff5588d7dea3754ff3fc59abb3150cf878bc9609cd86ad56d2e746c3384ebfd"},
       {{0, 0}},
       false,
       true,
       {},
       {"Sort the inputs by the model's answer.", "The last number counts like the others."},
       "The head looks at the largest number, wherever it stands, and carries it. Its keys have a score that grows "
       "with the number."},
  };
}

std::vector<Puzzle> two_stars() {
  const auto ends_agree = [](const Numbers& x) { return int(x.front() == last(x)); };
  const auto ones = [](const Numbers& x) { return static_cast<int>(std::ranges::count(x, 1)); };
  return {
      {4,
       2,
       "The last number is from 0 to 3.",
       {4,
        5,
        1,
        1,
        false,
        [](const Numbers& x) { return x[static_cast<std::size_t>(last(x))]; },
        {},
        1500,
        0,
        "454601ff38a1d854317053ea6f3f0d97a144722a2d46f4323bf3a5c78f52b27a"},
       {{0, 0}},
       false,
       true,
       {},
       {"Change the last number alone.", "What would you call a number that names a place?"},
       "The last number is a pointer: 2 makes the head look at position 2. It carries what stands there."},
      {5,
       2,
       "The model was trained on inputs in which the last number had come once before, and on each it answers what "
       "followed there. Your claim is tested on every input.",
       {5, 6, 1, 1, false, at(3),
        [](const Numbers& x) { return x[2] == last(x) && only_copy(x) == std::size_t{2}; }, 1000, 0,
        "a06dfd5eab99217075889557503e4f49421f47c089170562de0a967111c7426e"},
       {{0, 0}},
       false,
       true,
       {},
       {"It looks like induction. Try inputs in which the copy stands elsewhere.",
        "In every input of its training the copy stood at the same place."},
       "A shortcut: the earlier copy always stood at position 2, so the head looks at position 3, and never at the "
       "last number. One layer cannot match a number with its earlier copy and look behind it."},
      {6,
       2,
       "The answer is 0 or 1.",
       {3,
        4,
        1,
        1,
        true,
        ends_agree,
        {},
        3000,
        0,
        "6c8f07754f6ba944f93de08ae45f460c54eaf0b214442873b515f69c94e8831d"},
       {{0, 0}},
       false,
       true,
       {},
       {"Which inputs are answered with 1? Compare their ends.",
        "Does the head carry a number that is compared later, or does it compare by where it looks?"},
       "The answer is 1 where the first and the last number agree. The head compares by itself: its query asks for "
       "the last number, so how much it looks at the first position says whether they agree. It carries one bit."},
      {7,
       2,
       "The answer is 0, 1 or 2.",
       {3,
        7,
        1,
        1,
        true,
        [ones](const Numbers& x) { return ones(x) % 3; },
        {},
        4000,
        0,
        "9437f362839cf26907cf4ec8f96d8eeefcfaee345d31f738f9268d9cc71712a1"},
       {{0, 0}},
       false,
       true,
       {},
       {"Does the order of the numbers count?",
        "Only one of the numbers counts. What does the MLP do behind the head?"},
       "The head looks everywhere alike, so it carries how many 1s there are. The MLP makes the rest of a division "
       "by 3 of it."},
  };
}

std::vector<Puzzle> three_stars() {
  return {
      {8,
       3,
       "The last number has come once before. The model has two layers with two heads each.",
       follower(),
       {{1, 0}},
       false,
       true,
       has_behind_copy(1),
       {"Where is the last number's copy, and where does the head look?",
        "Does it carry a place, or what stands there?"},
       "An induction head: it looks behind the earlier copy of the last number and carries what stands there."},
      {9,
       3,
       "The same model as in puzzle 8, and another head of it.",
       follower(),
       {{1, 1}},
       false,
       true,
       has_behind_copy(1),
       {"Where a head looks is not what it does.", "Swap what it writes, and see whether an answer changes."},
       "The head looks where an induction head looks, and nothing depends on what it carries: the answers stay when its "
       "output is replaced. A pattern alone is no evidence of a job."},
      {10,
       3,
       "The last number has come once before. The model has two layers with two heads each.",
       {5, 6, 2, 2, false, behind_copy(2), has_behind_copy(2), 3000, 1,
        "2d65ebadb331e720c39a2af86e3243917e207ebebd00c650b48e1df67c7eb28d"},
       {{1, 1}},
       false,
       true,
       has_behind_copy(2),
       {"Find the earlier copy, and count from there.", "It is not the number right behind the copy."},
       "A shifted match: the head looks two positions behind the earlier copy, and carries what stands there."},
  };
}

std::vector<Puzzle> four_stars() {
  return {
      {11,
       4,
       "Name the heads that carry the answer, all of them.",
       {5,
        5,
        1,
        2,
        false,
        at(1),
        {},
        1500,
        0,
        "4f3c912ca2292b4261d73884c0722c16786f690a6dbec19dc116adb0b66a4a32"},
       {{0, 0}, {0, 1}},
       true,
       false,
       {},
       {"What does one head alone change when it is swapped?", "Swap both."},
       "Both heads do the same job: each looks at position 1 and carries its number, and the answer is the sum of what "
       "both say. Swapping one changes half of the answers only."},
      {12,
       4,
       "Name the heads that carry the answer, all of them.",
       {4,
        4,
        1,
        2,
        true,
        [](const Numbers& x) { return (x[0] + x[1]) % 4; },
        {},
        2000,
        0,
        "97209709073c8b7ff0fc96853d2fc8ae05ac4f029bfb03794d09c4ce4a0cc1db"},
       {{0, 0}, {0, 1}},
       true,
       false,
       {},
       {"Which positions count, and does their order?", "Do the heads divide the positions between them?"},
       "The answer is the sum of the first two numbers, modulo 4. No head carries one of the two: each divides its "
       "attention between both positions, and both heads together carry the sum."},
  };
}

}  // namespace

const std::vector<Puzzle>& puzzles() {
  static const std::vector<Puzzle> all = [] {
    std::vector<Puzzle> list;
    for (const auto& some : {one_star(), two_stars(), three_stars(), four_stars()})
      list.insert(list.end(), some.begin(), some.end());
    return list;
  }();
  return all;
}

const Puzzle& puzzle(int number) {
  check(number >= 1 && number <= static_cast<int>(puzzles().size()),
        "there is no puzzle {}: they are 1 to {}.", number, puzzles().size());
  return puzzles()[static_cast<std::size_t>(number - 1)];
}

std::vector<Numbers> inputs_of(const Recipe& recipe, const std::function<bool(const Numbers&)>& which) {
  std::vector<Numbers> all;
  Numbers x(static_cast<std::size_t>(recipe.length), 0);
  for (;;) {
    if (!which || which(x)) all.push_back(x);
    std::size_t place = x.size();
    while (place > 0 && ++x[place - 1] == recipe.numbers) x[--place] = 0;
    if (place == 0) return all;
  }
}

}  // namespace headlight::puzzles
