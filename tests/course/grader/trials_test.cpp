// What is said of an experiment whose measured numbers are off.
#include "grader/trials.h"

#include <cmath>
#include <limits>

#include "catch.h"

using namespace headlight::grader;

namespace {

const Question kQuestion{.setting = "u", .measured = "steps", .least = 1, .most = 10};
const std::vector<double> kSettings{1, 2, 5}, kPredicted{50, 60, 70}, kRight{55.5, 632.25, 7188.75};

std::string said_of(const std::vector<double>& measured, const Question& question = kQuestion) {
  return what_is_off({kSettings, kPredicted, measured, kRight}, question);
}

std::vector<double> of_right(double (*change)(double right, double setting)) {
  std::vector<double> changed;
  for (std::size_t i = 0; i < kRight.size(); ++i) changed.push_back(change(kRight[i], kSettings[i]));
  return changed;
}

}  // namespace

TEST_CASE("the trials that are off are named, and how they are", "[grader]") {
  CHECK(said_of(kRight) == "");
  CHECK(said_of({55.5, 632.25, 7000}) == "The trial with u = 5 is off. What you measured is too small.");
  CHECK(said_of({55.5, 640, 7000}) == "The trials with u = 2 and u = 5 are off.");
  CHECK(said_of({50.5, 640, 7000}) == "All trials are off.");
  CHECK(said_of({50.5, 600, 7000}) == "All trials are off. What you measured is too small each time.");
  const auto all_off = [](const std::string& how) {
    return [how](const std::string& said) {
      return said.starts_with("All trials are off. ") && said.find(how) != std::string::npos;
    };
  };
  const auto says = [&](const std::vector<double>& measured, const std::string& how) {
    INFO(said_of(measured));
    CHECK(all_off(how)(said_of(measured)));
  };
  says({0, 0, 0}, "nothing was measured");
  says({55, 55, 55}, "the same number for each setting");
  says({1, 2, 5}, "the setting itself");
  says(of_right([](double x, double) { return x + 1; }), "One too many");
  says(of_right([](double x, double) { return x - 1; }), "One too few");
  says(of_right([](double x, double) { return std::trunc(x); }), "without the digits behind the point");
  says(of_right([](double x, double) { return std::ceil(x); }), "in steps of 1");
  says(of_right([](double x, double) { return -x; }), "wrong sign");
  says(of_right([](double x, double) { return x + 0.1; }), "too large by one and the same amount");
  says(of_right([](double x, double) { return x - 20; }), "too small by one and the same amount");
  says(of_right([](double x, double) { return 1 / x; }), "the reciprocal");
  says(of_right([](double x, double) { return 1 - x; }), "1 minus the right number");
  says(of_right([](double x, double) { return std::sqrt(x); }), "the root");
  says({kRight[2], kRight[0], kRight[1]}, "the trial before it");
  says({kRight[1], kRight[2], kRight[0]}, "the trial after it");
  CHECK(said_of({kRight[2], kRight[1], kRight[0]}).find("opposite order") != std::string::npos);
  says(of_right([](double x, double) { return x / 100; }), "a hundredth");
  says(of_right([](double x, double) { return 7 * x; }), "one and the same factor");
  CHECK(said_of({55.5, 687.75, 7876.5}).ends_with("set back before the next trial."));  // running sums
  CHECK(said_of(of_right([](double x, double u) { return x * u; })).find("times its setting") !=
        std::string::npos);
  CHECK(said_of(of_right([](double x, double u) { return x / u; })).find("divided by its setting") !=
        std::string::npos);
  CHECK(what_is_off({kSettings, kRight, kPredicted, kRight}, kQuestion).find("exchanged") !=
        std::string::npos);
  const std::vector<double> by_setting = of_right([](double x, double u) { return x * u; });
  const std::string both = what_is_off({kSettings, by_setting, {7, 7, 7}, kRight}, kQuestion);
  CHECK(both.find("exchanged") != std::string::npos);
  CHECK(both.find("Besides: Each is the right number times its setting.") != std::string::npos);
  // One of three is right, so what was measured does depend on something.
  CHECK(said_of({55.5, 55.5, 55.5}).ends_with("So the setting does not reach what is measured."));
  CHECK(said_of({55.5, std::numeric_limits<double>::quiet_NaN(), 7188.75}).ends_with("is no number."));
}

TEST_CASE("what several pairs of wrong ways have in common is named beside something else", "[grader]") {
  Question question = kQuestion;
  question.wrong = wrong_measures(
      [](const Made& made, const std::vector<double>& settings) {
        std::vector<double> all;
        for (const double u : settings)
          all.push_back((made("squared") ? u * u : u) + (made("half") || made("0.5") ? 0.5 : 0) +
                        (made("third") ? 1.0 / 3 : 0) + (made("sixth") ? 1.0 / 6 : 0));
        return all;
      },
      {{"squared", "Do not square."},
       {"half", "No half more."},
       {"0.5", "No 0.5 more."},
       {"third", "No third."},
       {"sixth", "No sixth."}});
  CHECK(said_of({1.5, 4.5, 25.5}, question) ==
        "All trials are off. Your numbers are those of a known mistake together with another one. Which the "
        "other one is, the numbers do not say. The known one: Do not square.");
  CHECK(said_of({1 + 5.0 / 6, 2 + 5.0 / 6, 5 + 5.0 / 6}, question).ends_with("The known one: No third."));
}

TEST_CASE("numbers of other settings are known as such", "[grader]") {
  const auto square = [](double n) { return n * n + 0.5; };
  const Question question{.setting = "n", .measured = "square", .least = 1, .most = 20};
  const auto said = [&](const std::vector<double>& measured) {
    return what_is_off({{3, 5, 8}, {10, 12, 19}, measured, {9.5, 25.5, 64.5}}, question, square);
  };
  CHECK(
      said({9.5, 9.5, 64.5}) ==
      "The trial with n = 5 is off. The number at n = 5 is that of n = 3. Which setting is measured there?");
  CHECK(said({100.5, 144.5, 361.5}) ==
        "All trials are off. Each is measured with your prediction in the place of n. Give it the setting.");
  CHECK(said({1.5, 4.5, 16.5}) == "All trials are off. Each is measured with half of its setting.");
  CHECK(said({36.5, 100.5, 256.5}) == "All trials are off. Each is measured with twice its setting.");
  CHECK(said({4.5, 16.5, 49.5}) == "All trials are off. Each is measured with one less than its setting.");
  CHECK(said({9.5, 36.5, 64.5}) ==
        "The trial with n = 5 is off. It is measured with one more than its setting.");
}

TEST_CASE("no sentence on an experiment has a number that is to be found out", "[grader]") {
  for (const double wrong : {-1.0, 0.0, 54.5, 56.5, 5550.0, 1e9})
    for (const std::string& said : {said_of({wrong, 632.25, 7188.75}), said_of({wrong, wrong, wrong})})
      for (const char* right : {"55", "632", "7188"}) CHECK(said.find(right) == std::string::npos);
}

TEST_CASE("a known way to measure wrongly is named, alone, two together, and with a count that is one off",
          "[grader]") {
  Question question = kQuestion;
  question.wrong = wrong_measures(
      [](const Made& made, const std::vector<double>& settings) {
        std::vector<double> all;
        for (const double u : settings)
          all.push_back((made("squared") ? u * u : u) + (made("more") ? 0.5 : 0));
        return all;
      },
      {{"squared", "Do not square."}, {"more", "No half more."}});
  CHECK(said_of({1, 4, 25}, question) == "All trials are off. Do not square.");
  CHECK(said_of({2, 5, 26}, question) ==
        "All trials are off. Do not square. Besides, one too many is counted.");
  CHECK(said_of({1.5, 4.5, 25.5}, question) ==
        "All trials are off. Two mistakes together give your numbers. First: Do not square. Second: No half "
        "more.");
}

TEST_CASE("a known way is named if it gives all numbers, the right ones among them", "[grader]") {
  const auto always = [](const std::vector<double>& numbers) {
    return [numbers](const std::vector<double>&) { return numbers; };
  };
  Question question = kQuestion;
  question.wrong = {{"Nearly.", always({54, 632.25, 3})}, {"This one.", always({55.5, 632.25, 4})}};
  CHECK(said_of({55.5, 632.25, 4}, question) == "The trial with u = 5 is off. This one.");
  CHECK(said_of({55.5, 632.25, 3}, question) ==
        "The trial with u = 5 is off. What you measured is too small.");
  question.wrong.push_back({"Or this one.", always({55.5, 632.25, 4})});
  question.wrong.push_back({"Two of them.", always({55.5, 632.25, 4}), {"One.", "Two."}});
  CHECK(said_of({55.5, 632.25, 4}, question) ==
        "The trial with u = 5 is off. More than one known mistake gives these numbers. One is: This one. "
        "Another is: Or this one.");
}
