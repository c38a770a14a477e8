#include "golden/golden.h"

#include <algorithm>

#include "headlight/system/files.h"

namespace headlight::golden {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
void flatten(const Json& nested, std::size_t depth, std::vector<std::size_t>& shape, std::vector<T>& values) {
  if (!nested.is_array()) return values.push_back(nested.get<T>());
  if (shape.size() == depth) shape.push_back(nested.size());
  REQUIRE(shape.at(depth) == nested.size());
  for (const Json& part : nested) flatten(part, depth + 1, shape, values);
}

template <class A>
A array_of(const Json& nested) {
  std::vector<std::size_t> shape;
  std::vector<typename A::value_type> values;
  flatten(nested, 0, shape, values);
  A array = A::from_shape(Shape(shape.begin(), shape.end()));
  REQUIRE(array.size() == values.size());
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

double largest(const Array& x) {
  double result = 0;
  for (Real value : x) result = std::max(result, std::abs(static_cast<double>(value)));
  return result;
}

void compare(const Array& expected, const Array& computed, double scale) {
  REQUIRE(expected.shape() == computed.shape());
  REQUIRE(std::all_of(computed.begin(), computed.end(), [](Real x) { return std::isfinite(x); }));
  double difference = 0;
  for (std::size_t i = 0; i < computed.size(); ++i)
    difference = std::max(difference, std::abs(static_cast<double>(computed.data()[i] - expected.data()[i])));
  CHECK(difference / scale <= kClose);
}

}  // namespace

Case::Case(Json sections) : sections_(std::move(sections)) {}

bool Case::has(const std::string& section, const std::string& name) const {
  return sections_.contains(section) && sections_[section].contains(name);
}

std::vector<std::string> Case::names(const std::string& section) const {
  std::vector<std::string> names;
  if (sections_.contains(section))
    for (const auto& [name, entry] : sections_[section].items()) names.push_back(name);
  return names;
}

std::string Case::left_behind() const {
  std::string left;
  for (const auto& [section, entries] : sections_.items())
    for (const auto& name : names(section)) left += section + "/" + name + " ";
  return left;
}

Json Case::take(const std::string& section, const std::string& name) {
  INFO(section << "/" << name);
  REQUIRE(has(section, name));
  Json entry = std::move(sections_[section][name]);
  sections_[section].erase(name);
  return entry;
}

Tensor Case::constant(const std::string& name) { return Tensor(array_of<Array>(take("inputs", name))); }

Tensor Case::input(const std::string& name) {
  leaves_.emplace_back(name, parameter(constant(name)));
  return leaves_.back().second;
}

IntArray Case::integers(const std::string& name) { return array_of<IntArray>(take("inputs", name)); }

void Case::load_parameters(const nn::NamedParameters& parameters) {
  std::vector<std::string> computed;
  for (const auto& [name, parameter] : parameters) computed.push_back(name);
  REQUIRE(computed == names("parameters"));
  for (auto [name, parameter] : parameters) {
    INFO(name);
    Array values = array_of<Array>(take("parameters", name));
    REQUIRE(values.shape() == parameter.shape());
    parameter.mutable_array() = std::move(values);
    leaves_.emplace_back(name, parameter);
  }
}

void Case::agrees(const std::string& name, const Array& computed) {
  INFO("output " << name);
  const Array expected = array_of<Array>(take("outputs", name));
  compare(expected, computed, largest(expected));
}

// PyTorch's zeros (the script writes them where theory says 0 and rounding leaves less than 1e-14) have no
// size of their own: there Headlight's must vanish beside the largest gradient of the case.
void Case::gradients_agree() {
  double scale_of_zeros = 0;
  for (const auto& [name, leaf] : leaves_)
    scale_of_zeros = std::max(scale_of_zeros, largest(array_of<Array>(sections_.at("gradients").at(name))));
  for (const auto& [name, leaf] : leaves_) {
    INFO("gradient of " << name);
    const Array expected = array_of<Array>(take("gradients", name));
    REQUIRE(leaf.grad().defined());
    const double size = largest(expected);
    compare(expected, leaf.grad().array(), size > 0 ? size : scale_of_zeros);
  }
}

std::vector<std::pair<std::string, Case>> cases_of(const std::string& file) {
  const Json contents = Json::parse(read_file(std::string(HEADLIGHT_SOURCE_DIR "/data/golden/") + file));
  std::vector<std::pair<std::string, Case>> cases;
  for (const auto& [name, sections] : contents.at("cases").items()) cases.emplace_back(name, Case(sections));
  return cases;
}

void each_case(const std::string& file, std::size_t count, const std::function<void(Case&)>& body) {
  auto cases = cases_of(file);
  CHECK(cases.size() == count);
  for (auto& [name, one] : cases) {
    INFO(file << ", case " << name);
    body(one);
    CHECK(one.left_behind() == "");
  }
}

}  // namespace headlight::golden
