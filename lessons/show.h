// The picture that a learner's functions draw, beside the same picture by our solution: `./headlight show`.
// A lesson that has one has a show.cpp, whose main() calls run().
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "headlight/draw/color.h"

namespace headlight::show {

struct Drawn {
  std::string svg;        // a whole figure of headlight/draw
  std::string text = {};  // the same for the terminal; empty: it does not fit there
};

// What one part of the exercise draws.
struct Panel {
  std::string part;  // its function: "fit_curve"
  std::function<Drawn(bool learners, draw::ColorMode mode)> draw;
};

// `draw` is called with the learner's function, and with ours.
template <class F>
Panel panel(std::string part, F learners, std::type_identity_t<F> ours,
            std::type_identity_t<std::function<Drawn(F, draw::ColorMode)>> draw) {
  return {std::move(part),
          [=](bool by_learner, draw::ColorMode mode) { return draw(by_learner ? learners : ours, mode); }};
}

struct Picture {
  std::string name;   // of its file: "descent" is kept as my/02_descent.svg
  std::string title;  // "Your gradient descent"
  std::vector<Panel> panels;
};

// Begins the line that names a part, printed before its function is called.
inline constexpr const char* kDrawing = "drawing: ";

// The whole of main(). The arguments are the number of a draw::ColorMode and the parts that are solved ("all"
// for all), or "part=crashed" for one whose function is not to be called. Each panel is drawn by the
// learner's function, with ours to its right. Where a part is not solved, or throws, ours stands in grey in
// its place, and words above say so. Prints one line of JSON: name, svg, text.
int run(int argc, char** argv, const Picture& picture);

}  // namespace headlight::show
