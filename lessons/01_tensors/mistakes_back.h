// What people get wrong in part 5 of exercise 1, where reading is summed back.
#pragma once

#include "mistakes.h"

namespace mistakes {

// Where a learner's walk over u arrives in the sums.
inline std::ptrdiff_t arrives(const Made& made, std::size_t i, const Shape& index, const View& view,
                              std::size_t size) {
  if (made("i-modulo-size")) return signed_of(i % size);
  const std::ptrdiff_t start = made("start-ignored") ? 0 : view.start;
  const std::size_t axes = index.size();
  std::ptrdiff_t offset = made("start-along-each-axis") ? 0 : start;
  const std::size_t end = made("last-axis-left-out") && axes > 0 ? axes - 1 : axes;
  for (std::size_t axis = made("first-axis-left-out") ? 1 : 0; axis < end; ++axis) {
    const std::ptrdiff_t stride = view.strides[made("strides-reversed") ? axes - 1 - axis : axis];
    if (made("last-axis-alone")) offset = start;
    offset += signed_of(index[axis]) * (made("index-not-scaled") ? 1 : stride);
    if (made("start-along-each-axis")) offset += start;
  }
  return offset;
}

// What a wrong walk puts outside is left out.
inline Array summed_back(const Made& made, const Array& u, const View& view, std::size_t size) {
  if (made("not-summed")) return u;
  Array sums(Shape{size}, 0.0);
  std::vector<Shape> came(size);  // of what arrived last: its index, with 0 along the axes of stride 0
  std::vector<int> reads(size);
  for (std::size_t i = made("first-number-left-out") ? 1 : 0;
       i < u.size() - (made("last-number-left-out") ? 1 : 0); ++i) {
    Shape index = unravel_index(i, u.shape());
    const std::ptrdiff_t offset = arrives(made, i, index, view, size);
    if (offset < 0 || offset >= signed_of(size)) continue;
    const auto place = static_cast<std::size_t>(offset);
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      if (view.strides[axis] == 0) index[axis] = 0;
    const bool again = reads[place]++ > 0, repeats = again && came[place] == index;
    came[place] = index;
    const double x = made("reads-counted") ? 1 : u.data()[i];
    double& sum = sums.data()[place];
    if (made("first-alone") && again) continue;
    if (made("first-number-alone") && i > 0) break;
    if (made("subtracted")) {
      sum -= x;
      continue;
    }
    sum = made("overwritten") || (made("repeats-alone") && !repeats) ? x : sum + x;
  }
  if (made("mean-for-sum"))
    for (std::size_t k = 0; k < size; ++k) sums.data()[k] /= std::max(reads[k], 1);
  return sums;
}

inline const std::vector<Slip> kSlipsInSums = {
    {"overwritten",
     "You wrote `=` where `+=` belongs. Several numbers of u arrive at the same place, and each of them "
     "counts.",
     kSumming},
    {"subtracted", "You subtract what arrives. Add it up.", kSumming},
    {"first-number-alone",
     "You return within the loop, after the first number of u. Go through all of them, and return behind the "
     "loop.",
     kSumming},
    {"first-number-left-out", "You left out the first number of u. Count from 0.", kSumming},
    {"last-number-left-out", "You left out the last number of u. Go up to u.size() - 1.", kSumming},
    {"first-alone",
     "You kept the first number that arrives at a place. A number that was read several times gets the sum "
     "of all.",
     kSumming},
    {"start-ignored",
     "You began at the offset 0. The view begins at view.start, and the sums belong where it read.",
     kStrides},
    {"start-along-each-axis",
     "You added view.start once for each axis. It is added once: begin with it, then add index times stride "
     "of each axis.",
     kStrides},
    {"mean-for-sum",
     "You took the mean of what arrives. The transpose of copying adds the copies up and divides by nothing.",
     kSumming},
    {"reads-counted",
     "You counted how often each number was read. Add the number of u that stands there, not 1.", kSumming},
    {"not-summed",
     "You returned u as it came. The result has one number for each number of the buffer: the shape (size).",
     kSumming},
    {"i-modulo-size",
     "You added number i of u at i % size. Where the view read it, its start and its strides say: start plus "
     "index times stride of each axis.",
     kStrides},
    {"strides-reversed",
     "You paired the first entry of the index with the last stride. Entry k goes with stride k.", kStrides},
    {"index-not-scaled", "You added up the index. A step along axis k goes view.strides[k] numbers on.",
     kStrides},
    {"last-axis-left-out",
     "Your walk leaves out the last axis. Each axis adds its index times its stride to the offset.",
     kStrides},
    {"first-axis-left-out",
     "Your walk leaves out the first axis. Each axis adds its index times its stride to the offset.",
     kStrides},
    {"last-axis-alone",
     "You set the offset anew for each axis, so only the last axis counts. Begin with view.start, and add "
     "index times stride of each axis: `+=` in the inner loop.",
     kStrides},
    {"repeats-alone",
     "You summed along the axes of stride 0 alone. Windows overlap without a stride of 0: whatever arrives "
     "at the same place is added up.",
     kSumming}};

}  // namespace mistakes
