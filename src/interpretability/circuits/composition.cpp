#include <algorithm>
#include <cmath>

#include "head_pairs.h"
#include "headlight/core/check.h"

namespace headlight::interpret {
namespace {

// ‖L M R‖ from LᵀL and RRᵀ: √trace(Mᵀ LᵀL M RRᵀ).
double frobenius(const Matrix& left_gram, const Matrix& middle, const Matrix& right_gram) {
  return norm_of_grams(product(xt::transpose(middle), product(left_gram, middle)), right_gram);
}

// What a head reads and writes, with the matrices (r,r) that the norms need.
struct Reader {
  Pair qk, ov;
  Matrix queries, keys, outputs;  // QᵀQ, KᵀK, OOᵀ
  double qk_norm, ov_norm;
};

struct Writer {
  Matrix values, O;  // VᵀV (r,r), W_O behind the norms on the way (r,d)
  double norm;
};

Reader reader(Pair qk, Pair ov) {
  Reader r{std::move(qk), std::move(ov), {}, {}, {}, 0, 0};
  r.queries = product(xt::transpose(r.qk.left), r.qk.left);
  r.keys = product(r.qk.right, xt::transpose(r.qk.right));
  r.outputs = product(r.ov.right, xt::transpose(r.ov.right));
  r.qk_norm = norm_of_grams(r.queries, r.keys);
  r.ov_norm = norm_of_grams(product(xt::transpose(r.ov.left), r.ov.left), r.outputs);
  return r;
}

Writer writer(const Pair& ov, const Norms& on_the_way) {
  Writer w{product(xt::transpose(ov.left), ov.left), ov.right, 0};
  through(w.O, on_the_way);
  w.norm = norm_of_grams(w.values, product(w.O, xt::transpose(w.O)));
  return w;
}

double ratio_of(double norm, double a, double b) { return a == 0 || b == 0 ? 0 : norm / (a * b); }

ByInput ratios(const Writer& from, const Reader& to) {
  const double q = frobenius(from.values, product(from.O, to.qk.left), to.keys),
               k = frobenius(from.values, product(from.O, xt::transpose(to.qk.right)), to.queries),
               v = frobenius(from.values, product(from.O, to.ov.left), to.outputs);
  return {ratio_of(q, from.norm, to.qk_norm), ratio_of(k, from.norm, to.qk_norm),
          ratio_of(v, from.norm, to.ov_norm)};
}

Matrix random_normal(std::size_t rows, std::size_t cols, Rng& rng) {
  Matrix a({rows, cols});
  for (double& x : a) x = rng.normal();
  return a;
}

// The mean over `draws` pairs of heads of these widths with normal entries.
ByInput baseline_of(std::size_t d, std::size_t d_head, std::size_t d_value, const CompositionOptions& o) {
  Rng rng = Rng(o.seed).stream("composition");
  const auto ov = [&] {
    const Matrix V = random_normal(d, d_value, rng);
    return Pair{V, random_normal(d_value, d, rng), {}, {}};
  };
  ByInput mean;
  for (std::size_t i = 0; i < o.draws; ++i) {
    const Writer from = writer(ov(), {});
    const Matrix Q = random_normal(d, d_head, rng);
    const Pair qk{Q, random_normal(d_head, d, rng), {}, {}};
    const ByInput one = ratios(from, reader(qk, ov()));
    const auto share = [&](double x) { return x / static_cast<double>(o.draws); };
    mean = {mean.q + share(one.q), mean.k + share(one.k), mean.v + share(one.v)};
  }
  return mean;
}

}  // namespace

std::vector<Composition> compositions(const nn::Transformer& model, const CompositionOptions& o) {
  check(o.stack != Stack::cross,
        "[compositions] expected a stack whose heads read what they write, got cross-attention. Hint: "
        "Stack::self or Stack::encoder.");
  check(o.draws > 0, "[compositions] expected at least one draw for the baseline, got 0.");
  layer_of(model.config(), {0, 0, o.stack});
  const std::size_t layers = model.config().n_layers, heads = model.config().n_heads;
  std::vector<Reader> readers;
  for (std::size_t i = 0; i < layers * heads; ++i) {
    const HeadAt at{i / heads, i % heads, o.stack};
    readers.push_back(reader(plain_qk(model, at, o.circuit), plain_ov(model, at, o.circuit)));
  }
  const Matrix &Q = readers[0].qk.left, &V = readers[0].ov.left;
  const ByInput baseline = baseline_of(Q.shape(0), Q.shape(1), V.shape(1), o);
  std::vector<Composition> all;
  for (std::size_t to = heads; to < readers.size(); ++to)
    for (std::size_t from = 0; from < to / heads * heads; ++from) {
      const HeadAt a{from / heads, from % heads, o.stack}, b{to / heads, to % heads, o.stack};
      const Norms on_the_way = o.circuit.fold_norms ? norms_between(model, a, b) : Norms();
      const ByInput ratio = ratios(writer(readers[from].ov, on_the_way), readers[to]);
      all.push_back(
          {a, b, ratio, baseline, {ratio.q - baseline.q, ratio.k - baseline.k, ratio.v - baseline.v}});
    }
  return all;
}

}  // namespace headlight::interpret
