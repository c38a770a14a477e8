#include "headlight/train/checkpoint.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "headlight/core/check.h"
#include "headlight/core/finite.h"
#include "headlight/core/numbers.h"
#include "headlight/system/file_error.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/trainer.h"
#include "headlight/train/weights.h"

namespace headlight::train {
namespace {

constexpr const char* kKind = "optimizer";
constexpr const char* kSteps = "optimizer_steps";
constexpr const char* kRate = "learning_rate";
constexpr const char* kRng = "rng";
constexpr const char* kNumber = "number/";  // "number/epoch": one of the caller's

// "optimizer/m/hidden.W": the array "m" that the optimizer keeps of the parameter hidden.W.
constexpr const char* kOptimizer = "optimizer/";

optim::Optimizer* optimizer_of(const Checkpoint& checkpoint) {
  if (checkpoint.trainer == nullptr) return checkpoint.optimizer;
  check(checkpoint.optimizer == nullptr, "[checkpoint] expected a trainer or an optimizer, got both.");
  return &checkpoint.trainer->optimizer();
}

// The names of an optimizer's parameters, in its order.
std::vector<std::string> names_of(const optim::Optimizer& optimizer, const nn::NamedParameters& parameters) {
  std::vector<std::string> names;
  for (const Tensor& trained : optimizer.parameters()) {
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const auto& named) { return same_node(named.second, trained); });
    check(at != parameters.end(),
          "[checkpoint] the optimizer trains {}, which is not a parameter of the module.", describe(trained));
    names.push_back(at->first);
  }
  return names;
}

std::string text_of(const Rng::State& state) {
  return fmt::format("{:x} {:x}", fmt::join(state.words, " "), state.seed);
}

std::uint64_t number_in(std::string_view& text, int base, const std::string& file, const char* key) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  check_file(error == std::errc() && (end == text.data() + text.size() || *end == ' '),
             "'{}' is damaged: its '{}' is no number.", file, key);
  text.remove_prefix(std::min<std::size_t>(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  return number;
}

std::string_view meta(const SafetensorsFile& content, const char* key, const std::string& file,
                      const char* what) {
  const auto found = content.metadata.find(key);
  check_file(found != content.metadata.end(), "'{}' lacks the state of {}. Hint: it holds a module alone.",
             file, what);
  return found->second;
}

Rng::State rng_state(const SafetensorsFile& content, const std::string& file) {
  std::string_view text = meta(content, kRng, file, "the random numbers");
  Rng::State state{};
  for (std::uint64_t& word : state.words) word = number_in(text, 16, file, kRng);
  state.seed = number_in(text, 16, file, kRng);
  return state;
}

double decimal(const std::string& text, const std::string& file, const std::string& key) {
  try {
    return number_from_text<double>(text);
  } catch (const Error& e) {
    fail_file("'{}' is damaged: its '{}': {}.", file, key, e.what());
  }
}

Numbers numbers_in(const SafetensorsFile& content, const std::string& file) {
  Numbers numbers;
  for (const auto& [key, text] : content.metadata)
    if (key.starts_with(kNumber))
      numbers[key.substr(std::string_view(kNumber).size())] = decimal(text, file, key);
  return numbers;
}

// "m" for each "optimizer/m/…".
std::set<std::string> kinds_of_arrays(const SafetensorsFile& content) {
  std::set<std::string> kinds;
  const std::size_t begin = std::string_view(kOptimizer).size();
  for (const auto& [name, array] : content.arrays)
    if (name.starts_with(kOptimizer)) kinds.insert(name.substr(begin, name.find('/', begin) - begin));
  return kinds;
}

// Takes the optimizer's arrays out of the file's.
optim::OptimizerState optimizer_state(SafetensorsFile& content, const optim::Optimizer& optimizer,
                                      const std::vector<std::string>& names, const std::string& file) {
  std::string_view steps = meta(content, kSteps, file, "the optimizer");
  optim::OptimizerState state;
  state.steps = static_cast<std::int64_t>(number_in(steps, 10, file, kSteps));
  const auto& metadata = content.metadata;
  if (metadata.contains(kKind)) state.kind = metadata.at(kKind);
  if (metadata.contains(kRate)) state.learning_rate = decimal(metadata.at(kRate), file, kRate);
  check_file(state.kind.empty() || optimizer.kind().empty() || state.kind == optimizer.kind(),
             "'{}' has the state of {}, but the optimizer is {}.", file, state.kind, optimizer.kind());
  for (const std::string& kind : kinds_of_arrays(content))
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = kOptimizer + kind + "/" + names[i];
      const auto found = content.arrays.find(name);
      check_file(found != content.arrays.end(), "'{}' lacks '{}'.", file, name);
      check_file(all_finite(found->second), "'{}' has numbers in '{}' that are not finite.", file, name);
      const Shape& expected = optimizer.parameters()[i].shape();
      check_file(found->second.shape() == expected, "'{}' has '{}' of shape {}, expected {}.", file, name,
                 Shape(found->second.shape()), expected);
      state.arrays[kind].push_back(std::move(found->second));
      content.arrays.erase(found);
    }
  for (const auto& [name, array] : content.arrays)
    check_file(!name.starts_with(kOptimizer),
               "'{}' has '{}', which is of no parameter that the optimizer trains.", file, name);
  return state;
}

void set_state(const Checkpoint& checkpoint, optim::OptimizerState state, const std::string& file) {
  try {
    if (checkpoint.trainer == nullptr)
      checkpoint.optimizer->set_state(std::move(state));
    else
      checkpoint.trainer->set_state(state.steps, std::move(state));
  } catch (const Error& e) {
    fail_file("'{}' does not fit: {}", file, e.what());
  }
}

}  // namespace

void save_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  NamedArrays arrays;
  Metadata metadata{{"format", "headlight checkpoint"}};
  for (const auto& [name, parameter] : checkpoint.parameters) {
    check(!name.starts_with(kOptimizer), "[checkpoint] a parameter cannot be called '{}'.", name);
    arrays.emplace_back(name, &parameter.array());
  }
  optim::OptimizerState state;
  if (optim::Optimizer* optimizer = optimizer_of(checkpoint)) {
    const std::vector<std::string> names = names_of(*optimizer, checkpoint.parameters);
    state = checkpoint.trainer != nullptr ? checkpoint.trainer->state() : optimizer->state();
    for (const auto& [kind, of_parameters] : state.arrays)
      for (std::size_t i = 0; i < names.size(); ++i)
        arrays.emplace_back(kOptimizer + kind + "/" + names[i], &of_parameters[i]);
    metadata[kSteps] = std::to_string(state.steps);
    metadata[kRate] = fmt::format("{}", optimizer->learning_rate());
    if (!optimizer->kind().empty()) metadata[kKind] = optimizer->kind();
  }
  if (checkpoint.rng != nullptr) metadata[kRng] = text_of(checkpoint.rng->state());
  if (checkpoint.numbers != nullptr)
    for (const auto& [name, number] : *checkpoint.numbers) {
      check(number == 0 || std::isnormal(number), "[checkpoint] expected finite numbers, got {} for '{}'.",
            number, name);
      metadata[kNumber + name] = fmt::format("{}", number);
    }
  save_safetensors(file, arrays, metadata);
}

void load_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const std::string file = path.string();
  SafetensorsFile content = load_safetensors(path);
  const optim::Optimizer* optimizer = optimizer_of(checkpoint);
  optim::OptimizerState state;
  if (optimizer != nullptr)
    state = optimizer_state(content, *optimizer, names_of(*optimizer, checkpoint.parameters), file);
  else
    std::erase_if(content.arrays, [](const auto& named) { return named.first.starts_with(kOptimizer); });
  Rng::State random{};
  if (checkpoint.rng != nullptr) random = rng_state(content, file);
  Numbers numbers = numbers_in(content, file);
  check_weights(checkpoint.parameters, content.arrays, file);
  if (optimizer != nullptr) set_state(checkpoint, std::move(state), file);
  if (checkpoint.rng != nullptr) *checkpoint.rng = Rng(random);
  if (checkpoint.numbers != nullptr) *checkpoint.numbers = std::move(numbers);
  set_weights(checkpoint.parameters, std::move(content.arrays), file);
}

}  // namespace headlight::train
