#include "headlight/core/array_text.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace headlight {
namespace {

constexpr std::size_t kMostNumbers = 1000;  // that are printed in full
constexpr std::size_t kCorner = 3;          // places at each end of an axis otherwise

// Elements in nested brackets, each written by element(its place in row-major order).
template <class Element>
class Brackets {
 public:
  Brackets(const Shape& shape, Element element)
      : shape_(shape), element_(element), corners_only_(size_of(shape) > kMostNumbers) {}

  std::string text() {
    append(0, 0, size_of(shape_));
    return std::move(out_);
  }

 private:
  // `count` elements from `first` on, which lie inside `axis` axes.
  void append(std::size_t axis, std::size_t first, std::size_t count) {
    if (axis == shape_.size()) {
      out_ += element_(first);
      return;
    }
    const std::size_t length = shape_[axis];
    const bool shortened = corners_only_ && length > 2 * kCorner;
    const std::string between = axis + 1 == shape_.size() ? ", " : ",\n" + std::string(axis + 1, ' ');
    out_ += '[';
    for (std::size_t i = 0; i < length; ++i) {
      if (i > 0) out_ += between;
      if (shortened && i == kCorner) {
        out_ += "..." + between;
        i = length - kCorner;
      }
      append(axis + 1, first + i * (count / length), count / length);
    }
    out_ += ']';
  }

  const Shape& shape_;
  Element element_;
  bool corners_only_;
  std::string out_;
};

// Whether fixed digits show nothing of the numbers, or more than a Real holds.
bool need_exponents(const Array& x, int decimals) {
  double largest = 0;
  for (Real value : x)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest >= 1e8 || (largest > 0 && largest < 0.5 * std::pow(10, -decimals));
}

}  // namespace

std::string to_string(const Array& x, const NumberFormat& format) {
  check(format.decimals >= 0, "[to_string] expected at least 0 decimals, got {}.", format.decimals);
  const bool exponents =
      format.notation == 'e' || (format.notation != 'f' && need_exponents(x, format.decimals));
  const auto number = [&](std::size_t place) -> std::string {
    const double value = static_cast<double>(x.data()[place]);
    if (std::isnan(value)) return "nan";  // whose sign differs between processors
    return exponents ? fmt::format("{:.{}e}", value, format.decimals)
                     : fmt::format("{:.{}f}", value, format.decimals);
  };
  return Brackets(x.shape(), number).text();
}

std::string text_of(const IntArray& x) {
  return Brackets(x.shape(), [&](std::size_t place) { return fmt::format("{}", x.data()[place]); }).text();
}

std::string text_of(const BoolArray& x) {
  return Brackets(x.shape(), [&](std::size_t place) { return x.data()[place] ? "true" : "false"; }).text();
}

std::ostream& write_text(std::ostream& out, const std::string& text) { return out << text; }

std::ostream& operator<<(std::ostream& out, const Array& x) { return out << to_string(x); }

}  // namespace headlight
