#include "headlight/nn/key_values.h"

#include "headlight/ops/rearrange.h"
#include "headlight/ops/smear.h"

namespace headlight::nn {

void KeyValues::append(Tensor& keys, Tensor& values) {
  keys = k = k.defined() ? concat({k, keys}, 1) : keys;
  values = v = v.defined() ? concat({v, values}, 1) : values;
}

Tensor KeyValues::smeared(const Tensor& keys, const Tensor& smear) {
  const Tensor before = last_key;
  last_key = slice(keys, 1, static_cast<int>(keys.length(1)) - 1);
  if (!before.defined()) return headlight::smear(keys, smear);
  return slice(headlight::smear(concat({before, keys}, 1), smear), 1, 1);
}

}  // namespace headlight::nn
