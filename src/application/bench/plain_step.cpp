#include "plain_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace headlight::bench {
namespace {

constexpr int kTokens = 16, kBatch = 16, kRows = kTokens * kBatch, kVocab = 27, kHeads = 4;

// c (kRows,M) = or += a (kRows,K) · b (K,M)
template <int K, int M, bool add = false>
void product(const float* a, const float* b, float* c) {
  for (int i = 0; i < kRows; ++i) {
    float sum[M] = {};
    for (int k = 0; k < K; ++k)
      for (int j = 0; j < M; ++j) sum[j] += a[i * K + k] * b[k * M + j];
    for (int j = 0; j < M; ++j) c[i * M + j] = sum[j] + (add ? c[i * M + j] : 0);
  }
}

// From dc (kRows,M): da (kRows,K) = dc · bᵀ and db (K,M) = aᵀ · dc
template <int K, int M>
void product_backward(const float* a, const float* b, const float* dc, float* da, float* db) {
  for (int i = 0; i < kRows; ++i)
    for (int k = 0; k < K; ++k) {
      float sum = 0;
      for (int j = 0; j < M; ++j) sum += dc[i * M + j] * b[k * M + j];
      da[i * K + k] = sum;
    }
  for (int k = 0; k < K; ++k) {
    float sum[M] = {};
    for (int i = 0; i < kRows; ++i)
      for (int j = 0; j < M; ++j) sum[j] += a[i * K + k] * dc[i * M + j];
    std::copy_n(sum, M, db + k * M);
  }
}

float gelu_tanh(float x) { return std::tanh(0.7978845608F * (x + 0.044715F * x * x * x)); }

template <int D>
class Plain : public PlainStep {
  static constexpr int kMlp = 4 * D, kHead = D / kHeads;

  struct Weights {
    std::array<float, kVocab * D> embed;
    std::array<float, kTokens * D> positions;
    std::array<float, D> norm1, norm2, norm_final;
    std::array<float, 3 * D * D> qkv;
    std::array<float, D * D> out;
    std::array<float, D * kMlp> in;
    std::array<float, kMlp * D> down;
    std::array<float, D * kVocab> unembed;
  };
  static constexpr int kNumbers = sizeof(Weights) / sizeof(float);
  using Rows = std::vector<float>;

 public:
  Plain() {
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(D)));
    for (float& x : numbers(w_)) x = normal(random_);
    w_.norm1.fill(1), w_.norm2.fill(1), w_.norm_final.fill(1);
  }

  double step() override {
    draw();
    const double loss = forward();
    backward();
    update();
    return loss;
  }

 private:
  static std::array<float, kNumbers>& numbers(Weights& w) {
    return reinterpret_cast<std::array<float, kNumbers>&>(w);
  }

  void draw() {
    for (int b = 0; b < kBatch; ++b) {
      const int period = kTokens / 4 + static_cast<int>(random_() % (kTokens / 4 + 1));
      int segment[kTokens];
      for (int t = 0; t < period; ++t) segment[t] = static_cast<int>(random_() % kVocab);
      for (int t = 0; t < kTokens; ++t) {
        tokens_[b * kTokens + t] = segment[t % period];
        targets_[b * kTokens + t] = segment[(t + 1) % period];
      }
    }
  }

  // y = w · x / √(mean x² + ε), and the factor of each row
  static void norm(const Rows& x, const std::array<float, D>& w, Rows& y, Rows& factor) {
    for (int i = 0; i < kRows; ++i) {
      float squares = 0;
      for (int j = 0; j < D; ++j) squares += x[i * D + j] * x[i * D + j];
      factor[i] = 1 / std::sqrt(squares / D + 1e-5F);
      for (int j = 0; j < D; ++j) y[i * D + j] = w[j] * x[i * D + j] * factor[i];
    }
  }

  // Adds to dx.
  static void norm_backward(const Rows& x, const std::array<float, D>& w, const Rows& factor, const Rows& dy,
                            Rows& dx, std::array<float, D>& dw) {
    dw.fill(0);
    for (int i = 0; i < kRows; ++i) {
      float sum = 0;
      for (int j = 0; j < D; ++j) {
        const float unit = x[i * D + j] * factor[i];
        dw[j] += dy[i * D + j] * unit;
        sum += dy[i * D + j] * w[j] * unit;
      }
      for (int j = 0; j < D; ++j)
        dx[i * D + j] +=
            factor[i] * (dy[i * D + j] * w[j] - x[i * D + j] * factor[i] * sum / static_cast<float>(D));
    }
  }

  void attend() {
    const float scale = 1 / std::sqrt(static_cast<float>(kHead));
    for (int b = 0; b < kBatch; ++b)
      for (int h = 0; h < kHeads; ++h) {
        const float* q = &qkv_[b * kTokens * 3 * D + h * kHead];
        for (int i = 0; i < kTokens; ++i) {
          float* p = &pattern_[((b * kHeads + h) * kTokens + i) * kTokens];
          float most = -1e30F, sum = 0;
          for (int j = 0; j <= i; ++j) {
            float score = 0;
            for (int c = 0; c < kHead; ++c) score += q[i * 3 * D + c] * q[j * 3 * D + D + c];
            p[j] = scale * score;
            most = std::max(most, p[j]);
          }
          for (int j = 0; j <= i; ++j) sum += p[j] = std::exp(p[j] - most);
          float z[kHead] = {};
          for (int j = 0; j <= i; ++j) {
            p[j] /= sum;
            for (int c = 0; c < kHead; ++c) z[c] += p[j] * q[j * 3 * D + 2 * D + c];
          }
          std::copy_n(z, kHead, &z_[(b * kTokens + i) * D + h * kHead]);
        }
      }
  }

  void attend_backward() {
    const float scale = 1 / std::sqrt(static_cast<float>(kHead));
    std::fill(d_qkv_.begin(), d_qkv_.end(), 0.0F);
    for (int b = 0; b < kBatch; ++b)
      for (int h = 0; h < kHeads; ++h) {
        const float* q = &qkv_[b * kTokens * 3 * D + h * kHead];
        float* dq = &d_qkv_[b * kTokens * 3 * D + h * kHead];
        for (int i = 0; i < kTokens; ++i) {
          const float* p = &pattern_[((b * kHeads + h) * kTokens + i) * kTokens];
          const float* dz = &d_y_[(b * kTokens + i) * D + h * kHead];
          float dp[kTokens], mean = 0;
          for (int j = 0; j <= i; ++j) {
            dp[j] = 0;
            for (int c = 0; c < kHead; ++c) {
              dp[j] += dz[c] * q[j * 3 * D + 2 * D + c];
              dq[j * 3 * D + 2 * D + c] += p[j] * dz[c];
            }
            mean += p[j] * dp[j];
          }
          for (int j = 0; j <= i; ++j) {
            const float ds = scale * p[j] * (dp[j] - mean);
            for (int c = 0; c < kHead; ++c) {
              dq[i * 3 * D + c] += ds * q[j * 3 * D + D + c];
              dq[j * 3 * D + D + c] += ds * q[i * 3 * D + c];
            }
          }
        }
      }
  }

  double forward() {
    for (int i = 0; i < kRows; ++i)
      for (int j = 0; j < D; ++j)
        x0_[i * D + j] = w_.embed[tokens_[i] * D + j] + w_.positions[i % kTokens * D + j];
    norm(x0_, w_.norm1, y1_, factor1_);
    product<D, 3 * D>(y1_.data(), w_.qkv.data(), qkv_.data());
    attend();
    x1_ = x0_;
    product<D, D, true>(z_.data(), w_.out.data(), x1_.data());
    norm(x1_, w_.norm2, y2_, factor2_);
    product<D, kMlp>(y2_.data(), w_.in.data(), h_.data());
    for (int i = 0; i < kRows * kMlp; ++i) act_[i] = 0.5F * h_[i] * (1 + gelu_tanh(h_[i]));
    x2_ = x1_;
    product<kMlp, D, true>(act_.data(), w_.down.data(), x2_.data());
    norm(x2_, w_.norm_final, y3_, factor3_);
    product<D, kVocab>(y3_.data(), w_.unembed.data(), logits_.data());
    double loss = 0;
    for (int i = 0; i < kRows; ++i) {
      float* row = &logits_[i * kVocab];
      const float most = *std::max_element(row, row + kVocab);
      const float own = row[targets_[i]] - most;
      float sum = 0;
      for (int j = 0; j < kVocab; ++j) sum += row[j] = std::exp(row[j] - most);
      loss += std::log(sum) - own;
      for (int j = 0; j < kVocab; ++j) row[j] /= sum * kRows;  // the cotangent takes the logits' place
      row[targets_[i]] -= 1.0F / kRows;
    }
    return loss / kRows;
  }

  void backward() {
    std::fill(d_x_.begin(), d_x_.end(), 0.0F);
    product_backward<D, kVocab>(y3_.data(), w_.unembed.data(), logits_.data(), d_y_.data(),
                                g_.unembed.data());
    norm_backward(x2_, w_.norm_final, factor3_, d_y_, d_x_, g_.norm_final);
    product_backward<kMlp, D>(act_.data(), w_.down.data(), d_x_.data(), d_h_.data(), g_.down.data());
    for (int i = 0; i < kRows * kMlp; ++i) {
      const float x = h_[i], t = gelu_tanh(x);
      d_h_[i] *= 0.5F * (1 + t) + 0.5F * x * (1 - t * t) * 0.7978845608F * (1 + 3 * 0.044715F * x * x);
    }
    product_backward<D, kMlp>(y2_.data(), w_.in.data(), d_h_.data(), d_y_.data(), g_.in.data());
    norm_backward(x1_, w_.norm2, factor2_, d_y_, d_x_, g_.norm2);
    product_backward<D, D>(z_.data(), w_.out.data(), d_x_.data(), d_y_.data(), g_.out.data());
    attend_backward();
    product_backward<D, 3 * D>(y1_.data(), w_.qkv.data(), d_qkv_.data(), d_y_.data(), g_.qkv.data());
    norm_backward(x0_, w_.norm1, factor1_, d_y_, d_x_, g_.norm1);
    g_.embed.fill(0), g_.positions.fill(0);
    for (int i = 0; i < kRows; ++i)
      for (int j = 0; j < D; ++j) {
        g_.embed[tokens_[i] * D + j] += d_x_[i * D + j];
        g_.positions[i % kTokens * D + j] += d_x_[i * D + j];
      }
  }

  void update() {
    ++steps_;
    auto &w = numbers(w_), &g = numbers(g_), &m = numbers(m_), &v = numbers(v_);
    float squares = 0;
    for (int i = 0; i < kNumbers; ++i) squares += g[i] * g[i];
    const float clip = std::min(1.0F, 1 / std::sqrt(squares)),
                rate = 1e-2F * 64 / D * std::min(1.0F, static_cast<float>(steps_) / 100);
    const float b1 = 1 - std::pow(0.9F, steps_), b2 = 1 - std::pow(0.99F, steps_);
    for (int i = 0; i < kNumbers; ++i) {
      const float x = clip * g[i];
      m[i] = 0.9F * m[i] + 0.1F * x;
      v[i] = 0.99F * v[i] + 0.01F * x * x;
      w[i] -= rate * (m[i] / b1 / (std::sqrt(v[i] / b2) + 1e-8F) + 0.01F * w[i]);
    }
  }

  std::mt19937 random_{0};
  int steps_ = 0;
  Weights w_, g_, m_{}, v_{};
  std::array<int, kRows> tokens_, targets_;
  Rows x0_ = Rows(kRows * D), x1_ = x0_, x2_ = x0_, y1_ = x0_, y2_ = x0_, y3_ = x0_, z_ = x0_, d_x_ = x0_,
       d_y_ = x0_, qkv_ = Rows(kRows * 3 * D), d_qkv_ = qkv_, h_ = Rows(kRows * kMlp), act_ = h_, d_h_ = h_,
       factor1_ = Rows(kRows), factor2_ = factor1_, factor3_ = factor1_, logits_ = Rows(kRows * kVocab),
       pattern_ = Rows(kBatch * kHeads * kTokens * kTokens);
};

}  // namespace

std::unique_ptr<PlainStep> plain_step(std::string_view config) {
  if (config == "tiny16") return std::make_unique<Plain<16>>();
  if (config == "tiny32") return std::make_unique<Plain<32>>();
  if (config == "tiny64") return std::make_unique<Plain<64>>();
  return nullptr;
}

}  // namespace headlight::bench
