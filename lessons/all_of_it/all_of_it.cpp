// All of it: a transformer that learns, from the first derivative to the head that it forms. One file, no
// library. It trains the model of `./headlight demo` and arrives at the same weights, bit for bit:
//
//   g++ -std=c++20 -O3 -march=native -ffp-contract=off all_of_it.cpp && ./a.out
//   sha256sum all_of_it.safetensors runs/demo/model.safetensors
//
// Read it from top to bottom. A number in parentheses, such as (2), is the lesson that explains a piece.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

// Vocabulary, context and model have one size here, so that every row of every matrix has 64 numbers (1).
constexpr int d_vocab = 64, n_ctx = 64, d_model = 64, n_heads = 4, d_head = d_model / n_heads;
constexpr int batch_size = 32, shard_size = 4;
using Row = std::array<float, 64>;
using Matrix = std::pmr::vector<Row>;

// ---- Numbers ----

Matrix& operator+=(Matrix& a, const Matrix& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int j = 0; j < 64; ++j) a[i][j] += b[i][j];
  return a;
}
Matrix operator+(Matrix a, const Matrix& b) { return a += b; }

Matrix transposed(const Matrix& a) {
  Matrix t(64);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) t[j][i] = a[i][j];
  return t;
}

// a b + c: number (i,j) is Σ_p a_ip b_pj + c_ij, where std::fma(x, y, z) is x y + z, rounded once. Each
// addition rounds, so the order of p is part of the result (19).
Matrix fma(const Matrix& a, const Matrix& b, Matrix c) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    Row sums = c[i];
    for (int p = 0; p < 64; ++p)
      if (a[i][p] != 0)  // patterns and heads have many zeros
        for (int j = 0; j < 64; ++j) sums[j] = std::fma(a[i][p], b[p][j], sums[j]);
    c[i] = sums;
  }
  return c;
}
Matrix operator*(const Matrix& a, const Matrix& b) { return fma(a, b, Matrix(a.size())); }

// Σ a_j b_j, in sixteen sums side by side, which a processor adds at once (18); these are added in pairs.
float dot(const Row& a, const Row& b) {
  std::array<float, 16> sums{};
  for (int j = 0; j < 64; j += 16)
    for (int l = 0; l < 16; ++l) sums[l] = std::fma(a[j + l], b[j + l], sums[l]);
  for (int half = 8; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}
const Row ones = [](Row row) { return row.fill(1), row; }({});

// e^x for x ≤ 0, as 2^n e^r with n whole and |r| ≤ ½ ln 2; a polynomial gives e^r. Adding 1.5·2^23 rounds to
// a whole number, whose last bits are n. Shifted by 23 places, n is added to the exponent of e^r.
inline float exp_of(float x) {
  const float shifted = std::fma(x, 1.44269504f, 12582912.0f), n = shifted - 12582912.0f;
  const float r = std::fma(n, 2.12194440e-4f, std::fma(n, -0.693359375f, x));
  float e = 1.98756915e-4f;
  for (const float c : {1.39819995e-3f, 8.33345191e-3f, 4.16657959e-2f, 0.166666655f, 0.5f, 1.0f, 1.0f})
    e = std::fma(e, r, c);
  return x < -87.33f ? 0 : std::bit_cast<float>(std::bit_cast<int>(e) + (std::bit_cast<int>(shifted) << 23));
}

// ---- The tape and its ops (2, 3) ----

// Numbers, and the derivative of the loss with respect to each of them.
struct Node {
  Matrix value, grad = Matrix(value.size());
};
using Tensor = std::shared_ptr<Node>;
Tensor tensor(const Matrix& value) { return std::make_shared<Node>(Node{value}); }
std::vector<std::function<void()>> tape;

// An op computes y and leaves its vjp on the tape, the chain rule of this one step (3): from ȳ, the
// derivative of the loss with respect to y (`dy` in code), it computes x̄ for each input x. It adds to x̄,
// because the loss depends on x by way of every op that reads it, and the derivatives of all ways add up.
Tensor op(const Matrix& value, std::function<void(const Matrix& dy)> vjp) {
  const Tensor y = tensor(value);
  tape.push_back([y, vjp = std::move(vjp)] { vjp(y->grad); });
  return y;
}
// The newest op comes first: by then all ops that read its y have added to ȳ.
void backward() {
  for (; !tape.empty(); tape.pop_back()) tape.back()();
}

// y = x W, so x̄ = ȳ Wᵀ and W̄ = xᵀ ȳ.
Tensor matmul(const Tensor& x, const Tensor& W) {
  return op(x->value * W->value, [=](const Matrix& dy) {
    x->grad += dy * transposed(W->value);
    W->grad = fma(transposed(x->value), dy, W->grad);
  });
}

// y = a + b, so ā = ȳ and b̄ = ȳ.
Tensor add(const Tensor& a, const Tensor& b) {
  return op(a->value + b->value, [=](const Matrix& dy) { a->grad += dy, b->grad += dy; });
}

// A 1 in each row, in the column of its token: the product with W_E looks up the tokens' embeddings (6).
Tensor one_hot(const std::vector<int>& tokens) {
  Matrix y(n_ctx);
  for (int i = 0; i < n_ctx; ++i) y[i][tokens[i]] = 1;
  return tensor(y);
}

// y = x̂ ⊙ w + b in each row, with x̂ = (x - mean x) r and r = 1/√(variance + ε) (5). With t = ȳ ⊙ w,
// x̄ = r (t - mean t - x̂ mean(t ⊙ x̂))      w̄ = Σ ȳ ⊙ x̂      b̄ = Σ ȳ
Tensor layer_norm(const Tensor& x, const Tensor& w, const Tensor& b) {
  Matrix y(n_ctx), centred = x->value;
  Row r;
  for (int i = 0; i < n_ctx; ++i) {
    Row& c = centred[i];
    for (int j = 0; j < d_model; ++j) c[j] -= x->value[i][0];  // small numbers round less
    const float mean = dot(c, ones) / d_model;
    for (float& number : c) number -= mean;
    r[i] = 1 / std::sqrt(dot(c, c) / d_model + 1e-5f);
    for (int j = 0; j < d_model; ++j) y[i][j] = c[j] * r[i] * w->value[0][j] + b->value[0][j];
  }
  return op(y, [=](const Matrix& dy) {
    for (int i = 0; i < n_ctx; ++i) {
      const Row& c = centred[i];
      Row t;
      for (int j = 0; j < d_model; ++j) {
        t[j] = dy[i][j] * w->value[0][j];
        w->grad[0][j] = std::fma(dy[i][j], c[j] * r[i], w->grad[0][j]);
        b->grad[0][j] += dy[i][j];
      }
      const float mean = dot(dy[i], w->value[0]) / d_model, slope = dot(t, c) * r[i] * r[i] / d_model;
      for (int j = 0; j < d_model; ++j) x->grad[i][j] += r[i] * (t[j] - std::fma(c[j], slope, mean));
    }
  });
}

// Rotary positions (6): at position p, pair i of a head's numbers is rotated by p·10000^(-2i/d_head). So the
// product of a query and a key depends on the distance between them. The vjp rotates back.
Matrix rotated(const Matrix& x, int direction) {
  Matrix y(n_ctx);
  for (int i = 0; i < d_head / 2; ++i) {
    const double rate = std::pow(10000.0, -2.0 * i / d_head);
    for (int p = 0; p < n_ctx; ++p) {
      const float c = std::cos(p * rate), s = direction * std::sin(p * rate);
      for (int j = i, k = i + d_head / 2; j < d_model; j += d_head, k += d_head) {
        y[p][j] = std::fma(x[p][j], c, -x[p][k] * s);
        y[p][k] = std::fma(x[p][j], s, x[p][k] * c);
      }
    }
  }
  return y;
}
Tensor rotary(const Tensor& x) {
  return op(rotated(x->value, 1), [=](const Matrix& dy) { x->grad += rotated(dy, -1); });
}

// What head h sees of queries, keys or values: d_head columns of its own, and zeros.
Matrix head(const Matrix& x, int h) {
  Matrix y(n_ctx);
  for (int i = 0; i < n_ctx; ++i) std::copy_n(&x[i][h * d_head], d_head, &y[i][h * d_head]);
  return y;
}

// Attention, for each head (7, 8). Each position asks with a query and answers with a key. The better a query
// fits a key, the larger is their product in S, and the more of that position's value goes into Z. Softmax
// makes weights of S that add up to 1; without 1/√d_head the largest would take nearly all. A token that
// comes later must stay unseen, since it is what the model has to predict. A pattern P has a row for each
// query.
//   S = Q Kᵀ/√d_head, -∞ for keys after the query        P = softmax of each row of S        Z = P V
// Its vjp (9), where Z ⊙ Z̄ has the row sums of P ⊙ P̄:
//   P̄ = Z̄ Vᵀ    S̄ = P ⊙ (P̄ - rowsum(P ⊙ P̄))    V̄ = Pᵀ Z̄    Q̄ = S̄ K/√d_head    K̄ = S̄ᵀ Q/√d_head
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, std::vector<Matrix>& patterns) {
  const float scale = 1 / std::sqrt(1.0f * d_head);
  Matrix z(n_ctx);
  for (int h = 0; h < n_heads; ++h) {
    Matrix P = head(q->value, h) * transposed(head(k->value, h));
    Row norm;  // 1 / Σ of the weights in each row
    for (int i = 0; i < n_ctx; ++i) {
      const float top = *std::max_element(P[i].begin(), P[i].begin() + i + 1);
      for (int j = 0; j < n_ctx; ++j) P[i][j] = j <= i ? exp_of(scale * (P[i][j] - top)) : 0;
      norm[i] = 1 / dot(P[i], ones);
    }
    Matrix Z = P * head(v->value, h);
    for (int i = 0; i < n_ctx; ++i)
      for (int j = 0; j < 64; ++j) Z[i][j] *= norm[i], P[i][j] *= norm[i];
    z += Z;
    patterns.push_back(P);
  }
  return op(z, [=, P = std::vector<Matrix>(patterns.end() - n_heads, patterns.end())](const Matrix& dz) {
    for (int h = 0; h < n_heads; ++h) {
      const Matrix dZ = head(dz, h);
      Matrix dS = dZ * transposed(head(v->value, h));
      for (int i = 0; i < n_ctx; ++i) {
        const float rowsum = dot(z[i], dZ[i]);
        for (int j = 0; j < n_ctx; ++j) dS[i][j] = scale * (P[h][i][j] * (dS[i][j] - rowsum));
      }
      v->grad += transposed(P[h]) * dZ;
      q->grad += dS * head(k->value, h);
      k->grad += transposed(dS) * head(q->value, h);
    }
  });
}

// The loss of a token is -log p(target), with p = softmax(logits) (5); that of a batch is their mean. This is
// one sequence's part of it. No op follows, so logits̄ = (p - onehot(target))·weight is written at once.
double cross_entropy(const Tensor& logits, const std::vector<int>& tokens) {
  constexpr float weight = 1.0f / (batch_size * n_ctx);
  double loss = 0;
  for (int i = 0; i < n_ctx; ++i) {
    const Row& row = logits->value[i];
    Row& p = logits->grad[i];
    const int target = tokens[i + 1], top = std::max_element(row.begin(), row.end()) - row.begin();
    for (int j = 0; j < d_vocab; ++j) p[j] = j == top ? 0 : exp_of(row[j] - row[top]);
    const float others = dot(p, ones), scale = weight / (1 + others);  // with e^0 = 1 for the top
    for (int j = 0; j < d_vocab; ++j) p[j] = j == top ? scale : scale * p[j];
    p[target] = target == top ? -scale * others : p[target] - weight;
    loss += weight * (row[top] - row[target] + std::log1p(others));
  }
  return loss;
}

// ---- Random numbers and the task ----

// Random numbers: splitmix64 and xoshiro256++. Each name and number has a stream of its own (19).
std::uint64_t mixed(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

struct Rng {
  std::uint64_t seed;
  std::array<std::uint64_t, 4> words;
  explicit Rng(std::uint64_t x) : seed(x), words{mixed(x), mixed(x), mixed(x), mixed(x)} {}
  Rng stream(const std::string& name, std::uint64_t number = 0) const {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char c : name) hash = (hash ^ c) * 0x100000001b3;
    hash ^= seed;
    hash = mixed(hash) ^ number;
    return Rng(mixed(hash));
  }
  std::uint64_t next() {
    auto& [a, b, c, d] = words;
    const std::uint64_t result = std::rotl(a + d, 23) + a, t = b << 17;
    c ^= a, d ^= b, b ^= c, a ^= d, c ^= t, d = std::rotl(d, 45);
    return result;
  }
  int below(int n) { return next() % n; }
  double normal() {  // mean 0, variance 1
    const auto uniform = [&] { return (next() >> 11) * 0x1p-52 - 1; };
    for (;;) {
      const double u = uniform(), v = uniform(), r = u * u + v * v;
      if (r > 0 && r < 1) return u * std::sqrt(-2 * std::log(r) / r);
    }
  }
};

// A segment of 16 to 32 different tokens, over and over (11): n_ctx tokens to read, and then the last target.
std::vector<int> sequence(int number) {
  Rng rng = Rng(0).stream("data").stream("sequence", number);
  const int period = 16 + rng.below(17);
  std::vector<int> segment, tokens;
  for (int i = 0; i < d_vocab; ++i) segment.push_back(i);
  for (int i = 0; i < period; ++i) std::swap(segment[i], segment[i + rng.below(d_vocab - i)]);
  for (int t = 0; t <= n_ctx; ++t) tokens.push_back(segment[t % period]);
  return tokens;
}

// ---- The model (10) ----

using Model = std::map<std::string, Tensor>;
Model initial_model() {
  Model model;
  Rng rng = Rng(0).stream("init");
  const auto matrix = [&](const std::string& name) {
    model[name] = tensor(Matrix(64));
    for (Row& row : model[name]->value)
      for (float& x : row) x = rng.normal() / std::sqrt(d_model);
  };
  matrix("embed.W_E"), matrix("unembed.W_U");
  for (const std::string block : {"blocks.0.", "blocks.1."})
    for (const char* W : {"attn.W_Q", "attn.W_K", "attn.W_V", "attn.W_O"}) matrix(block + W);
  for (const std::string norm : {"blocks.0.ln1", "blocks.1.ln1", "ln_final"})
    model[norm + ".w"] = tensor({ones}), model[norm + ".b"] = tensor({Row{}});
  return model;
}

// Tokens → logits (n_ctx, d_vocab). x is the residual stream: each block adds to it what its heads found.
Tensor logits_of(const Model& model, const std::vector<int>& tokens, std::vector<Matrix>& patterns) {
  Tensor x = matmul(one_hot(tokens), model.at("embed.W_E"));
  for (const std::string block : {"blocks.0.", "blocks.1."}) {
    const auto part = [&](const char* name) { return model.at(block + name); };
    const Tensor y = layer_norm(x, part("ln1.w"), part("ln1.b"));
    const Tensor q = rotary(matmul(y, part("attn.W_Q"))), k = rotary(matmul(y, part("attn.W_K")));
    const Tensor v = matmul(y, part("attn.W_V"));
    x = add(x, matmul(attention(q, k, v, patterns), part("attn.W_O")));
  }
  return matmul(layer_norm(x, model.at("ln_final.w"), model.at("ln_final.b")), model.at("unembed.W_U"));
}

// ---- Training (4) ----

// The gradient of some sequences' part of the loss: all parameters' gradients, row below row. Shards are
// added in pairs, and pairs in pairs: as many cores could do it, with the same result (19).
Matrix gradient(const Model& model, int first, int count, double& loss) {
  const int half = count / 2;
  if (count > shard_size)
    return gradient(model, first, half, loss) + gradient(model, first + half, half, loss);
  for (int s = first; s < first + count; ++s) {
    std::vector<Matrix> patterns;
    loss += cross_entropy(logits_of(model, sequence(s), patterns), sequence(s));
    backward();
  }
  Matrix rows;
  for (const auto& [name, p] : model) {
    rows.insert(rows.end(), p->grad.begin(), p->grad.end());
    p->grad.assign(p->grad.size(), {});
  }
  return rows;
}

// AdamW (4): m and v are means of each derivative and of its square over the last steps, divided at use by
// 1 - βᵗ because they start at 0. A step m/√v is about 1 long or less, however large the derivatives are.
void adamw(const Model& model, const Matrix& gradient, Matrix& m, Matrix& v, int t) {
  double squares = 0;
  for (const Row& row : gradient)
    for (const double x : row) squares += x * x;
  const float clip = squares > 1 ? 1 / std::sqrt(squares) : 1;  // a gradient is at most 1 long
  const double learning_rate = 7e-3 * std::min(1.0, t / 100.0);
  const float rate = learning_rate, kept = 1 - 0.01 * learning_rate;  // after weight decay
  const float unbias_m = 1 / (1 - std::pow(0.9, t)), unbias_v = 1 / (1 - std::pow(0.99, t));
  int i = 0;
  for (const auto& [name, p] : model)
    for (Row& row : p->value) {
      for (int j = 0; j < 64; ++j) {
        const float g = clip * gradient[i][j];
        m[i][j] = 0.9f * m[i][j] + 0.1f * g;
        v[i][j] = 0.99f * v[i][j] + 0.01f * g * g;
        row[j] = kept * row[j] - rate * (m[i][j] * unbias_m) / (std::sqrt(v[i][j] * unbias_v) + 1e-8f);
      }
      ++i;
    }
}

// ---- What it has learned (12) ----

// An induction circuit takes two layers. In layer 0 a head looks at the token before, and writes it into its
// position. In layer 1 a head looks for its own token among what was written, and so finds the position after
// its earlier copy; it copies what stands there. With one layer no key could say what stood before it.
// Here is the pattern of layer 1, head 0: a row for every second query, a column for each key. From the
// segment's second copy on, the tokens after the earlier copies form a stripe.
void show(const Model& model) {
  std::vector<Matrix> patterns;
  logits_of(model, sequence(1000000), patterns);
  tape.clear();  // no derivative is wanted
  for (int i = 0; i < n_ctx; i += 2) {
    for (const float weight : patterns[n_heads][i])
      std::putchar(" .:-=+*#%@"[static_cast<int>(9.5f * weight)]);
    std::putchar('\n');
  }
}

// The model as a file that the program reads too: the length of a header, the header, and all numbers.
void save(const Model& model, const char* path) {
  std::string header = "{\"__metadata__\":{\"format\":\"headlight\"}", numbers;
  for (const auto& [name, p] : model) {
    const std::size_t begin = numbers.size(), rows = p->value.size();
    numbers.append(reinterpret_cast<const char*>(p->value.data()), rows * sizeof(Row));
    header += ",\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[" + (rows > 1 ? "64,64" : "64") +
              "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(numbers.size()) + "]}";
  }
  header += '}';
  const std::uint64_t length = (header.size() + 7) / 8 * 8;
  header.resize(length, ' ');
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&length), 8) << header << numbers;
}

int main(int argc, char** argv) {
  static std::pmr::unsynchronized_pool_resource pool;  // keeps the memory of freed matrices
  std::pmr::set_default_resource(&pool);
  const int steps = argc > 1 ? std::stoi(argv[1]) : 700;
  const Model model = initial_model();
  Matrix m(646), v(646);  // for all rows of the parameters
  for (int step = 1; step <= steps; ++step) {
    double loss = 0;
    adamw(model, gradient(model, (step - 1) * batch_size, batch_size, loss), m, v, step);
    if (step == 1 || step % 25 == 0) std::printf("step %d/%d  loss %.3f\n", step, steps, loss);
    std::fflush(stdout);
  }
  show(model);
  save(model, "all_of_it.safetensors");
}
