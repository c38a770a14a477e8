// How outcomes are compared, and which mistake is named.
#include "grader/judge.h"

#include <limits>

#include "catch.h"
#include "exercise.h"
#include "grader/outcome.h"

using namespace headlight::grader;

namespace {

using F = double (*)(const Array&);
constexpr double kInfinite = std::numeric_limits<double>::infinity(),
                 kNotANumber = std::numeric_limits<double>::quiet_NaN();

double sum_of(const Array& x) {
  double sum = 0;
  for (const double each : x) sum += each;
  return sum;
}
double mean_of(const Array& x) { return sum_of(x) / static_cast<double>(x.size()); }
double six(const Array&) { return 6; }
double refusing(const Array& x) { return x.size() == 3 ? sum_of(x) : throw Error("no"); }
double not_there(const Array&) { todo(); }
double infinite(const Array&) { return kInfinite; }
double greedy(const Array&) { throw std::bad_alloc(); }
double odd(const Array&) { throw 3; }

// The learner's part `sum`, with two known mistakes. The first call gives 6.
Verdict verdict_on(F learner, std::size_t examples = 1) {
  const std::vector<Case<F>> cases{calling<F>("sum(x)", named("x", Array{1, 2, 3})),
                                   calling<F>("sum(y)", named("y", Array{4, 5})),
                                   calling<F>("sum(z)", named("z", Array{1, 1, 2}))};
  Part sum =
      part("sum", 1, learner, sum_of, cases,
           {{"mean", "It is the sum.", "Sums", mean_of}, {"refusing", "Two are fine.", "Sums", refusing}});
  sum.examples = examples;
  const Exercise exercise{"00_test", {sum}};
  return judge(exercise, exercise);
}

Result one(const Shape& shape, const std::vector<double>& numbers) { return {{"result", shape, numbers}}; }

}  // namespace

TEST_CASE("shapes are compared first, then numbers up to a tolerance", "[grader]") {
  const auto differ = [](const Result& a, const Result& b) { return difference(a, b, 1e-6); };
  CHECK_FALSE(differ(one({2}, {1, 2}), one({2}, {1, 2})));
  CHECK(differ(one({2}, {1, 2}), one({1, 2}, {1, 2}))->kind == Kind::wrong_shape);
  CHECK(differ(one({2}, {1, 2}), one({3}, {1, 2, 3}))->kind == Kind::wrong_shape);
  CHECK(differ(one({2}, {1, 2}), {})->kind == Kind::wrong_shape);
  const auto second = differ(one({2}, {1, 2}), one({2}, {1, 3}));
  CHECK(second->kind == Kind::wrong_numbers);
  CHECK(second->where->index == 1);
  CHECK_FALSE(differ(one({2}, {1, 1e6}), one({2}, {1.5, 1e6})));  // relative to the largest
  CHECK(differ(one({2}, {1, 1e6}), one({2}, {2.5, 1e6})));
  CHECK_FALSE(differ(one({}, {1e-9}), one({}, {5e-7})));  // absolute below 1
  Result two = one({1}, {1}), other = two;
  two.push_back({"dB", {2}, {1, 2}});
  other.push_back({"dB", {2}, {0, 2}});
  CHECK(differ(two, other)->where->output == 1);
}

TEST_CASE("numbers that are not finite agree with their like alone", "[grader]") {
  const auto differ = [](double a, double b) { return difference(one({2}, {7, a}), one({2}, {7, b}), 1e-6); };
  CHECK_FALSE(differ(kNotANumber, kNotANumber));
  CHECK_FALSE(differ(-kInfinite, -kInfinite));
  CHECK(differ(kInfinite, -kInfinite)->kind == Kind::not_finite);
  CHECK(differ(1, kNotANumber)->kind == Kind::not_finite);
  CHECK(differ(kInfinite, 1)->kind == Kind::wrong_numbers);
  CHECK(difference(one({2}, {kInfinite, 1}), one({2}, {kInfinite, 2}), 1e-6));  // an infinity is no scale
}

TEST_CASE("a verdict names the mistake that does the same on every call", "[grader]") {
  CHECK(verdict_on(sum_of).kind == Kind::solved);
  const Verdict mean = verdict_on(mean_of);
  CHECK(mean.kind == Kind::wrong_numbers);
  CHECK(mean.mistake->name == "mean");
  CHECK(mean.call == "sum(x)");
  CHECK_FALSE(mean.example_only);
  CHECK(mean.expected[0].numbers[0] == 6);
  CHECK(mean.found[0].numbers[0] == 2);
  const Verdict fits = verdict_on(six);
  CHECK(fits.example_only);
  CHECK(fits.call == "sum(y)");
  CHECK_FALSE(fits.mistake);
  const Verdict refuses = verdict_on(refusing);
  CHECK(refuses.kind == Kind::threw);
  CHECK(refuses.message == "no");
  CHECK(refuses.mistake->name == "refusing");
  CHECK(mean.mistake->sentence == "It is the sum.");
  CHECK(refuses.mistake->sentence ==  // exceptions have many causes
        "A known mistake ends like this, and so may others: Two are fine.");
}

TEST_CASE("only a call that the exercise does not show comes after the example", "[grader]") {
  const std::vector<Case<F>> cases{calling<F>("sum(x)", named("x", Array{1, 2, 3})),
                                   calling<F>("sum(y)", named("y", Array{4, 5}))};
  Part shows = part("sum", 1, six, sum_of, cases, {});
  CHECK(judge_part(shows, kLearner).example_only);
  for (const std::size_t examples : {0, 2}) {
    shows.examples = examples;
    CHECK_FALSE(judge_part(shows, kLearner).example_only);
  }
}

TEST_CASE("a call that differs in late digits only gives way to one that differs more", "[grader]") {
  const F slightly = [](const Array& x) { return sum_of(x) * (x.size() == 3 ? 1 + 1e-5 : 3); };
  const F late = [](const Array& x) { return sum_of(x) * (x.size() == 2 ? 1 + 1e-5 : x(2) == 2 ? 1.5 : 1); };
  const F throwing = [](const Array& x) {
    return x.size() == 3 ? sum_of(x) + (x(2) == 3 ? 7e-5 : 0) : throw Error("no");
  };
  const Verdict verdict = verdict_on(slightly);
  CHECK(verdict.call == "sum(y)");
  CHECK(verdict.found[0].numbers[0] == 27);
  CHECK_FALSE(verdict.example_only);  // the example is wrong too
  CHECK(verdict_on(late).call == "sum(z)");
  CHECK(verdict_on(late).example_only);
  CHECK(verdict_on(throwing).call == "sum(x)");
}

TEST_CASE("what is to be found out is not told before it is written", "[grader]") {
  CHECK(verdict_on(not_there).expected.size() == 1);
  CHECK(verdict_on(not_there, 0).expected.empty());
  CHECK(verdict_on(six, 0).expected.size() == 1);
}

TEST_CASE("what a part throws is in the verdict", "[grader]") {
  CHECK(verdict_on(not_there).kind == Kind::not_written);
  CHECK(verdict_on(infinite).kind == Kind::not_finite);
  CHECK(verdict_on(greedy).kind == Kind::memory);
  CHECK(verdict_on(odd).kind == Kind::threw);
}

TEST_CASE("a part that should throw is expected to", "[grader]") {
  const std::vector<Case<F>> cases{calling<F>("f(x)", named("x", Array{1, 2}))};
  const Verdict verdict = judge_part(part("f", 1, sum_of, refusing, cases, {}), kLearner);
  CHECK(verdict.kind == Kind::wrong_numbers);
  CHECK(verdict.message == "no");
  CHECK(verdict.expected.empty());
  CHECK(judge_part(part("f", 1, greedy, refusing, cases, {}), kLearner).kind == Kind::memory);
  CHECK(judge_part(part("f", 1, odd, refusing, cases, {}), kLearner).kind == Kind::solved);
}

TEST_CASE("a listener hears of each call before it is made", "[grader]") {
  const std::vector<Case<F>> cases{calling<F>("f(x)", named("x", Array{1, 2, 3})),
                                   calling<F>("f(y)", named("y", Array{1}))};
  std::vector<Kind> kinds;
  const Exercise exercise{"00_test",
                          {part("first", 1, sum_of, sum_of, cases, {}),
                           part("second", 2, six, sum_of, cases, {{"six", "Not six.", "Sums", six}})}};
  const Verdict verdict = judge(exercise, exercise, [&](const Verdict& v) { kinds.push_back(v.kind); });
  CHECK(kinds == std::vector<Kind>{Kind::running, Kind::running, Kind::solved, Kind::running, Kind::running,
                                   Kind::wrong_numbers, Kind::wrong_numbers});
  CHECK(verdict.part == 1);
  CHECK(verdict.parts[0].solved());
  CHECK_FALSE(verdict.parts[1].solved());
  CHECK(verdict.mistake->name == "six");
}

TEST_CASE("a listener hears which mistake the calls have shown before one that may crash", "[grader]") {
  const std::vector<Case<F>> cases{calling<F>("f(x)", named("x", Array{1, 2, 3})),
                                   calling<F>("f(y)", named("y", Array{4, 5})),
                                   calling<F>("f(z)", named("z", Array{1, 1, 2}))};
  const std::vector<Mistake<F>> bank{{"mean", "It is the sum.", "Sums", mean_of}};
  const Exercise exercise{"00_test", {part("first", 1, mean_of, sum_of, cases, bank)}};
  std::vector<std::string> names;
  judge(exercise, exercise, [&](const Verdict& v) { names.push_back(v.mistake ? v.mistake->name : ""); });
  CHECK(names == std::vector<std::string>{"", "", "mean + no end", "", "mean"});
}

TEST_CASE("every part is judged, whatever came before", "[grader]") {
  const std::vector<Case<F>> cases{calling<F>("f(x)", named("x", Array{1, 2})),
                                   calling<F>("f(y)", named("y", Array{3}))};
  const auto of = [&](const std::string& name, F learner) {
    return part(name, 1, learner, sum_of, cases, {{"six", "Not six.", "Sums", six}});
  };
  const Exercise exercise{
      "00_test",
      {of("a", not_there), of("b", six), of("c", sum_of), of("not_there", not_there), of("e", six)}};
  const std::vector<Verdict> all = judge_parts(exercise, exercise, {});
  REQUIRE(all.size() == 5);
  CHECK(all[0].kind == Kind::not_written);
  CHECK(all[0].message == "not_there");  // it calls another function with todo() in it
  CHECK(all[3].message.empty());
  CHECK(all[1].mistake->name == "six");
  CHECK(all[2].kind == Kind::solved);
  CHECK(all[4].kind == Kind::wrong_numbers);
  CHECK_FALSE(all[4].mistake);  // one wrong part is shown
  const Verdict whole = judge(exercise, exercise);
  CHECK(whole.part == 1);
  CHECK(whole.parts[2].solved());
  CHECK(whole.parts[4].kind == Kind::wrong_numbers);
  const std::vector<Verdict> last = judge_parts(exercise, exercise, {4, 5});
  REQUIRE(last.size() == 1);
  CHECK(last[0].part == 4);
  CHECK(last[0].mistake->name == "six");
  CHECK_FALSE(judge_parts(exercise, exercise, {4, 5, false})[0].mistake);
  CHECK(contains(error_of([&] { judge_parts(exercise, exercise, {5, 6}); }), "there is no part 6"));
}

TEST_CASE("what is said of a part that takes too long stands in the verdict before the call", "[grader]") {
  const std::vector<Case<F>> cases{calling<F>("f(x)", named("x", Array{1, 2}))};
  const auto heard = [&](F learner) {
    std::vector<bool> said;
    judge_part(timed(part("f", 1, learner, sum_of, cases, {}), {"slow", "Go on.", "Loops"}), kLearner,
               [&](const Verdict& v) { said.push_back(v.mistake.has_value()); });
    return said;
  };
  CHECK(heard(six) == std::vector<bool>{true, false});
  CHECK(heard(greedy) == std::vector<bool>{true, true});
}

TEST_CASE("what a part does to its inputs changes nothing that is expected", "[grader]") {
  using OfTensor = double (*)(const Tensor&);
  const auto make = [] {
    const OfTensor sum = [](const Tensor& x) { return sum_of(x.array()); };
    const OfTensor zeroing = [](const Tensor& x) {
      Tensor same = x;
      for (Real& number : same.mutable_array()) number = 0;
      return 0.0;
    };
    const Tensor x = tensor({1, 2, 3});
    return Exercise{
        "00_test",
        {part<OfTensor>(
            "sum", 1, zeroing, sum,
            {calling<OfTensor>("sum(x)", named("x", x)), calling<OfTensor>("sum(x)", named("x", x))}, {})}};
  };
  const Verdict verdict = judge(make(), make());
  REQUIRE(verdict.kind == Kind::wrong_numbers);
  CHECK(verdict.expected[0].numbers[0] == 6);
  CHECK_FALSE(verdict.example_only);
}
