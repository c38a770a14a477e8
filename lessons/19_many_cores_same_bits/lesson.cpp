// Lesson 19: Many cores, the same bits. Why a sum of floats depends on its order, and what to do about it.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "headlight/train/task_loss.h"
#include "interleavings.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "small_training.h"
#include "timed.h"

using namespace headlight;
using namespace headlight::lesson;

using Floats = std::vector<float>;

// 1. One after the other.
float in_turn(const Floats& x) {
  float sum = 0;
  for (const float each : x) sum += each;
  return sum;
}

void three_numbers() {
  section("1. Three numbers, two sums");
  const float big = 1e8F, one = 1;
  say("Floats near 100,000,000 are {} apart.", std::nextafter(big, 2 * big) - big);
  say("  (1 + 100000000) - 100000000   {}", (one + big) - big);
  say("  1 + (100000000 - 100000000)   {}", one + (big - big));
  say("And doubles:");
  say("  (0.1 + 0.2) + 0.3   {:.17f}", (0.1 + 0.2) + 0.3);
  say("  0.1 + (0.2 + 0.3)   {:.17f}", 0.1 + (0.2 + 0.3));
}

// 3. Neighbours first, then neighbouring sums.
float in_tree(Floats x) {
  for (std::size_t width = 1; width < x.size(); width *= 2)
    for (std::size_t i = 0; i + width < x.size(); i += 2 * width) x[i] += x[i + width];
  return x[0];
}

// Kahan's: `lost` is by how much rounding made the last sum too large.
float kahan(const Floats& x) {
  float sum = 0, lost = 0;
  for (const float each : x) {
    const float more = each - lost, next = sum + more;
    lost = (next - sum) - more;
    sum = next;
  }
  return sum;
}

// Nearly the exact sum: a double has 29 more bits than a float.
double in_doubles(const Floats& x) {
  double sum = 0;
  for (const float each : x) sum += static_cast<double>(each);
  return sum;
}

template <class T>
void shuffle(std::vector<T>& x, Rng& rng) {
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[rng.below(i)]);
}

void many_orders(const Pictures& pictures) {
  section("2. A thousand numbers in a thousand orders");
  Rng rng(17);
  Floats x;
  for (int i = 0; i < 1000; ++i) x.push_back(static_cast<float>(rng.normal()));
  say("The sum of 1,000 random numbers, nearly exact: {:.7f}", in_doubles(x));
  say("In a thousand orders          different sums   smallest      largest");
  std::map<float, int> sums, trees, kahans;
  for (int order = 0; order < 1000; ++order) {
    ++sums[in_turn(x)], ++trees[in_tree(x)], ++kahans[kahan(x)];
    shuffle(x, rng);
  }
  show_sums("one after the other", sums);
  show_sums("in a tree", trees);
  show_sums("Kahan", kahans);
  pictures.write("orders.svg", svg_orders(sums, trees, kahans));
}

void error_bounds(const Pictures& pictures) {
  section("3. How large the error can be");
  say("The relative error of the sum of n floats, and the most that it can be:");
  say("             one after the other     in a tree               Kahan");
  say("         n   error     at most       error     at most       error");
  std::vector<SumErrors> tenths;
  for (const std::size_t n : {10, 100, 1000, 10000, 100000, 1000000}) {
    const Floats x(n, 0.1F);
    tenths.push_back({n, relative_error(in_turn(x), in_doubles(x)), relative_error(in_tree(x), in_doubles(x)),
                      relative_error(kahan(x), in_doubles(x))});
  }
  say("0.1 each");
  for (const SumErrors& each : tenths) show_errors(each);
  say("random in 0 … 1");
  Rng rng(3);
  Floats x;
  for (const std::size_t n : {1000, 1000000}) {
    while (x.size() < n) x.push_back(static_cast<float>(rng.uniform()));
    show_errors({n, relative_error(in_turn(x), in_doubles(x)), relative_error(in_tree(x), in_doubles(x)),
                 relative_error(kahan(x), in_doubles(x))});
  }
  say("A million times 0.1, one after the other: {:.2f}", in_turn(Floats(1000000, 0.1F)));
  pictures.write("errors.svg", svg_errors(tenths));
}

// 4. Adds the shards' gradients in the order in which they arrive, another one in each step.
AddUp as_they_arrive(std::uint64_t seed) {
  return [rng = Rng(seed)](const Gradients& rows) mutable {
    std::vector<std::size_t> arrivals;
    for (std::size_t shard = 0; shard < rows.size(); ++shard) arrivals.push_back(shard);
    shuffle(arrivals, rng);
    std::vector<double> sum(rows[0].size(), 0);
    for (const std::size_t shard : arrivals)
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += rows[shard][j];
    return sum;
  };
}

// How far apart two trainings are: the length of the difference of their weights, relative to the weights.
double distance(const SmallTraining& a, const SmallTraining& b) {
  const std::vector<double> x = a.weights(), y = b.weights();
  double difference = 0, length = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    difference += (x[i] - y[i]) * (x[i] - y[i]), length += x[i] * x[i];
  return std::sqrt(difference / length);
}

// Two trainings at this rate. The second one has its first weight changed by `change`, and adds as `add_up`
// says.
Twins train_twins(std::string name, double rate, double change, const AddUp& add_up, std::size_t steps) {
  SmallTraining first(rate), second(rate);
  second.first_weight() += change;
  Twins twins{std::move(name), {}, {}};
  for (std::size_t step = 1; step <= steps; ++step) {
    twins.loss = {first.step(), second.step(add_up)};
    twins.distance.push_back(distance(first, second));
  }
  return twins;
}

void first_come(const Pictures& pictures) {
  section("4. First come, first added");
  const Gradients rows = SmallTraining(0.03).shard_gradients();
  const AddUp add_up = as_they_arrive(1);
  const std::vector<double> once = add_up(rows), again = add_up(rows);
  std::size_t different = 0;
  for (std::size_t j = 0; j < once.size(); ++j) different += once[j] != again[j];
  say("The gradients of 8 shards, added in two orders: {:.0f} % of {} numbers have other bits.",
      100 * static_cast<double>(different) / static_cast<double>(once.size()), once.size());

  const double weight = SmallTraining(0.03).first_weight(), last_bit = std::nextafter(weight, 9) - weight;
  constexpr std::size_t kSteps = 100;
  const std::vector<Twins> all = {
      train_twins("the same again", 0.03, 0, add_in_tree, kSteps),
      train_twins("other order, rate 0.03", 0.03, 0, as_they_arrive(2), kSteps),
      train_twins("last bit, rate 0.03", 0.03, last_bit, add_in_tree, kSteps),
      train_twins("float's last bit, rate 0.03", 0.03, last_bit * 0x1p29, add_in_tree, kSteps),
      train_twins("other order, rate 0.01", 0.01, 0, as_they_arrive(2), kSteps)};
  show_twins(all);
  pictures.write("twins.svg", svg_twins(all));
}

// 5. All weights of a model after some steps of the library's trainer.
std::vector<double> trained(int threads, std::size_t shards) {
  const tasks::Task task = tasks::make_task({.name = "repeat", .d_vocab = 12, .n_ctx = 16});
  Rng rng(1);
  nn::Transformer model({.n_layers = 2, .d_model = 16, .n_heads = 1, .d_vocab = 12, .n_ctx = 16}, rng);
  ThreadPool pool(threads);
  train::Trainer trainer = train::task_trainer(model, task, {.batch = 48, .shards = shards}, pool);
  for (int step = 0; step < 30; ++step) trainer.step();
  std::vector<double> weights;
  for (const Tensor& p : nn::parameters(model))
    weights.insert(weights.end(), p.array().begin(), p.array().end());
  return weights;
}

void fixed_tree(const Pictures& pictures) {
  section("5. Shards and the fixed tree");
  say("The additions of the tree:");
  for (const std::size_t shards : {8, 6}) show_additions(shards);
  SameBits same;
  say("\nAll weights after 30 steps. The same letter: the same bits.");
  say("  threads   shards   bits");
  for (const int threads : {1, 2, 3, 8}) show_bits(threads, 8, same.letter_of(trained(threads, 8)));
  say("As many shards as threads:");
  for (const int threads : {1, 2, 3, 8})
    show_bits(threads, static_cast<std::size_t>(threads),
              same.letter_of(trained(threads, static_cast<std::size_t>(threads))));
  show_who_took_what();
  pictures.write("tree.svg", svg_tree(6));
}

// 6. What is left when two threads add 1 to a total, each so many times, in every order of their loads and
// stores.
std::map<int, int> totals_of(int additions) {
  std::map<int, int> found;
  for (const std::string& order : interleavings(2 * additions)) ++found[total_after(order)];
  return found;
}

void race() {
  section("6. What a data race does");
  say("Two threads a and b add 1 to a total of 0. Each loads it, adds, and stores.");
  say("  order of loads and stores                total");
  for (const std::string& order : interleavings(2)) show_interleaving(order, total_after(order));
  say("\nEach adds 1 several times. In how many of the orders is the total");
  for (const int additions : {1, 2, 3, 5}) show_totals(additions, totals_of(additions));
  say("\nAtomic additions of floats: a adds 100000000 and then -100000000, b adds 1.");
  for (const auto& [text, x] : std::vector<std::pair<std::string, Floats>>{
           {"b, a, a", {1, 1e8F, -1e8F}}, {"a, b, a", {1e8F, 1, -1e8F}}, {"a, a, b", {1e8F, -1e8F, 1}}})
    say("  order {}   total {}", text, in_turn(x));
}

// 7. The largest speed-up when a part of the work cannot be divided.
double amdahl(double serial, double threads) { return 1 / (serial + (1 - serial) / threads); }

// And when 8 equal shards are all that can be divided: the threads work in rounds.
double in_rounds(double shards, double threads) { return shards / std::ceil(shards / threads); }

void speed(const Pictures& pictures) {
  section("7. How much faster");
  say("The largest speed-up");
  say("  threads                        1      2      3      4      8     16     64");
  for (const double serial : {0.01, 0.05, 0.2})
    show_speed(fmt::format("{:.0f} % cannot be divided", 100 * serial),
               [&](double threads) { return amdahl(serial, threads); });
  show_speed("8 equal shards", [](double threads) { return in_rounds(8, threads); });
  say("\nMeasured: the time of a step on one thread, divided by that on");
  say("                                        ⏱ 2 threads   4 threads   8 threads   (it has {} cores)",
      thread_count(0));
  show_measured("d = 8, sequences of 8 tokens", {.d_model = 8, .n_ctx = 8});
  show_measured("d = 64, sequences of 64 tokens", {.d_model = 64, .n_ctx = 64});
  pictures.write("speedup.svg", svg_speedup(amdahl, in_rounds));
}

int main(int argc, char** argv) {
  return run(argc, argv, "19_many_cores_same_bits", [](const Pictures& pictures) {
    say("Lesson 19: many cores, the same bits");
    three_numbers();
    many_orders(pictures);
    error_bounds(pictures);
    first_come(pictures);
    fixed_tree(pictures);
    race();
    speed(pictures);
  });
}
