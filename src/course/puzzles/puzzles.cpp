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

int largest(const Numbers& x) { return *std::ranges::max_element(x); }
int pointed_at(const Numbers& x) { return x[static_cast<std::size_t>(last(x))]; }
bool copy_at_2(const Numbers& x) { return x[2] == last(x) && only_copy(x) == std::size_t{2}; }
int ends_agree(const Numbers& x) { return int(x.front() == last(x)); }
int ones_modulo_3(const Numbers& x) { return static_cast<int>(std::ranges::count(x, 1)) % 3; }
int sum_of_two(const Numbers& x) { return (x[0] + x[1]) % 4; }

Recipe follower() {
  return {.numbers = 5,
          .length = 6,
          .layers = 2,
          .heads = 2,
          .target = behind_copy(1),
          .trained_on = has_behind_copy(1),
          .steps = 3000,
          .hash = "a8ad16efeab4c8c42e69ec3560c660b8f6bc6712cfd3ba0d5cb33de457bc3af9"};
}

std::vector<Puzzle> one_star() {
  return {{.number = 1,
           .stars = 1,
           .question = "The model has one head.",
           .recipe = {.numbers = 6,
                      .length = 4,
                      .target = at(0),
                      .hash = "6e79a93ab71ee819625db030362a9e091b7b54ac3143cd70c71f72f48e61f694"},
           .heads = {{0, 0}},
           .hints = {"Look at several inputs that differ in one number.",
                     "One number of the input decides. Which?"},
           .explanation =
               "The head looks at the first position, whatever stands there, and carries its number to "
               "the answer."},
          {.number = 2,
           .stars = 1,
           .question = "The model has one head.",
           .recipe = {.numbers = 5,
                      .length = 5,
                      .target = at(2),
                      .hash = "b13848e14705825b5f684f3f4bdb688d39075b3efdc8bd1f8a2d0b334a26ca08"},
           .heads = {{0, 0}},
           .hints = {"Does where the head looks depend on the numbers?", "Count positions from the end."},
           .explanation =
               "The head looks two positions back. It goes by position alone: no number changes where it"
               " looks."},
          {.number = 3,
           .stars = 1,
           .question = "The model has one head.",
           .recipe = {.numbers = 6,
                      .length = 5,
                      .target = largest,
                      .hash = "eff5588d7dea3754ff3fc59abb3150cf878bc9609cd86ad56d2e746c3384ebfd"},
           .heads = {{0, 0}},
           .hints = {"Sort the inputs by the model's answer.", "The last number counts like the others."},
           .explanation = "The head looks at the largest number, wherever it stands, and carries it."}};
}

std::vector<Puzzle> of_a_place() {
  return {
      {.number = 4,
       .stars = 2,
       .question = "The last number is from 0 to 3.",
       .recipe = {.numbers = 4,
                  .length = 5,
                  .target = pointed_at,
                  .hash = "454601ff38a1d854317053ea6f3f0d97a144722a2d46f4323bf3a5c78f52b27a"},
       .heads = {{0, 0}},
       .hints = {"Change the last number alone.", "What would you call a number that names a place?"},
       .explanation = "The last number is a pointer: 2 makes the head look at position 2. It carries what "
                      "stands there."},
      {.number = 5,
       .stars = 2,
       .question = "The model was trained on inputs in which the last number had come once before, and on "
                   "each of those it answers what followed there. Your claim is tested on every input, of "
                   "those and of others.",
       .recipe = {.numbers = 5,
                  .length = 6,
                  .target = at(3),
                  .trained_on = copy_at_2,
                  .steps = 1000,
                  .hash = "a06dfd5eab99217075889557503e4f49421f47c089170562de0a967111c7426e"},
       .heads = {{0, 0}},
       .hints = {"It looks like induction. Try inputs in which the copy stands elsewhere.",
                 "In every input of its training the copy stood at the same place."},
       .explanation =
           "A shortcut: in training the earlier copy always stood at position 2, so the head looks "
           "at position 3, whatever the last number is."}};
}

std::vector<Puzzle> of_a_property() {
  return {
      {.number = 6,
       .stars = 2,
       .question = "The answer is 0 or 1.",
       .recipe = {.numbers = 3,
                  .length = 4,
                  .mlp = true,
                  .target = ends_agree,
                  .steps = 3000,
                  .seed = 2,
                  .hash = "0071718dacdd03b9ef134d3b3f10380f1f34420f1a56a00c3cee54f81fa490fc"},
       .heads = {{0, 0}},
       .looks_count = false,
       .hints = {"Which inputs are answered with 1? Compare their ends.",
                 "Does the head carry a number that is compared later, or what comes of the comparison?"},
       .explanation = "The answer is 1 where the first and the last number agree. The head itself compares: "
                      "where it looks depends on both, and it carries one bit."},
      {.number = 7,
       .stars = 2,
       .question = "The answer is 0, 1 or 2.",
       .recipe = {.numbers = 3,
                  .length = 7,
                  .mlp = true,
                  .target = ones_modulo_3,
                  .steps = 4000,
                  .hash = "9437f362839cf26907cf4ec8f96d8eeefcfaee345d31f738f9268d9cc71712a1"},
       .heads = {{0, 0}},
       .hints = {"Does the order of the numbers count?",
                 "Only one of the numbers counts. What does the MLP do behind the head?"},
       .explanation =
           "The head looks everywhere alike, so it carries how many 1s there are. The MLP makes the "
           "rest of a division by 3 of it."}};
}

std::vector<Puzzle> three_stars() {
  return {
      {.number = 8,
       .stars = 3,
       .question = "The last number has come once before, and not right before the end. The model has two "
                   "layers with two heads each.",
       .recipe = follower(),
       .heads = {{1, 0}},
       .asked = has_behind_copy(1),
       .hints = {"Where is the last number's copy, and where does the head look?",
                 "Does it carry a place, or what stands there?"},
       .explanation =
           "An induction head: it looks behind the earlier copy of the last number and carries what "
           "stands there."},
      {.number = 9,
       .stars = 3,
       .question = "The same model as in puzzle 8, and another head of it.",
       .recipe = follower(),
       .heads = {{1, 1}},
       .asked = has_behind_copy(1),
       .hints = {"Where a head looks is not what it does.",
                 "Swap what it writes, and see whether an answer changes."},
       .explanation =
           "The head looks where an induction head looks, and nothing depends on what it carries: "
           "the answers stay when its output is replaced. A pattern alone is no evidence of a job."},
      {.number = 10,
       .stars = 3,
       .question = "The last number has come once before, and not at the last two positions before the end. "
                   "The model has two layers with two heads each.",
       .recipe = {.numbers = 5,
                  .length = 6,
                  .layers = 2,
                  .heads = 2,
                  .target = behind_copy(2),
                  .trained_on = has_behind_copy(2),
                  .steps = 3000,
                  .seed = 1,
                  .hash = "2d65ebadb331e720c39a2af86e3243917e207ebebd00c650b48e1df67c7eb28d"},
       .heads = {{1, 1}},
       .asked = has_behind_copy(2),
       .hints = {"Find the earlier copy, and count from there.",
                 "It is not the number right behind the copy."},
       .explanation =
           "A shifted match: the head looks two positions behind the earlier copy, and carries what "
           "stands there."}};
}

std::vector<Puzzle> four_stars() {
  return {{.number = 11,
           .stars = 4,
           .question = "Name the smallest set of heads that carries the answer.",
           .recipe = {.numbers = 5,
                      .length = 5,
                      .heads = 4,
                      .target = at(1),
                      .seed = 5,
                      .hash = "a01e2ff301133a16b93c3ca98a86323f411309312ba88fa20af3e6ac4d251045"},
           .heads = {{0, 1}, {0, 2}},
           .heads_are_asked = true,
           .looks_count = false,
           .hints = {"What does one head alone change when it is swapped?",
                     "Two heads change nothing. Swap the other two together."},
           .explanation =
               "L0H1 and L0H2 share the job: together they carry the number at position 1. Swapping one "
               "of them changes a part of the answers alone, and the other two heads change none."},
          {.number = 12,
           .stars = 4,
           .question = "Name the smallest set of heads that carries the answer.",
           .recipe = {.numbers = 4,
                      .length = 4,
                      .heads = 4,
                      .mlp = true,
                      .target = sum_of_two,
                      .steps = 2000,
                      .seed = 4,
                      .hash = "575545dac855f9b4df88bcf9cdee76ca6f57366e3baae4b8e71d195d16cf24d0"},
           .heads = {{0, 0}, {0, 1}, {0, 2}},
           .heads_are_asked = true,
           .looks_count = false,
           .hints = {"Which positions count, and does their order?",
                     "One of the four heads does nothing. Do the others divide the positions between them?"},
           .explanation =
               "The answer is the sum of the first two numbers, modulo 4. L0H0, L0H1 and L0H2 carry the "
               "sum together: no two of them do, and L0H3 changes no answer."}};
}

}  // namespace

const std::vector<Puzzle>& puzzles() {
  static const std::vector<Puzzle> all = [] {
    std::vector<Puzzle> list;
    for (const auto& some : {one_star(), of_a_place(), of_a_property(), three_stars(), four_stars()})
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
