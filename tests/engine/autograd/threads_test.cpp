// Graphs that several threads build or differentiate.
#include <string>
#include <thread>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/record.h"
#include "headlight/ops/ops.h"

using namespace headlight;

// Each thread numbers its tensors by a clock of its own, which must not run behind what other threads made.
TEST_CASE("a young thread differentiates what an old one made", "[autograd]") {
  Tensor x = parameter(tensor({1, 2}));
  for (int i = 0; i < 100; ++i) x = x * 1;
  const Tensor leaf = parameter(tensor({3, 4}));
  Tensor y, gradient;
  std::thread([&] {
    const Tensor p = parameter(Tensor(2.0));
    y = sum(x * exp(leaf) * p * leaf);
    gradient = grad(y, {leaf}, {.retain_graph = true})[0];
  }).join();
  const Tensor here = grad(sum(x * exp(leaf) * 2 * leaf), {leaf})[0];
  CHECK(difference(gradient.array(), here.array()) == 0);
  CHECK(y.node()->sequence > x.node()->sequence);
  CHECK(grad(y * y, {y})[0].item() == 2 * y.item());  // and back to the old one
}

TEST_CASE("threads differentiate graphs over the same parameters at once", "[autograd]") {
  const Tensor w = parameter(tensor({{1, 2}, {3, 4}}));
  std::vector<Tensor> results(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i)
        results[t] = grad(sum(tanh(matmul(w, w)) * static_cast<double>(t)), {w})[0];
    });
  for (auto& thread : threads) thread.join();
  const Tensor one = results[1];
  for (std::size_t t = 0; t < results.size(); ++t)
    CHECK(difference(results[t].array(), (one * static_cast<double>(t)).array()) < kRounding);
}

// Two young threads number their nodes alike.
TEST_CASE("nodes of two threads with one number are visited in the graph's order", "[autograd]") {
  const Tensor x = parameter(Tensor(1.0));
  std::string visited;
  const auto made_by_a_thread = [&](char name) {
    Tensor made;
    std::thread([&] {
      made = record("noted", {x}, Array(x.array()), [&visited, name](const Tensor& g, const Tensor&) {
        visited += name;
        return g;
      });
    }).join();
    return made;
  };
  const Tensor a = made_by_a_thread('a'), b = made_by_a_thread('b');
  REQUIRE(a.node()->sequence == b.node()->sequence);
  CHECK(grad(a * b * a, {x}, {.retain_graph = true})[0].item() == 3);
  CHECK(visited == "ab");
  visited.clear();
  CHECK(grad(b * a * b, {x}, {.retain_graph = true})[0].item() == 3);
  CHECK(visited == "ba");
}
