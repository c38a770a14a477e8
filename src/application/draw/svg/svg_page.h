// The page of a diagram: it grows with its content and becomes one SVG file.
#pragma once

#include <string>

#include "svg.h"

namespace headlight::draw::svg {

inline constexpr const char* kInk = "#1d1d28";
inline constexpr const char* kGrey = "#5c6675";    // lines, and text that is less important
inline constexpr const char* kAccent = "#b35400";  // the subject of the figure

struct TextStyle {
  double size = 14;
  Anchor anchor = Anchor::middle;
  const char* color = kInk;
  bool mono = false;
  bool bold = false;
};

class Page {
 public:
  explicit Page(const std::string& title);

  // `y` is the baseline.
  void text(double x, double y, const std::string& content, const TextStyle& style);
  void rect(const Box& box, const std::string& attributes);

  // A line along the SVG path `d`, which stays left of and above the given corner.
  void path(const std::string& d, double right, double bottom, const std::string& attributes);

  // The whole file. It defines arrow heads as url(#arrow) and url(#accent-arrow), hatching as url(#hatch).
  std::string finish() const;

 private:
  void include(double x, double y);

  std::string title_, body_;
  double right_ = 0, bottom_ = 0;
};

}  // namespace headlight::draw::svg
