#include "headlight/train/checkpoint.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "headlight/core/check.h"
#include "headlight/core/finite.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"

namespace headlight::train {
namespace {

constexpr const char* kSteps = "optimizer_steps";
constexpr const char* kRng = "rng";

// "optimizer/m/hidden.W": the array "m" that the optimizer keeps of the parameter hidden.W.
constexpr const char* kOptimizer = "optimizer/";

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
  check(error == std::errc() && (end == text.data() + text.size() || *end == ' '),
        "'{}' is damaged: its '{}' is no number.", file, key);
  text.remove_prefix(std::min<std::size_t>(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  return number;
}

std::string_view meta(const SafetensorsFile& content, const char* key, const std::string& file,
                      const char* what) {
  const auto found = content.metadata.find(key);
  check(found != content.metadata.end(), "'{}' lacks the state of {}. Hint: it holds a module alone.", file,
        what);
  return found->second;
}

Rng::State rng_state(const SafetensorsFile& content, const std::string& file) {
  std::string_view text = meta(content, kRng, file, "the random numbers");
  Rng::State state{};
  for (std::uint64_t& word : state.words) word = number_in(text, 16, file, kRng);
  state.seed = number_in(text, 16, file, kRng);
  return state;
}

// Takes the optimizer's arrays out of the file's.
optim::OptimizerState optimizer_state(SafetensorsFile& content, const std::vector<std::string>& names,
                                      const std::string& file) {
  std::string_view steps = meta(content, kSteps, file, "the optimizer");
  optim::OptimizerState state;
  state.steps = static_cast<std::int64_t>(number_in(steps, 10, file, kSteps));
  for (auto at = content.arrays.begin(); at != content.arrays.end();) {
    const std::string& name = at->first;
    if (!name.starts_with(kOptimizer)) {
      ++at;
      continue;
    }
    const std::size_t begin = std::string_view(kOptimizer).size(), slash = name.find('/', begin);
    const auto place = slash == std::string::npos
                           ? names.end()
                           : std::find(names.begin(), names.end(), name.substr(slash + 1));
    check(place != names.end(), "'{}' has '{}', which is of no parameter that the optimizer trains.", file,
          name);
    check(all_finite(at->second), "'{}' has numbers in '{}' that are not finite.", file, name);
    auto& arrays = state.arrays[name.substr(begin, slash - begin)];
    arrays.resize(names.size());
    arrays[static_cast<std::size_t>(place - names.begin())] = std::move(at->second);
    at = content.arrays.erase(at);
  }
  return state;
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
  if (checkpoint.optimizer != nullptr) {
    const std::vector<std::string> names = names_of(*checkpoint.optimizer, checkpoint.parameters);
    state = checkpoint.optimizer->state();
    for (const auto& [kind, of_parameters] : state.arrays)
      for (std::size_t i = 0; i < names.size(); ++i)
        arrays.emplace_back(kOptimizer + kind + "/" + names[i], &of_parameters[i]);
    metadata[kSteps] = std::to_string(state.steps);
  }
  if (checkpoint.rng != nullptr) metadata[kRng] = text_of(checkpoint.rng->state());
  save_safetensors(file, arrays, metadata);
}

void load_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const std::string file = path.string();
  SafetensorsFile content = load_safetensors(path);
  optim::Optimizer* optimizer = checkpoint.optimizer;
  optim::OptimizerState state;
  if (optimizer != nullptr)
    state = optimizer_state(content, names_of(*optimizer, checkpoint.parameters), file);
  else
    std::erase_if(content.arrays, [](const auto& named) { return named.first.starts_with(kOptimizer); });
  Rng::State random{};
  if (checkpoint.rng != nullptr) random = rng_state(content, file);
  check_weights(checkpoint.parameters, content.arrays, file);
  if (optimizer != nullptr) optimizer->set_state(std::move(state));
  if (checkpoint.rng != nullptr) *checkpoint.rng = Rng(random);
  set_weights(checkpoint.parameters, std::move(content.arrays), file);
}

}  // namespace headlight::train
