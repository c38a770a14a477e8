#include "headlight/draw/color.h"

#include <cmath>

#include "catch.h"
#include "draw/svg/series_style.h"
#include "headlight/studies/head_table.h"

using namespace headlight::draw;
using namespace headlight::studies;

namespace {

// As the contrast of WCAG 2 needs it.
double luminance(Color c) {
  const auto linear = [](double part) {
    return part <= 0.04045 * 255 ? part / 255 / 12.92 : std::pow((part / 255 + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

double lightness(Color c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; }

}  // namespace

TEST_CASE("the name of a curve can be read on white, and has the curve's hue", "[report]") {
  for (std::size_t i = 0; i < kSeriesColors.size(); ++i) {
    const Color curve = series_color(i), text = series_text_color(i);
    CHECK(1.05 / (luminance(text) + 0.05) >= 4.5);
    CHECK(text.red * curve.green == Approx(curve.red * text.green).margin(0.01 * 255 * 255));
    CHECK(text.blue * curve.green == Approx(curve.blue * text.green).margin(0.01 * 255 * 255));
  }
}

TEST_CASE("colours get lighter with the weight", "[report]") {
  for (const ColorMode mode : {ColorMode::truecolor, ColorMode::palette256})
    for (int i = 0; i < 100; ++i)
      CHECK(lightness(heat_color(i / 100.0, mode)) < lightness(heat_color((i + 1) / 100.0, mode)) + 0.5);
  CHECK(hex(heat_color(-1)) == hex(heat_color(0)));
  CHECK(hex(heat_color(2)) == hex(heat_color(1)));
}

TEST_CASE("heat in 256 colours consists of these", "[report]") {
  int different = 0;
  std::string before;
  for (int i = 0; i <= 200; ++i) {
    const Color c = heat_color(i / 200.0, ColorMode::palette256);
    const std::string sequence = foreground(c, ColorMode::palette256);
    different += sequence != before;
    before = sequence;
    // The palette's own colours, which it maps to themselves.
    for (const int level : {int{c.red}, int{c.green}, int{c.blue}})
      CHECK((level == 0 || (level - 55) % 40 == 0));
  }
  CHECK(different >= 10);
}

TEST_CASE("a colour becomes the nearest of 256", "[report]") {
  CHECK(palette256({0, 0, 0}) == 16);
  CHECK(palette256({255, 255, 255}) == 231);
  CHECK(palette256({255, 0, 0}) == 196);
  CHECK(palette256({96, 134, 176}) == 67);
  CHECK(palette256({119, 117, 118}) == 243);
}

TEST_CASE("escape sequences follow the mode", "[report]") {
  const Color red{255, 0, 0};
  CHECK(foreground(red, ColorMode::truecolor) == "\x1b[38;2;255;0;0m");
  CHECK(background(red, ColorMode::truecolor) == "\x1b[48;2;255;0;0m");
  CHECK(foreground(red, ColorMode::palette256) == "\x1b[38;5;196m");
  CHECK(background(red, ColorMode::palette256) == "\x1b[48;5;196m");
  CHECK(
      (foreground(red, ColorMode::none) + background(red, ColorMode::none) + reset(ColorMode::none)).empty());
  CHECK(reset(ColorMode::palette256) == "\x1b[0m");
}

TEST_CASE("the terminal's variables decide its colours", "[report]") {
  CHECK(color_mode_of("", "") == ColorMode::none);
  CHECK(color_mode_of("dumb", "truecolor") == ColorMode::none);
  CHECK(color_mode_of("vt220", "") == ColorMode::none);
  CHECK(color_mode_of("ansi", "") == ColorMode::none);
  CHECK(color_mode_of("xterm-256color", "") == ColorMode::palette256);
  CHECK(color_mode_of("screen", "") == ColorMode::palette256);
  CHECK(color_mode_of("xterm-256color", "truecolor") == ColorMode::truecolor);
  CHECK(color_mode_of("xterm", "24bit") == ColorMode::truecolor);
  CHECK(color_mode_of("xterm-direct", "") == ColorMode::truecolor);
  CHECK(color_mode_of("xterm-kitty", "") == ColorMode::truecolor);
  CHECK(color_mode_of("alacritty", "") == ColorMode::truecolor);
}

TEST_CASE("the head table is coloured as the terminal can", "[report]") {
  const std::vector<headlight::interpret::HeadScores> scores{{0, 0, {0.8, 0, 0}}};
  CHECK(head_table(scores, ColorMode::none).find('\x1b') == std::string::npos);
  CHECK(headlight::contains(head_table(scores, ColorMode::palette256), "\x1b[38;5;"));
  CHECK(headlight::contains(head_table(scores, ColorMode::truecolor), "\x1b[38;2;"));
}
