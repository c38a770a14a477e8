// What `./headlight show 14` draws: the patterns of the heads that the learner set by hand.
#include "show.h"

#include <string>

#include "circuit.h"
#include "exercise.h"
#include "headlight/draw/heatmap.h"
#include "looks.h"

void look_mirrored(Head& head, const Stream& s);
void match_pairs(Head& head, const Stream& s);
void pair_model(Weights& w);

namespace solution {
#include "solution.cpp"
}

namespace {

using show::Drawn;

constexpr std::size_t kV = 5;
const Tokens kMirrored{0, 1, 2, 3, 4, 1, 0, 2, 2, 0, 1, 4, 3, 2, 1, 0};  // a segment, then backwards
const Tokens kTwice{0, 1, 0, 2, 0, 3, 0, 4, 0, 1, 0, 2, 0, 3, 0, 4};     // a segment twice

Drawn drawn(const std::string& title, const Array& pattern, const Tokens& tokens, draw::ColorMode mode) {
  std::vector<std::string> letters;
  for (const std::int32_t token : tokens) letters.emplace_back(1, static_cast<char>('a' + token));
  const std::size_t n = tokens.size();
  BoolArray seen({n, n}, true);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) seen(i, j) = false;
  const draw::Heatmap map{pattern, letters, letters, title, seen};
  return {draw::svg_heatmap(map), draw::terminal_heatmap(map, mode)};
}

// The pattern of a head whose W_Q and W_K the function sets.
auto of_head(const char* title, const Tokens& tokens) {
  return [title, &tokens](void (*set)(Head&, const Stream&), draw::ColorMode mode) {
    const Stream s(kV, tokens.size(), true);
    Head head(s);
    set(head, s);
    return drawn(title, pattern(head, stream_of(s, tokens)), tokens, mode);
  };
}

Drawn of_model(void (*set)(Weights&), draw::ColorMode mode) {
  const Stream s(kV, kTwice.size(), true);
  Weights w(s);
  put(w.W_E, {0, s.token.size}, s.token, 1);
  put(w.W_pos, {0, s.position.size}, s.position, 1);
  set(w);
  const Array x = behind(w.layer_0, embedded(w, kTwice));
  return drawn("The stripe of your model, in layer 1", pattern(w.layer_1[0], x), kTwice, mode);
}

}  // namespace

int main(int argc, char** argv) {
  using show::panel;
  return show::run(argc, argv,
                   {"stripe",
                    "Lesson 14: where heads look that you set by hand",
                    {panel("look_mirrored", &look_mirrored, &solution::look_mirrored,
                           of_head("A segment, and then backwards", kMirrored)),
                     panel("match_pairs", &match_pairs, &solution::match_pairs,
                           of_head("After the same two tokens", kTwice)),
                     panel("pair_model", &pair_model, &solution::pair_model, of_model)}});
}
