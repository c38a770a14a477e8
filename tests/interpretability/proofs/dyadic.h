// Exact arithmetic on numbers m·2^e with whole m of any size: on doubles, their sums and their products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headlight {

class Dyadic {
 public:
  Dyadic(double x = 0) : negative_(x < 0) {
    int exponent = 0;
    const double part = std::frexp(std::abs(x), &exponent);
    const auto whole = static_cast<std::uint64_t>(std::ldexp(part, 53));
    limbs_ = {static_cast<std::uint32_t>(whole), static_cast<std::uint32_t>(whole >> 32)};
    exponent_ = exponent - 53;
    tidy();
  }

  friend Dyadic operator-(Dyadic x) {
    x.negative_ = !x.negative_;
    return x;
  }
  friend Dyadic operator+(Dyadic x, Dyadic y) {
    if (x.exponent_ < y.exponent_) std::swap(x, y);
    if (x.limbs_.empty()) return y;
    if (y.limbs_.empty()) return x;
    x.shift(static_cast<std::size_t>(x.exponent_ - y.exponent_));
    if (x.negative_ != y.negative_) {
      if (less(x.limbs_, y.limbs_)) std::swap(x, y);
      x.subtract(y.limbs_);
    } else {
      x.add(y.limbs_);
    }
    x.tidy();
    return x;
  }
  friend Dyadic operator-(const Dyadic& x, const Dyadic& y) { return x + -y; }
  friend Dyadic operator*(const Dyadic& x, const Dyadic& y) {
    Dyadic z;
    z.negative_ = x.negative_ != y.negative_, z.exponent_ = x.exponent_ + y.exponent_;
    z.limbs_.assign(x.limbs_.size() + y.limbs_.size(), 0);
    for (std::size_t i = 0; i < x.limbs_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < y.limbs_.size() || carry > 0; ++j) {
        const std::uint64_t product = j < y.limbs_.size() ? std::uint64_t{x.limbs_[i]} * y.limbs_[j] : 0;
        carry += product + z.limbs_[i + j];
        z.limbs_[i + j] = static_cast<std::uint32_t>(carry), carry >>= 32;
      }
    }
    z.tidy();
    return z;
  }

  int sign() const { return limbs_.empty() ? 0 : negative_ ? -1 : 1; }
  friend bool operator<=(const Dyadic& x, const Dyadic& y) { return (x - y).sign() <= 0; }
  friend bool operator<(const Dyadic& x, const Dyadic& y) { return (x - y).sign() < 0; }

  Dyadic size() const { return sign() < 0 ? -*this : *this; }
  Dyadic times_power_of_two(int power) const {
    Dyadic x = *this;
    x.exponent_ += power;
    return x;
  }

  // Cut off towards 0, to a relative error below 2^-300.
  Dyadic shorter() const {
    Dyadic x = *this;
    if (const std::size_t n = x.limbs_.size(); n > 11) x.drop(n - 11);
    return x;
  }
  Dyadic over(std::uint32_t divisor) const {
    Dyadic x = *this;
    x.shift(352);
    std::uint64_t rest = 0;
    for (std::size_t i = x.limbs_.size(); i > 0; --i) {
      rest = rest << 32 | x.limbs_[i - 1];
      x.limbs_[i - 1] = static_cast<std::uint32_t>(rest / divisor), rest %= divisor;
    }
    x.tidy();
    return x.shorter();
  }

 private:
  static bool less(const std::vector<std::uint32_t>& x, const std::vector<std::uint32_t>& y) {
    if (x.size() != y.size()) return x.size() < y.size();
    return std::lexicographical_compare(x.rbegin(), x.rend(), y.rbegin(), y.rend());
  }

  void add(const std::vector<std::uint32_t>& y) {
    limbs_.resize(std::max(limbs_.size(), y.size()) + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      carry += std::uint64_t{limbs_[i]} + (i < y.size() ? y[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(carry), carry >>= 32;
    }
  }
  void subtract(const std::vector<std::uint32_t>& y) {
    std::int64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      carry += std::int64_t{limbs_[i]} - (i < y.size() ? y[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(carry), carry >>= 32;
    }
  }

  // More digits, the same value.
  void shift(std::size_t bits) {
    exponent_ -= static_cast<int>(bits);
    limbs_.insert(limbs_.begin(), bits / 32, 0);
    if (bits % 32 == 0) return;
    limbs_.push_back(0);
    for (std::size_t i = limbs_.size(); i-- > bits / 32;)
      limbs_[i] = limbs_[i] << bits % 32 | (i > 0 ? limbs_[i - 1] >> (32 - bits % 32) : 0);
    if (limbs_.back() == 0) limbs_.pop_back();
  }
  void drop(std::size_t limbs) {
    limbs_.erase(limbs_.begin(), limbs_.begin() + static_cast<std::ptrdiff_t>(limbs));
    exponent_ += 32 * static_cast<int>(limbs);
  }
  void tidy() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    const auto first = std::find_if(limbs_.begin(), limbs_.end(), [](std::uint32_t l) { return l != 0; });
    drop(static_cast<std::size_t>(first - limbs_.begin()));
    if (limbs_.empty()) negative_ = false, exponent_ = 0;
  }

  bool negative_;
  std::vector<std::uint32_t> limbs_;  // the lowest first
  int exponent_ = 0;
};

// e^x to a relative error below 2^-250, for |x| ≤ 2^13.
inline Dyadic exp_of(const Dyadic& x) {
  constexpr int kHalvings = 20;
  const Dyadic part = x.times_power_of_two(-kHalvings).shorter();
  Dyadic term = 1, sum = 1;
  for (std::uint32_t k = 1; k <= 40; ++k) {
    term = (term * part).over(k);
    sum = (sum + term).shorter();
  }
  for (int i = 0; i < kHalvings; ++i) sum = (sum * sum).shorter();
  return sum;
}

}  // namespace headlight
