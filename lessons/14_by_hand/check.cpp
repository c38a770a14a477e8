// The checker of exercise 14.
#include <string>
#include <vector>

#include "circuit.h"
#include "examined.h"
#include "exercise.h"
#include "grader/part.h"
#include "looks.h"

// The learner's.
void look_back(Head& head, const Stream& s, std::size_t distance);
void copy_token(Head& head, const Stream& s, const Subspace& to);
void look_at_followers(Head& head, const Stream& s);
void induction_model(Weights& w);
void break_one(Weights& w, const std::string& claim);

namespace solution {
#include "solution.cpp"
}

#include "mistakes.h"
#include "mistakes_broken.h"
#include "mistakes_together.h"

namespace {

using namespace grader;
using mistakes::CopyToken, mistakes::LookAtFollowers, mistakes::LookBack, mistakes::InductionModel;

// As the text writes them: "b d a c".
std::string letters(const Tokens& tokens) {
  std::string text;
  for (const std::int32_t token : tokens)
    text += (text.empty() ? "" : " ") + std::string(1, static_cast<char>('a' + token));
  return text;
}

// Part 1

Case<LookBack> back_case(std::size_t V, const Tokens& tokens, std::size_t distance) {
  const Stream s(V, tokens.size(), false);
  return {fmt::format("look_back(head, s, {})   on the tokens {}", distance, letters(tokens)),
          {},
          [=](LookBack function) {
            Head head(s);
            function(head, s, distance);
            return back_of(head, stream_of(s, tokens, false), distance);
          }};
}

Part look_back_part() {
  return part("look_back", 2, ::look_back, solution::look_back,
              {back_case(2, {0, 1, 0, 1}, 1), back_case(4, {1, 3, 0, 2, 1, 3, 0, 2}, 1),
               back_case(3, {0, 0, 1, 2, 1, 0, 2, 2, 1}, 3)},
              with_together(mistakes::kOfLookBack, mistakes::together_in_look_back()));
}

// Part 2

// Three rows of a stream in which every subspace holds something.
Array full_rows(const Stream& s) {
  Array x = full_array({3, s.width()}, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    x(i, s.token.first + (i + 1) % s.token.size) = 1;
    x(i, s.before.first + (2 * i) % s.before.size) = 1;
    x(i, s.output.first + (i + 2) % s.output.size) = 1;
    x(i, s.position.first + i + 2) = 1;
  }
  return x;
}

Case<CopyToken> copy_case(const Stream& s, const Array& x, const char* to_name, Subspace Stream::*to) {
  return {fmt::format("copy_token(head, s, s.{})   on the rows that the head looks at", to_name),
          {shown("their `token`", product(x,
                                          [&] {
                                            Array W = full_array({s.width(), s.token.size}, 0);
                                            put(W, s.token, {0, s.token.size}, 1);
                                            return W;
                                          }()))},
          [=](CopyToken function) {
            Head head(s);
            function(head, s, s.*to);
            const Array y = product(product(x, head.W_V), head.W_O);
            Result all;
            for (const auto& [name, space] : {std::pair{"token", s.token},
                                              {"before", s.before},
                                              {"output", s.output},
                                              {"position", s.position}}) {
              Array part = full_array({x.shape()[0], space.size}, 0);
              for (std::size_t i = 0; i < part.shape()[0]; ++i)
                for (std::size_t c = 0; c < space.size; ++c) part(i, c) = y(i, space.first + c);
              all.push_back(shown(fmt::format("what is added to `{}`", name), part));
            }
            return all;
          }};
}

Part copy_token_part() {
  const Stream small(2, 2, false), large(3, 5, false);
  Array example = full_array({1, small.width()}, 0);
  example(0, 1) = 1;
  return part("copy_token", 1, ::copy_token, solution::copy_token,
              {copy_case(small, example, "before", &Stream::before),
               copy_case(large, full_rows(large), "before", &Stream::before),
               copy_case(large, full_rows(large), "output", &Stream::output)},
              with_together(mistakes::kOfCopyToken, mistakes::together_in_copy_token()));
}

// Part 3

Case<LookAtFollowers> followers_case(std::size_t V, const Tokens& tokens) {
  const Stream s(V, tokens.size(), false);
  return {fmt::format("look_at_followers(head, s)   on the tokens {}", letters(tokens)),
          {},
          [=](LookAtFollowers function) {
            Head head(s);
            function(head, s);
            return kinds_of(head, tokens, stream_of(s, tokens, true));
          }};
}

Part followers_part() {
  return part("look_at_followers", 3, ::look_at_followers, solution::look_at_followers,
              {followers_case(2, {0, 1, 0}), followers_case(5, {1, 3, 0, 4, 2, 3, 0, 1, 4, 2}),
               followers_case(4, {2, 0, 1, 3, 0, 2, 1, 0, 3, 2, 1})},
              with_together(mistakes::kOfLookAtFollowers, mistakes::together_in_followers()));
}

// Part 4

Weights with_tables(const Stream& s) {
  Weights w(s);
  put(w.W_E, {0, s.token.size}, s.token, 1);
  put(w.W_pos, {0, s.position.size}, s.position, 1);
  return w;
}

Case<InductionModel> model_case(std::size_t V, const Tokens& tokens) {
  return {fmt::format("induction_model(w)   on the tokens {}; 0 is a, 1 is b, …", letters(tokens)),
          {},
          [=](InductionModel function) {
            Weights w = with_tables(Stream(V, tokens.size(), false));
            function(w);
            return sayings_of(w, tokens);
          }};
}

Part model_part() {
  return part("induction_model", 2, ::induction_model, solution::induction_model,
              {model_case(3, {0, 1, 0}), model_case(5, {1, 3, 0, 4, 2, 3, 0, 1, 3}),
               model_case(4, {2, 0, 1, 3, 2, 0, 1, 3, 2})},
              with_together(mistakes::kOfInductionModel, mistakes::together_in_model()));
}

// Part 5

Case<BreakOne> broken_case(const std::string& claim) {
  return {fmt::format("break_one(w, \"{}\")   1 is yes, 0 is no", claim), {}, [=](BreakOne function) {
            Weights whole = with_tables(Stream(kLarge, kLarge, true));
            solution::induction_model(whole);
            return result_of(function, whole, claim);
          }};
}

Part break_one_part() {
  std::vector<Case<BreakOne>> cases;
  for (const std::string& claim : kClaims) cases.push_back(broken_case(claim));
  Part made = part("break_one", 3, ::break_one, as_it_should_be, std::move(cases), mistakes::kOfBreakOne);
  made.examples = 0;
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "14_by_hand",
        {look_back_part(), copy_token_part(), followers_part(), model_part(), break_one_part()}};
  });
}
