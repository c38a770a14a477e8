#include "headlight/ops/einsum.h"

#include <algorithm>
#include <map>

#include "headlight/core/check.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/reduce.h"

namespace headlight {
namespace {

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

// The letters of `from` for which `wanted` is true.
template <class Wanted>
std::string chosen(const std::string& from, Wanted wanted) {
  std::string letters;
  std::copy_if(from.begin(), from.end(), std::back_inserter(letters), wanted);
  return letters;
}

// An operand, and the name of each of its axes.
struct Named {
  Tensor x;
  std::string axes;
};

// "ij,jk->ik": what stands before each comma, and behind the arrow.
struct Equation {
  std::string text;
  std::vector<std::string> operands = {""};
  std::string result;
  std::map<char, std::size_t> lengths = {};

  explicit Equation(const std::string& equation) : text(equation) {
    const auto arrow = equation.find("->");
    check(arrow != std::string::npos, "[einsum] expected an equation such as \"ij,jk->ik\", got \"{}\".",
          text);
    for (char c : equation.substr(0, arrow)) {
      if (c == ',')
        operands.emplace_back();
      else if (c != ' ')
        add(operands.back(), c);
    }
    for (char c : equation.substr(arrow + 2))
      if (c != ' ') add(result, c);
  }

  void add(std::string& letters, char c) const {
    check((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'),
          "[einsum] expected letters as the names of axes, got '{}' in \"{}\".", c, text);
    check(!has(letters, c), "[einsum] '{}' stands twice in \"{}\" of \"{}\".", c, letters + c, text);
    letters += c;
  }

  void expect(std::size_t count) const {
    check(operands.size() == count, "[einsum] \"{}\" is of {} operands, got {}.", text, operands.size(),
          count);
  }

  Named operand(std::size_t which, const Tensor& x) {
    const std::string& axes = operands[which];
    check(x.dim() == axes.size(), "[einsum] \"{}\" of \"{}\" names {} axes, got shape {}.", axes, text,
          axes.size(), x.shape());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto [known, is_new] = lengths.emplace(axes[i], x.shape()[i]);
      check(is_new || known->second == x.shape()[i], "[einsum] '{}' of \"{}\" has the lengths {} and {}.",
            axes[i], text, known->second, x.shape()[i]);
    }
    return {x, axes};
  }

  void check_result() const {
    for (char c : result)
      check(lengths.contains(c), "[einsum] '{}' is in the result of \"{}\", but in no operand.", c, text);
  }

  Shape shape_of(const std::string& letters) const {
    Shape shape;
    for (char c : letters) shape.push_back(lengths.at(c));
    return shape;
  }
  std::size_t size_of_axes(const std::string& letters) const { return size_of(shape_of(letters)); }
};

// Axes whose letters are not in `kept` are summed over.
Named summed(const Named& operand, const std::string& kept) {
  Axes gone;
  for (std::size_t i = 0; i < operand.axes.size(); ++i)
    if (!has(kept, operand.axes[i])) gone.push_back(static_cast<int>(i));
  if (gone.empty()) return operand;
  return {sum(operand.x, gone), chosen(operand.axes, [&](char c) { return has(kept, c); })};
}

// The axes in the order of `wanted`.
Tensor ordered(const Named& operand, const std::string& wanted) {
  if (wanted == operand.axes) return operand.x;
  Axes order;
  for (char c : wanted) order.push_back(static_cast<int>(operand.axes.find(c)));
  return permute(operand.x, order);
}

// (rows, columns): true where the column is at most the row + diagonal.
BoolArray on_or_below(const char* op, const Tensor& x, int diagonal) {
  check(x.dim() >= 2, "[{}] expected matrices (…,n,m), got shape {}.", op, x.shape());
  BoolArray mask(Shape{x.length(-2), x.length(-1)}, false);
  bool* out = mask.data();
  for (std::size_t i = 0; i < x.length(-2); ++i)
    for (std::size_t j = 0; j < x.length(-1); ++j)
      *out++ = static_cast<std::ptrdiff_t>(j) <= static_cast<std::ptrdiff_t>(i) + diagonal;
  return mask;
}

}  // namespace

Tensor einsum(const std::string& equation, const Tensor& x) {
  Equation e(equation);
  e.expect(1);
  const Named operand = e.operand(0, x);
  e.check_result();
  return ordered(summed(operand, e.result), e.result);
}

// As a product of matrices (batch,left,inner) x (batch,inner,right).
Tensor einsum(const std::string& equation, const Tensor& x, const Tensor& y) {
  Equation e(equation);
  e.expect(2);
  const Named given_x = e.operand(0, x), given_y = e.operand(1, y);
  e.check_result();
  const Named a = summed(given_x, e.result + given_y.axes), b = summed(given_y, e.result + given_x.axes);
  const std::string batch = chosen(a.axes, [&](char c) { return has(b.axes, c) && has(e.result, c); }),
                    inner = chosen(a.axes, [&](char c) { return has(b.axes, c) && !has(e.result, c); }),
                    left = chosen(a.axes, [&](char c) { return !has(b.axes, c); }),
                    right = chosen(b.axes, [&](char c) { return !has(a.axes, c); });
  const std::size_t batches = e.size_of_axes(batch), rows = e.size_of_axes(left),
                    middle = e.size_of_axes(inner), columns = e.size_of_axes(right);
  const Tensor z = matmul(reshape_to(ordered(a, batch + left + inner), {batches, rows, middle}),
                          reshape_to(ordered(b, batch + inner + right), {batches, middle, columns}));
  const std::string axes = batch + left + right;
  return ordered({reshape_to(z, e.shape_of(axes)), axes}, e.result);
}

Tensor outer(const Tensor& x, const Tensor& y) {
  check(x.dim() == 1 && y.dim() == 1, "[outer] expected two vectors, got {} and {}. Hint: flatten() them.",
        x.shape(), y.shape());
  return unsqueeze(x, 1) * y;
}

Tensor tril(const Tensor& x, int diagonal) { return where(on_or_below("tril", x, diagonal), x, 0); }

Tensor triu(const Tensor& x, int diagonal) { return where(on_or_below("triu", x, diagonal - 1), 0, x); }

}  // namespace headlight
