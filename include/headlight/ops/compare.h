// Comparisons, masks, and the logic of masks. A mask is a BoolArray; it carries no gradient.
#pragma once

#include "headlight/autograd/tensor.h"

namespace headlight {

// Element by element, broadcast; PyTorch calls them gt, ge, lt, le, eq and ne. A NaN differs from everything,
// itself too, and every other comparison with it is false. A scalar may stand for either tensor.
BoolArray greater(const Tensor& x, const Tensor& y);        // x > y
BoolArray greater_equal(const Tensor& x, const Tensor& y);  // x ≥ y
BoolArray less(const Tensor& x, const Tensor& y);           // x < y
BoolArray less_equal(const Tensor& x, const Tensor& y);     // x ≤ y
BoolArray equal(const Tensor& x, const Tensor& y);          // x = y
BoolArray not_equal(const Tensor& x, const Tensor& y);      // x ≠ y

// The same as operators. `x == y` is a mask, not a bool: write all(x == y), or same_node(x, y) for handles of
// one node.
inline BoolArray operator>(const Tensor& x, const Tensor& y) { return greater(x, y); }
inline BoolArray operator>=(const Tensor& x, const Tensor& y) { return greater_equal(x, y); }
inline BoolArray operator<(const Tensor& x, const Tensor& y) { return less(x, y); }
inline BoolArray operator<=(const Tensor& x, const Tensor& y) { return less_equal(x, y); }
inline BoolArray operator==(const Tensor& x, const Tensor& y) { return equal(x, y); }
inline BoolArray operator!=(const Tensor& x, const Tensor& y) { return not_equal(x, y); }

// Both, or at least one of the two, element by element and broadcast; `!mask` is the opposite of each
// element. Both sides are always computed.
BoolArray operator&&(const BoolArray& a, const BoolArray& b);
BoolArray operator||(const BoolArray& a, const BoolArray& b);

// Whether some element is true, and whether every element is. Of no elements: false, and true.
bool any(const BoolArray& mask);
bool all(const BoolArray& mask);

// Where x is NaN.
BoolArray isnan(const Tensor& x);

// Whether |x - y| ≤ absolute + relative·|y| everywhere, broadcast. Equal infinities are close, a NaN is close
// to nothing.
bool allclose(const Tensor& x, const Tensor& y, double relative = 1e-5, double absolute = 1e-8);

}  // namespace headlight
