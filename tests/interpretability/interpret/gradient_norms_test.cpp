#include "headlight/interpret/gradient_norms.h"

#include "catch.h"
#include "headlight/interpret/head_gradients.h"
#include "headlight/interpret/head_hessian.h"
#include "interpret/head_subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

double norm_of_part(const Array& flat, const HeadMatrix& m) {
  double squares = 0;
  for (std::size_t i = 0; i < m.size(); ++i) squares += std::pow(static_cast<double>(flat(m.offset + i)), 2);
  return std::sqrt(squares);
}

// Snapshots with these norms of heads 0 and 1 at steps 0, 10, 20, ….
std::vector<NormsAtStep> norms_of(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<NormsAtStep> norms;
  for (std::size_t i = 0; i < first.size(); ++i) {
    NormsAtStep& then = norms.emplace_back();
    then.step = static_cast<std::int64_t>(10 * i);
    then.heads = {{.at = {0, 0}, .parameters = first[i]}, {.at = {0, 1}, .parameters = second[i]}};
    then.heads[0].z = second[i];
  }
  return norms;
}

}  // namespace

TEST_CASE("norms of heads are those of their gradients, for every part", "[gradient_norms]") {
  const double close = kDouble ? 1e-12 : 1e-5;
  for (const HeadSubject& subject : head_subjects()) {
    INFO(subject.name);
    const nn::Transformer model = head_model(subject.config);
    const tasks::Batch batch = head_batch(subject.config, 19);
    ThreadPool pool(2);
    const NormsAtStep norms = head_gradient_norms(model, batch, pool);
    const HeadGradients at_z = head_gradients(model, batch, pool);
    CHECK(std::abs(norms.loss - at_z.loss) < close);
    REQUIRE(norms.heads.size() == at_z.heads.size());
    for (std::size_t h = 0; h < norms.heads.size(); ++h) {
      const HeadNorms& head = norms.heads[h];
      INFO(head_code(head.at));
      const Array flat = head_gradient(model, batch, head.at, pool);
      const std::vector<HeadMatrix> parts = head_matrices(model, head.at);
      CHECK(std::abs(head.W_Q - norm_of_part(flat, parts[0])) < close);
      CHECK(std::abs(head.W_K - norm_of_part(flat, parts[1])) < close);
      CHECK(std::abs(head.W_V - norm_of_part(flat, parts[2])) < close);
      CHECK(std::abs(head.W_O - norm_of_part(flat, parts[3])) < close);
      CHECK(std::abs(head.parameters - std::sqrt(product_of(flat, flat))) < close);
      CHECK(std::abs(head.z - at_z.heads[h].z_norm) < close);
      CHECK(head.W_Q > 0);
    }
  }
}

TEST_CASE("norms along training are those of each snapshot", "[gradient_norms]") {
  const HeadSubject subject = head_subjects()[2];
  const nn::Transformer first = head_model(subject.config, 1), second = head_model(subject.config, 9);
  const tasks::Batch batch = head_batch(subject.config, 9);
  ThreadPool pool(1);
  const std::vector<NormsAtStep> norms =
      head_gradient_norms(first, {{0, train::weights_of(first)}, {25, train::weights_of(second)}}, batch,
                          pool, LossOver::targets);
  REQUIRE(norms.size() == 2);
  CHECK(norms[0].step == 0);
  CHECK(norms[1].step == 25);
  CHECK(norms[0].heads[1].parameters ==
        head_gradient_norms(first, batch, pool, LossOver::targets).heads[1].parameters);
  CHECK(norms[1].heads[1].parameters ==
        head_gradient_norms(second, batch, pool, LossOver::targets).heads[1].parameters);
  CHECK(norms[1].loss != head_gradient_norms(second, batch, pool).loss);
  CHECK(norms[0].loss == head_loss(first, batch, pool, LossOver::targets));  // `first` did not change

  const nn::Transformer other = head_model(head_subjects()[0].config);
  CHECK(contains(error_of([&] {
                   (void)head_gradient_norms(first, {{7, train::weights_of(other)}}, batch, pool);
                 }),
                 "the snapshot of step 7"));
}

TEST_CASE("norms have the same bits for any number of threads", "[gradient_norms]") {
  const HeadSubject subject = head_subjects()[1];
  const nn::Transformer model = head_model(subject.config);
  const tasks::Batch batch = head_batch(subject.config, 27);
  ThreadPool one(1), three(3);
  const NormsAtStep a = head_gradient_norms(model, batch, one), b = head_gradient_norms(model, batch, three);
  CHECK(a.loss == b.loss);
  for (std::size_t h = 0; h < a.heads.size(); ++h)
    for (const NormKey& key : kNormKeys) CHECK(a.heads[h].*key.value == b.heads[h].*key.value);
}

TEST_CASE("a head starts to learn at its first norm above the fraction", "[gradient_norms]") {
  const auto norms = norms_of({0, 1, 2, 4, 3}, {0.2, 0.9, 1, 0.1, 0});
  const auto own = learning_starts(norms, 0.5);
  REQUIRE(own.size() == 2);
  CHECK(own[0].at == HeadAt{0, 0});
  CHECK(own[0].largest == 4);
  CHECK(own[0].largest_step == 30);
  CHECK(own[0].first_step == 30);  // 2 is the half, not above it
  CHECK(own[1].first_step == 10);
  CHECK(own[1].largest_step == 20);
  const auto common = learning_starts(norms, 0.2, FractionOf::largest);
  CHECK(common[0].first_step == 10);
  CHECK(common[1].first_step == 10);
  CHECK_FALSE(learning_starts(norms, 0.5, FractionOf::largest)[1].first_step);
  CHECK(learning_starts(norms, 0.5, FractionOf::own_largest, &HeadNorms::z)[0].first_step == 10);
  CHECK_FALSE(learning_starts(norms_of({0, 0}, {1, 2}), 0)[0].first_step);  // never any gradient
}

TEST_CASE("heads are ordered by their start", "[gradient_norms]") {
  const auto order =
      by_start({{{0, 0}, {}, 0, 0}, {{0, 1}, 20, 1, 20}, {{1, 0}, 10, 1, 20}, {{1, 1}, 20, 2, 30}});
  CHECK(order[0].at == HeadAt{1, 0});
  CHECK(order[1].at == HeadAt{0, 1});
  CHECK(order[2].at == HeadAt{1, 1});
  CHECK(order[3].at == HeadAt{0, 0});
  CHECK(contains(error_of([] { (void)learning_starts({}); }), "there are no snapshots"));
  CHECK(contains(error_of([] { (void)learning_starts(norms_of({1}, {1}), 1); }),
                 "expected a fraction from 0 to below 1 of the largest norm, got 1"));
}
