#include "show.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "headlight/core/check.h"
#include "headlight/draw/dark.h"
#include "headlight/system/text.h"

namespace headlight::show {
namespace {

struct Side {
  Drawn drawn;
  std::string words;
  bool grey = false;
};

std::string xml(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

// What is known of the parts that are solved: "" or what the part's function did when it was called here
// before.
using Solved = std::map<std::string, std::string>;

Side learners_side(const Panel& panel, const Solved& solved, draw::ColorMode mode) {
  auto known = solved.find(panel.part);
  if (known == solved.end()) known = solved.find("all");
  if (known == solved.end())
    return {panel.draw(false, mode), panel.part + "() is not solved yet: drawn by ours, in grey", true};
  if (!known->second.empty())
    return {panel.draw(false, mode),
            fmt::format("Your {}() {} here: drawn by ours, in grey", panel.part, known->second), true};
  fmt::print("\n{}{}\n", kDrawing, panel.part);
  std::fflush(stdout);  // what a crash leaves
  try {
    return {panel.draw(true, mode), "Drawn by your " + panel.part + "()"};
  } catch (const std::exception& e) {
    return {panel.draw(false, mode),
            fmt::format("Your {}() threw an exception here ({}): drawn by ours, in grey", panel.part,
                        printable(e.what())),
            true};
  }
}

// The value of an attribute of the figure, in pixels.
double length_of(const std::string& svg, const std::string& attribute) {
  const std::size_t at = svg.find(" " + attribute + "=\"");
  check(svg.starts_with("<svg") && at != std::string::npos, "[show] expected a figure with a {}, got '{}'.",
        attribute, svg.substr(0, 40));
  return std::atof(svg.c_str() + at + attribute.size() + 3);
}

// A page that figures are put on.
class Page {
 public:
  void words(double x, double y, double size, const std::string& text) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y, size,
                         size > 16 ? " font-weight=\"600\"" : "", xml(text));
    include(x + 0.56 * size * static_cast<double>(display_width(text)), y);
  }
  void figure(double x, double y, const std::string& svg, bool grey) {
    std::string inner = draw::without_dark_style(svg);
    inner.insert(4, fmt::format(" x=\"{}\" y=\"{}\"", x, y));
    body_ += fmt::format("<g{}>\n{}</g>\n", grey ? " filter=\"url(#grey)\" opacity=\"0.6\"" : "", inner);
    include(x + length_of(svg, "width"), y + length_of(svg, "height"));
  }
  std::string finish(const std::string& title) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, "
        "sans-serif\" fill=\"#1d1d28\">\n<title>{2}</title>\n{3}"
        "<filter id=\"grey\"><feColorMatrix type=\"saturate\" values=\"0\"/></filter>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{4}</svg>\n",
        right_ + kMargin, bottom_ + kMargin, xml(title), draw::kDarkStyle, body_);
  }
  double bottom() const { return bottom_; }

  static constexpr double kMargin = 20;

 private:
  void include(double x, double y) {
    right_ = std::max(right_, x);
    bottom_ = std::max(bottom_, y);
  }
  std::string body_;
  double right_ = 0, bottom_ = 0;
};

nlohmann::json drawn(const Picture& picture, const Solved& solved, draw::ColorMode mode) {
  std::vector<std::pair<Side, Drawn>> rows;
  double middle = 0;  // where our figures begin
  for (const Panel& panel : picture.panels) {
    rows.emplace_back(learners_side(panel, solved, mode), panel.draw(false, mode));
    const auto& [side, ours] = rows.back();
    middle = std::max(
        {middle, length_of(side.drawn.svg, "width"), 7.8 * static_cast<double>(display_width(side.words))});
  }
  middle += 2 * Page::kMargin;
  Page page;
  std::string text;
  page.words(Page::kMargin, 34, 20, picture.title);
  for (const auto& [side, ours] : rows) {
    const double top = page.bottom() + 34;
    page.words(Page::kMargin, top, 14, side.words);
    page.words(middle, top, 14, "Drawn by our solution");
    page.figure(Page::kMargin, top + 8, side.drawn.svg, side.grey);
    page.figure(middle, top + 8, ours.svg, false);
    if (!side.drawn.text.empty()) text += side.words + "\n\n" + side.drawn.text + "\n";
  }
  return {{"name", picture.name}, {"svg", page.finish(picture.title)}, {"text", text}};
}

}  // namespace

int run(int argc, char** argv, const Picture& picture) {
  try {
    check(argc > 1, "[show] expected the number of a colour mode, got no argument.");
    const auto mode = static_cast<draw::ColorMode>(std::atoi(argv[1]));
    Solved solved;
    for (const std::string& word : std::vector<std::string>(argv + 2, argv + argc)) {
      const std::size_t end = word.find('=');
      solved[word.substr(0, end)] = end == std::string::npos ? "" : word.substr(end + 1);
    }
    fmt::print("\n{}\n", drawn(picture, solved, mode).dump());
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}

}  // namespace headlight::show
