// The checker of exercise 14.
#include <string>
#include <vector>

#include "circuit.h"
#include "examined.h"
#include "exercise.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "looks.h"

// The learner's.
void look_mirrored(Head& head, const Stream& s);
void copy_partner(Head& head, const Stream& s, const Subspace& to);
void match_pairs(Head& head, const Stream& s);
void pair_model(Weights& w);
void break_one(Weights& w, const std::string& claim);
std::vector<Trial> sharpness_needed();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_broken.h"
#include "mistakes_model.h"
#include "mistakes_pairs.h"
#include "mistakes_sharpness.h"

namespace {

using namespace grader;
using mistakes::CopyPartner, mistakes::LookMirrored, mistakes::MatchPairs, mistakes::PairModel;

// As the text writes them: "b d a c".
std::string letters(const Tokens& tokens) {
  std::string text;
  for (const std::int32_t token : tokens)
    text += (text.empty() ? "" : " ") + std::string(1, static_cast<char>('a' + token));
  return text;
}

// Part 1

Case<LookMirrored> mirrored_case(std::size_t V, const Tokens& tokens) {
  const Stream s(V, tokens.size(), true);
  return {fmt::format("look_mirrored(head, s)   on the tokens {}", letters(tokens)),
          {},
          [=](LookMirrored function) {
            Head head(s);
            function(head, s);
            return mirror_of(head, stream_of(s, tokens));
          }};
}

Part look_mirrored_part() {
  return part<LookMirrored>("look_mirrored", 2, ::look_mirrored, solution::look_mirrored,
                            {mirrored_case(4, {0, 1, 2, 3, 3, 2, 1, 0}), mirrored_case(2, {0, 1, 0, 0, 1, 0}),
                             mirrored_case(3, {2, 0, 0, 1, 2, 2, 1, 0, 0, 2})},
                            slips_of<LookMirrored>(mistakes::look_mirrored, mistakes::kOfLookMirrored));
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

Case<CopyPartner> copy_case(const Stream& s, const Array& x, const char* to_name, Subspace Stream::*to) {
  return {fmt::format("copy_partner(head, s, s.{})   on the rows that the head looks at", to_name),
          {shown("their `token`", product(x,
                                          [&] {
                                            Array W = full_array({s.width(), s.token.size}, 0);
                                            put(W, s.token, {0, s.token.size}, 1);
                                            return W;
                                          }()))},
          [=](CopyPartner function) {
            Head head(s);
            function(head, s, s.*to);
            const Array y = product(product(x, head.W_V), head.W_O);
            Result all;
            for (const auto& [name, space] : {std::pair{"token", s.token},
                                              {"before", s.before},
                                              {"output", s.output},
                                              {"position", s.position},
                                              {"two_before", s.two_before},
                                              {"pointer", s.pointer}}) {
              Array part = full_array({x.shape()[0], space.size}, 0);
              for (std::size_t i = 0; i < part.shape()[0]; ++i)
                for (std::size_t c = 0; c < space.size; ++c) part(i, c) = y(i, space.first + c);
              all.push_back(shown(fmt::format("what is added to `{}`", name), part));
            }
            return all;
          }};
}

Part copy_partner_part() {
  const Stream small(2, 3, true), large(4, 7, true);
  Array example = full_array({1, small.width()}, 0);
  example(0, 1) = 1;
  return part<CopyPartner>("copy_partner", 2, ::copy_partner, solution::copy_partner,
                           {copy_case(small, example, "before", &Stream::before),
                            copy_case(large, full_rows(large), "before", &Stream::before),
                            copy_case(large, full_rows(large), "output", &Stream::output)},
                           slips_of<CopyPartner>(mistakes::copy_partner, mistakes::kOfCopyPartner));
}

// Part 3

Case<MatchPairs> pairs_case(std::size_t V, const Tokens& tokens) {
  const Stream s(V, tokens.size(), true);
  return {
      fmt::format("match_pairs(head, s)   on the tokens {}", letters(tokens)), {}, [=](MatchPairs function) {
        Head head(s);
        function(head, s);
        return looks_of(head, tokens, stream_of(s, tokens));
      }};
}

Part match_pairs_part() {
  return part<MatchPairs>(
      "match_pairs", 3, ::match_pairs, solution::match_pairs,
      {pairs_case(3, {0, 1, 2, 1, 0, 1}), pairs_case(4, {0, 1, 2, 0, 0, 3, 1, 0, 0, 2, 0, 1}),
       pairs_case(4, {1, 1, 0, 2, 1, 3, 1, 1, 2, 1, 0, 2, 1}),
       pairs_case(5, {3, 0, 1, 4, 0, 2, 1, 0, 3, 0, 1, 0, 4, 0, 2})},
      slips_of<MatchPairs>(mistakes::match_pairs, mistakes::kOfMatchPairs));
}

// Part 4

Weights with_tables(const Stream& s) {
  Weights w(s);
  put(w.W_E, {0, s.token.size}, s.token, 1);
  put(w.W_pos, {0, s.position.size}, s.position, 1);
  return w;
}

Case<PairModel> model_case(std::size_t V, const Tokens& tokens) {
  return {fmt::format("pair_model(w)   on the tokens {}; 0 is a, 1 is b, …", letters(tokens)),
          {},
          [=](PairModel function) {
            Weights w = with_tables(Stream(V, tokens.size(), true));
            function(w);
            return sayings_of(w, tokens);
          }};
}

Part model_part() {
  return part<PairModel>("pair_model", 2, ::pair_model, solution::pair_model,
                         {model_case(3, {0, 1, 2, 1, 0, 1}), model_case(4, {1, 1, 0, 2, 1, 3, 1, 1, 0, 2, 1}),
                          model_case(5, {3, 0, 1, 4, 0, 2, 1, 0, 4, 0, 2, 3, 0, 1})},
                         slips_of<PairModel>(mistakes::pair_model, mistakes::kOfPairModel));
}

// Part 5

// The model of the lesson.
Weights lesson_model(std::size_t size) {
  Weights w = with_tables(Stream(size, size, true));
  const Stream& s = w.stream;
  solution::look_back(w.layer_0[0], s, 1);
  solution::copy_token(w.layer_0[0], s, s.before);
  Head& head = w.layer_1[0];
  mistakes::meet(head, s.token, s.before, head.tokens, solution::factor_of(head));
  for (std::size_t i = 0; i < size; ++i)
    put(head.W_Q, s.position.part(i, 1), head.positions.part(0, 1), -2 * solution::factor_of(head));
  put(head.W_K, s.position.part(0, 1), head.positions.part(0, 1), 1);
  solution::copy_token(head, s, s.output);
  put(w.W_U, s.output, {0, size}, 20);
  return w;
}

Case<BreakOne> broken_case(const std::string& claim) {
  return {fmt::format("break_one(w, \"{}\")   1 is yes, 0 is no", claim), {}, [=](BreakOne function) {
            const Weights whole = lesson_model(kLarge);
            return result_of(function, whole, claim);
          }};
}

Part break_one_part() {
  std::vector<Case<BreakOne>> cases;
  for (const std::string& claim : kClaims) cases.push_back(broken_case(claim));
  Part made = part("break_one", 3, ::break_one, as_it_should_be, std::move(cases), mistakes::kOfBreakOne);
  made.examples = 0;
  made.separate = true;
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "14_by_hand",
        {look_mirrored_part(), copy_partner_part(), match_pairs_part(), model_part(), break_one_part(),
         experiment_part("sharpness_needed", 2, ::sharpness_needed, solution::sharpness_needed,
                         [](double T) { return solution::measured(static_cast<std::size_t>(T)); },
                         {.setting = "T",
                          .measured = "smallest S",
                          .least = 8,
                          .most = 2000,
                          .wrong = mistakes::of_sharpness_needed()})}};
  });
}
