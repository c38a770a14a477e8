// What people write in the place of repeat_kv, and what is wrong with it.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Repeat = std::function<Tensor(const Tensor&, std::size_t)>;

// The place in k of query head i.
inline std::size_t shared_by(const Made& made, std::size_t i, std::size_t g, std::size_t h) {
  if (made("last-first")) i = h - 1 - i;
  if (made("first-head-for-all")) return 0;
  if (made("last-head-for-all")) return g - 1;
  if (made("tiled")) return i % g;
  if (made("divided-by-g")) return i / g;
  if (made("modulo-the-group")) return i % (h / g);
  return i / (h / g);
}

inline Tensor repeated_with(const Made& made, const Tensor& of, std::size_t n_heads) {
  const Tensor k = made("off-the-tape") ? Tensor(of.array()) : of;
  const std::size_t g = k.length(1), h = made("group-taken-for-number") ? n_heads * g : n_heads;
  if (made("not-repeated")) return k * 1;
  const std::vector<Tensor> copies(h / g, k);
  const auto as_heads = [&](const Tensor& x) {
    return reshape(x, {length(k, 0), int_of(h), length(k, 2), length(k, 3)});
  };
  if (made("keys-repeated")) return concat(copies, 2);
  if (made("width-repeated")) return concat(copies, 3);
  if (made("batch-repeated")) return as_heads(concat(copies, 0));
  if (made("copies-beside-each-key")) return as_heads(stack(copies, 3));
  std::vector<Tensor> heads;
  for (std::size_t i = 0; i < h - (made("one-head-too-few") ? 1 : 0); ++i) {
    const int head = int_of(shared_by(made, i, g, h));
    if (head >= int_of(g)) throw Error("A head is out of range.");
    heads.push_back(slice(k, 1, head, head + 1));
  }
  if (made("stacked")) return stack(heads, 1);
  if (made("stacked-first")) return stack(heads);
  const Tensor all = concat(heads, 1);
  if (!made("an-axis-too-many")) return all;
  return reshape(all, {length(k, 0), int_of(g), int_of(h / g), length(k, 2), length(k, 3)});
}

inline constexpr const char* kStacked =
    "You put the heads together by stack, which makes a new axis for them. The slices still have the axis of "
    "heads: join them along it, by concat(heads, 1).";

inline const std::vector<grader::Slip> kSlipsOfRepeatKv = {
    {"tiled",
     "You put the whole group of heads behind itself: 0 1 0 1. Query heads that share are neighbours, so "
     "each head is repeated before the next one comes: 0 0 1 1. Query head i uses head i / (h/g), not "
     "i % g.",
     kGrouped},
    {"divided-by-g",
     "You took head i / g for query head i. g is the number of groups; a group has h/g heads: i / (h/g).",
     kGrouped},
    {"last-first", "Your heads stand in the reverse order. Query head 0 uses head 0.", kGrouped},
    {"keys-repeated",
     "You repeated along the axis of keys, so each head has its keys several times. The copies belong on "
     "the axis of heads.",
     kGrouped},
    {"width-repeated",
     "You repeated along the last axis, so each key became wider. The copies belong on the axis of heads.",
     kGrouped},
    {"batch-repeated",
     "You repeated along the batch and reshaped. In a batch of more than one sequence, heads of one "
     "sequence then land in another.",
     kGrouped},
    {"copies-beside-each-key",
     "You put the copies beside each key, not beside each head: the new axis stands after the keys. The "
     "reshape then mixes keys and heads. Stack along axis 2, before the keys.",
     kReshape},
    {"first-head-for-all", "All your heads are copies of head 0. Query head i uses head i / (h/g).",
     kGrouped},
    {"last-head-for-all", "All your heads are copies of the last head. Query head i uses head i / (h/g).",
     kGrouped},
    {"modulo-the-group",
     "You took head i % (h/g) for query head i. Neighbours share a head: divide, i / (h/g), rounded down.",
     kGrouped},
    {"one-head-too-few", "Your result lacks the last head. Count i from 0 to h - 1.", kGrouped},
    {"not-repeated", "You returned k as it is. The result needs n_heads heads.", kGrouped},
    {"stacked", kStacked, kGrouped},
    {"stacked-first", kStacked, kGrouped},
    {"an-axis-too-many",
     "Your copies stand on an axis of their own, (B,g,h/g,m,w). Reshape it to (B,h,m,w): then each head "
     "is followed by its copies.",
     kGrouped},
    {"group-taken-for-number",
     "You repeated each head n_heads times. It is repeated h/g times, so that there are h heads in the "
     "end.",
     kGrouped},
    {"off-the-tape", kOffTheTape, kGrouped}};

inline std::vector<Mistake<Repeat>> of_repeat_kv() {
  return slips_of<Repeat>(repeated_with, kSlipsOfRepeatKv);
}

}  // namespace mistakes
