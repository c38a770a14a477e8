// What people get wrong in part 5 of exercise 1, where reading is summed back.
#pragma once

#include "mistakes.h"

namespace mistakes {

// Walks over u by the strides of a view; `use` gets the number at which it arrives in the sums, and the one
// that comes. What a wrong walk puts outside is left out.
template <class Use>
Array walked_back(const Array& u, const View& view, std::size_t size, Use use) {
  Array sums(Shape{size}, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const Shape index = unravel_index(i, u.shape());
    std::ptrdiff_t offset = view.start;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      offset += signed_of(index[axis]) * view.strides[axis];
    if (offset >= 0 && offset < signed_of(size)) use(sums.data()[offset], u.data()[i]);
  }
  return sums;
}

constexpr auto adds = [](double& sum, double x) { sum += x; };
constexpr auto overwrites = [](double& sum, double x) { sum = x; };
constexpr auto takes_first = [](double& sum, double x) { sum = sum == 0 ? x : sum; };
constexpr auto counts = [](double& sum, double) { sum += 1; };

inline Array last_alone(const Array& u, const View& view, std::size_t size) {
  return walked_back(u, view, size, overwrites);
}

inline Array first_alone(const Array& u, const View& view, std::size_t size) {
  return walked_back(u, view, size, takes_first);
}

inline Array reads_counted(const Array& u, const View& view, std::size_t size) {
  return walked_back(u, view, size, counts);
}

inline Array mean_of_reads(const Array& u, const View& view, std::size_t size) {
  const Array sums = walked_back(u, view, size, adds), reads = reads_counted(u, view, size);
  Array means = sums;
  for (std::size_t k = 0; k < size; ++k) means.data()[k] /= std::max(reads.data()[k], 1.0);
  return means;
}

inline View from_zero(const View& view) { return {0, view.shape, view.strides}; }

inline Array start_ignored(const Array& u, const View& view, std::size_t size) {
  return walked_back(u, from_zero(view), size, adds);
}

inline Array as_it_comes(const Array& u, const View&, std::size_t) { return u; }

inline Array strides_from_behind(const Array& u, const View& view, std::size_t size) {
  return walked_back(u, {view.start, view.shape, {view.strides.rbegin(), view.strides.rend()}}, size, adds);
}

inline Array index_unweighted(const Array& u, const View& view, std::size_t size) {
  return walked_back(u, {view.start, view.shape, Strides(view.strides.size(), 1)}, size, adds);
}

// Sums along axes of stride 0, and lets what arrives along others overwrite.
inline Array repeats_alone(const Array& u, const View& view, std::size_t size) {
  Array sums(Shape{size}, 0.0);
  std::vector<Shape> last(size);
  for (std::size_t i = 0; i < u.size(); ++i) {
    Shape index = unravel_index(i, u.shape());
    std::ptrdiff_t offset = view.start;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      offset += signed_of(index[axis]) * view.strides[axis];
      if (view.strides[axis] == 0) index[axis] = 0;
    }
    const auto place = static_cast<std::size_t>(offset);
    sums.data()[place] = u.data()[i] + (last[place] == index ? sums.data()[place] : 0);
    last[place] = index;
  }
  return sums;
}

inline std::vector<Mistake<SumBack>> of_sum_back() {
  const std::string read = "The transpose of copying is summing";
  return {
      {"overwritten",
       "You wrote `=` where `+=` belongs. Several numbers of u arrive at the same place, and each of them "
       "counts.",
       read, last_alone},
      {"first-alone",
       "You kept the first number that arrives at a place. A number that was read several times gets the sum "
       "of all.",
       read, first_alone},
      {"start-ignored",
       "You began at the offset 0. The view begins at view.start, and the sums belong where it read.",
       "Strides", start_ignored},
      {"mean-for-sum",
       "You took the mean of what arrives. The transpose of copying adds the copies up and divides by "
       "nothing.",
       read, mean_of_reads},
      {"reads-counted",
       "You counted how often each number was read. Add the number of u that stands there, not 1.", read,
       reads_counted},
      {"not-summed",
       "You returned u as it came. The result has one number for each number of the buffer: the shape "
       "(size).",
       read, as_it_comes},
      {"strides-reversed",
       "You paired the first entry of the index with the last stride. Entry k goes with stride k.", "Strides",
       strides_from_behind},
      {"index-not-scaled", "You added up the index. A step along axis k goes view.strides[k] numbers on.",
       "Strides", index_unweighted},
      {"repeats-alone",
       "You summed along the axes of stride 0 alone. Windows overlap without a stride of 0: whatever arrives "
       "at the same place is added up.",
       read, repeats_alone}};
}

inline const std::vector<Together<SumBack>> kTogetherInSums = {
    {{"overwritten", "start-ignored"},
     [](const Array& u, const View& view, std::size_t size) { return last_alone(u, from_zero(view), size); }},
    {{"start-ignored", "mean-for-sum"},
     [](const Array& u, const View& view, std::size_t size) {
       return mean_of_reads(u, from_zero(view), size);
     }},
    {{"start-ignored", "reads-counted"},
     [](const Array& u, const View& view, std::size_t size) {
       return reads_counted(u, from_zero(view), size);
     }},
    {{"overwritten", "strides-reversed"}, [](const Array& u, const View& view, std::size_t size) {
       return last_alone(u, {view.start, view.shape, {view.strides.rbegin(), view.strides.rend()}}, size);
     }}};

}  // namespace mistakes
