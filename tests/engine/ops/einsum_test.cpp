// Products by the names of axes, against the ops that compute the same.
#include "catch.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"

using namespace headlight;

TEST_CASE("einsum computes the products that have other names", "[ops][einsum]") {
  Rng rng(1);
  const Tensor x = randn({2, 3}, rng), y = randn({3, 4}, rng), v = randn({3}, rng), w = randn({3}, rng),
               q = randn({2, 5, 3, 4}, rng), k = randn({2, 6, 3, 4}, rng);
  const auto same = [](const Tensor& a, const Tensor& b) {
    CHECK(difference(a.array(), b.array()) < kRounding);
  };
  same(einsum("ij,jk->ik", x, y), matmul(x, y));
  same(einsum("ij,jk->ki", x, y), transpose(matmul(x, y)));
  same(einsum(" ij , j -> i ", x, v), matmul(x, v));
  same(einsum("i,i->", v, w), matmul(v, w));
  same(einsum("i,j->ij", v, w), outer(v, w));
  same(einsum("ij,j->ij", x, v), x * v);
  same(einsum("ij,jk->j", x, y), sum(x, 0) * sum(y, 1));
  same(einsum("bnhd,bmhd->bhnm", q, k),
       matmul(permute(q, {0, 2, 1, 3}), permute(k, {0, 2, 1, 3}), {.transpose_y = true}));
  same(einsum("ij->ji", x), transpose(x));
  same(einsum("ij->", x), sum(x));
  same(einsum("bnhd->hb", q), transpose(sum(q, {1, 3})));
  CHECK(einsum("ij,jk->ik", zeros({2, 0}), zeros({0, 3})).shape() == Shape{2, 3});
}

TEST_CASE("einsum refuses equations that it cannot read", "[ops][einsum]") {
  const Tensor x = zeros({2, 3}), y = zeros({4, 5});
  const auto message = [&](const char* equation) { return error_of([&] { einsum(equation, x, y); }); };
  CHECK(message("ij,jk->ik") == "[einsum] 'j' of \"ij,jk->ik\" has the lengths 3 and 4.");
  CHECK(message("ij,kl") == "[einsum] expected an equation such as \"ij,jk->ik\", got \"ij,kl\".");
  CHECK(message("ij,kl->im") == "[einsum] 'm' is in the result of \"ij,kl->im\", but in no operand.");
  CHECK(message("ii,kl->k") == "[einsum] 'i' stands twice in \"ii\" of \"ii,kl->k\".");
  CHECK(message("ij,k->ik") == "[einsum] \"k\" of \"ij,k->ik\" names 1 axes, got shape (4,5).");
  CHECK(message("ij->ji") == "[einsum] \"ij->ji\" is of 1 operands, got 2.");
  CHECK(message("...,kl->k") == "[einsum] expected letters as the names of axes, got '.' in \"...,kl->k\".");
}

TEST_CASE("outer products and triangles", "[ops]") {
  const Tensor x = reshape(arange(9) + 1, {3, 3});
  CHECK(to_string(outer(tensor({1, 2}), tensor({3, 4, 5})), 0) == "[[3, 4, 5],\n [6, 8, 10]]");
  CHECK(to_string(tril(x), 0) == "[[1, 0, 0],\n [4, 5, 0],\n [7, 8, 9]]");
  CHECK(to_string(tril(x, -1), 0) == "[[0, 0, 0],\n [4, 0, 0],\n [7, 8, 0]]");
  CHECK(to_string(triu(x), 0) == "[[1, 2, 3],\n [0, 5, 6],\n [0, 0, 9]]");
  CHECK(to_string(triu(x, 1), 0) == "[[0, 2, 3],\n [0, 0, 6],\n [0, 0, 0]]");
  CHECK(to_string(tril(x, 1) + triu(x, 2) - x, 0) == to_string(zeros({3, 3}), 0));
  CHECK(error_of([] { tril(zeros({3})); }) == "[tril] expected matrices (…,n,m), got shape (3).");
  CHECK(error_of([] {
          outer(zeros({3, 1}), zeros({2}));
        }) == "[outer] expected two vectors, got (3,1) and (2). Hint: flatten() them.");
}
