// Which mistakes are named when there is more than one.
#include "grader/known_mistake.h"

#include <cmath>
#include <utility>

#include "catch.h"
#include "exercise.h"

using namespace headlight::grader;

namespace known_mistakes {
namespace {

using Two = std::pair<double, double>;
using F = Two (*)(const Array&);

double root_sum(const Array& x) {
  double sum = 0;
  for (const double each : x) sum += std::sqrt(each);
  return sum;
}
double product_of(const Array& x) {
  double product = 1;
  for (const double each : x) product *= std::sqrt(each);
  return product;
}

Two right(const Array& x) { return {root_sum(x), product_of(x)}; }
Two negative_sum(const Array& x) { return {-root_sum(x), product_of(x)}; }
Two double_product(const Array& x) { return {root_sum(x), 2 * product_of(x)}; }
Two half_of_both(const Array& x) { return {root_sum(x) / 2, product_of(x) / 2}; }
// Wrong in another way for three numbers or more.
Two negative_and_more(const Array& x) {
  return {x.size() < 3 ? -root_sum(x) : root_sum(x) + 1.5, product_of(x)};
}
Two negative_and_double(const Array& x) { return {-root_sum(x), 2 * product_of(x)}; }
Two half_of_the_sum(const Array& x) { return {root_sum(x) / 2, product_of(x)}; }
Two whole(const Array&) { return {1, 1}; }

Case<F> calling_with(const Array& x) {
  return {"f(x)", {shown("x", x)}, [x](F f) {
            const auto [sum, product] = f(x);
            return Result{shown("sum", sum), shown("product (of roots)", product)};
          }};
}

std::optional<Verdict::KnownMistake> named(F learner, std::vector<Mistake<F>> mistakes) {
  const std::vector<Case<F>> cases{calling_with({2, 3}), calling_with({5, 7}), calling_with({2, 3, 5})};
  return judge_part(part("f", 1, learner, right, cases, std::move(mistakes)), kLearner).mistake;
}

const std::vector<Mistake<F>> kBank{{"negative", "It is positive.", "Sums", negative_sum},
                                    {"double", "It is single.", "Products", double_product},
                                    {"half", "It is whole.", "Halves", half_of_both}};

}  // namespace

TEST_CASE("two mistakes in two results are both named, each with its result", "[grader]") {
  const auto both = named(negative_and_double, kBank);
  REQUIRE(both);
  CHECK(both->name == "negative + double");
  CHECK(both->sentence == "There are two mistakes. For sum: It is positive. For product: It is single.");
  CHECK(both->read == "Sums");
  CHECK(named(negative_sum, kBank)->name == "negative");
}

TEST_CASE("two pairs that explain the same are not named", "[grader]") {
  std::vector<Mistake<F>> bank = kBank;
  bank.push_back({"also negative", "It is not.", "Sums", negative_sum});
  CHECK_FALSE(named(negative_and_double, bank));
}

TEST_CASE("a mistake on half of the calls is named beside something else", "[grader]") {
  const auto one = named(negative_and_more, kBank);
  REQUIRE(one);
  CHECK(one->name == "negative + something else");
  CHECK(one->sentence ==
        "A part of your wrong numbers is that of a known mistake. The rest has another cause. The known one: "
        "It is positive.");
}

Array roots(const Array& x) { return xt::sqrt(x); }
Array negative_roots(const Array& x) { return -roots(x); }
// Right but for a sign where x begins with 2, wrong in a way of its own elsewhere.
Array negative_at_2(const Array& x) { return x(0) == 2 ? Array(-roots(x)) : Array(roots(x) + x / 7); }

TEST_CASE("a mistake with all the numbers of the call that is shown is named beside something else",
          "[grader]") {
  using G = Array (*)(const Array&);
  const auto named_after = [](const Array& first, const std::vector<Mistake<G>>& bank) {
    return judge_part(part<G>("f", 1, negative_at_2, roots,
                              {calling<G>("f(x)", headlight::grader::named("x", first)),
                               calling<G>("f(x)", headlight::grader::named("x", Array{3, 5, 7}))},
                              bank),
                      kLearner)
        .mistake;
  };
  std::vector<Mistake<G>> bank{{"negative", "It is positive.", "Roots", negative_roots}};
  const auto one = named_after({2, 3, 5}, bank);
  REQUIRE(one);
  CHECK(one->name == "negative + something else");
  CHECK(one->sentence ==
        "On this call your numbers are those of a known mistake. Other calls show that there is something "
        "else besides. The known one: It is positive.");
  REQUIRE(named_after({2, 3}, bank));
  bank.push_back({"also negative", "It is not.", "Roots", [](const Array& x) {
                    return x(0) == 2 ? negative_roots(x) : Array{3.5, 4.5};
                  }});
  const auto two = named_after({2, 3, 5}, bank);
  REQUIRE(two);
  CHECK(two->name == "negative or also negative + something else");
  CHECK(two->sentence ==
        "On this call your numbers are those of two known mistakes, one or the other. Other calls show that "
        "there is something else besides. The known one: It is positive. Or: It is not.");
  bank[1].sentence = bank[0].sentence;  // one mistake in two forms
  CHECK(named_after({2, 3, 5}, bank)->sentence == one->sentence);
  bank[1].sentence = "It is not.";
  bank.push_back({"half", "It is whole.", "Roots", negative_roots});
  CHECK_FALSE(named_after({2, 3, 5}, bank));  // three fit
}

TEST_CASE(
    "of the mistakes with the numbers of the call that is shown, the one is named that fits on more calls",
    "[grader]") {
  using G = Array (*)(const Array&);
  const auto negative_unless_5 = [](const Array& x) { return x(0) == 5 ? Array(3 * x) : negative_roots(x); };
  const auto mistake = judge_part(part<G>("f", 1, negative_unless_5, roots,
                                          {calling<G>("f(x)", headlight::grader::named("x", Array{2, 3})),
                                           calling<G>("f(x)", headlight::grader::named("x", Array{3, 5, 7})),
                                           calling<G>("f(x)", headlight::grader::named("x", Array{5, 7}))},
                                          {{"negative at 2", "It is positive.", "Roots", negative_at_2},
                                           {"negative", "It is positive.", "Roots", negative_roots}}),
                                  kLearner)
                           .mistake;
  REQUIRE(mistake);
  CHECK(mistake->name == "negative + something else");
}

TEST_CASE("a mistake that would make more wrong is not named", "[grader]") {
  CHECK_FALSE(named(half_of_the_sum, kBank));
}

TEST_CASE("whole numbers that agree are no evidence", "[grader]") {
  std::vector<Mistake<F>> bank = kBank;
  bank.push_back({"one at first", "No.", "Sums", [](const Array& x) {
                    return x.size() == 2 ? Two{1, 1} : Two{0.5, 0.25};
                  }});
  CHECK_FALSE(named(whole, bank));
}

TEST_CASE("a part that trains is compared with single mistakes", "[grader]") {
  const std::vector<Case<F>> cases{calling_with({2, 3}), calling_with({5, 7})};
  Part trains = part("f", 1, negative_and_double, right, cases, kBank);
  trains.seconds = 60;
  CHECK_FALSE(judge_part(trains, kLearner).mistake);
}

TEST_CASE("of calls that ask for different things, the mistake on the first wrong one is named", "[grader]") {
  const std::vector<Case<F>> cases{calling_with({2, 3}), calling_with({2, 3, 5})};
  const auto named_alone = [&](F learner) {
    Part separate = part("f", 1, learner, right, cases, kBank);
    separate.separate = true;
    const auto mistake = judge_part(separate, kLearner).mistake;
    REQUIRE(mistake);
    return *mistake;
  };
  const auto with_more = named_alone([](const Array& x) {
    return x.size() == 2 ? Two{-root_sum(x), product_of(x)} : Two{};
  });
  CHECK(with_more.name == "negative + something else");
  CHECK(with_more.sentence == "It is positive. Later calls are wrong too.");
  CHECK(with_more.read == "Sums");
  const auto alone = named_alone([](const Array& x) { return x.size() == 2 ? negative_sum(x) : right(x); });
  CHECK(alone.name == "negative");
  CHECK(alone.sentence == "It is positive.");
}

TEST_CASE("of two mistakes that only one call tells from one of them, the one is said to be known",
          "[grader]") {
  using G = double (*)(double);
  const G plain = [](double x) { return x; }, negative = [](double x) { return -x; },
          seven = [](double x) { return x == 7 ? 0.5 : x; },
          both = [](double x) { return x == 7 ? -0.5 : -x; };
  const auto named_on = [&](const std::vector<double>& inputs) {
    std::vector<Case<G>> cases;
    for (const double x : inputs) cases.push_back(calling<G>("f(x)", headlight::grader::named("x", x)));
    const auto bank = with_together<G>({{"negative", "It is positive.", "Signs", negative},
                                        {"seven", "Seven is as the others.", "Sevens", seven}},
                                       {{{"negative", "seven"}, both}});
    return judge_part(part<G>("f", 1, both, plain, cases, bank), kLearner).mistake;
  };
  const auto mistake = named_on({1.25, 2, 7});
  REQUIRE(mistake);
  CHECK(mistake->name == "negative + seven");
  CHECK(mistake->sentence ==
        "On all calls but one your numbers are those of a known mistake: It is positive. On the one they are "
        "those of this mistake together with another: Seven is as the others.");
  CHECK(mistake->read == "Signs");
  CHECK(named_on({1.25, 7})->sentence.starts_with("Two mistakes together give your numbers."));
}

TEST_CASE("several mistakes in one function have the sentences of all", "[grader]") {
  const auto bank = with_together(kBank, {{{"negative", "double"}, negative_and_double}});
  REQUIRE(bank.size() == 4);
  CHECK(bank[3].name == "negative + double");
  CHECK(bank[3].sentence ==
        "Two mistakes together give your numbers. First: It is positive. Second: It is single.");
  CHECK(bank[3].read == "Sums");
  CHECK(contains(error_of([] {
                   with_together(kBank, {{{"negative", "no"}, right}});
                 }),
                 "the bank does not have each of these mistakes: negative, no."));
}

}  // namespace known_mistakes
