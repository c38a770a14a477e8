#include "fields.h"

#include <cmath>
#include <limits>

#include "headlight/system/file_error.h"
#include "headlight/system/text.h"

namespace headlight::run {

using nlohmann::ordered_json;

Fields::Fields(ordered_json object, std::string path) : object_(std::move(object)), path_(std::move(path)) {
  check(object_.is_object(), "{} is no object", path_.empty() ? "it" : "'" + path_ + "'");
}

Fields Fields::of_text(std::string_view text) { return {json_from<ordered_json>(text), ""}; }

bool Fields::has(const char* key) const { return object_.contains(key); }
bool Fields::has_value(const char* key) const { return has(key) && !object_.at(key).is_null(); }

const ordered_json& Fields::value(const char* key) const {
  check(has(key), "it lacks '{}'", name(key));
  return object_.at(key);
}

template <class T>
T Fields::exact(const char* key) const {
  try {
    return number_of<T>(value(key));
  } catch (const Error& e) {
    fail("'{}': {}", name(key), e.what());
  }
}

double Fields::within(const char* key, double least, double most) const {
  const double x = exact<double>(key);
  check(x >= least && x <= most, "'{}': expected a number {}, got {}", name(key),
        std::isinf(most) ? fmt::format("of at least {}", least) : fmt::format("from {} to {}", least, most),
        x);
  return x;
}

std::int64_t Fields::count(const char* key) const {
  const auto n = exact<std::int64_t>(key);
  check(n >= 0, "'{}': expected a whole number of at least 0, got {}", name(key), n);
  return n;
}
std::size_t Fields::index(const char* key) const { return exact<std::size_t>(key); }
std::uint64_t Fields::seed(const char* key) const { return exact<std::uint64_t>(key); }
double Fields::number(const char* key) const { return exact<double>(key); }
double Fields::measure(const char* key) const {
  return within(key, 0, std::numeric_limits<double>::infinity());
}
double Fields::time(const char* key) const { return within(key, 0, kCentury); }
double Fields::part(const char* key) const { return within(key, 0, 1); }

bool Fields::flag(const char* key) const {
  check(value(key).is_boolean(), "'{}': expected true or false", name(key));
  return value(key).get<bool>();
}

std::string Fields::text(const char* key, std::size_t most) const {
  check(value(key).is_string(), "'{}': expected a text", name(key));
  auto text = value(key).get<std::string>();
  check(text.size() <= most, "'{}': expected a text of at most {} bytes, got {}", name(key), most,
        text.size());
  return text;
}

Fields Fields::object(const char* key) const { return {value(key), name(key)}; }

std::vector<Fields> Fields::objects(const char* key) const {
  check(value(key).is_array(), "'{}' is no list", name(key));
  std::vector<Fields> all;
  for (const ordered_json& one : value(key))
    all.push_back(Fields(one, fmt::format("{}[{}]", name(key), all.size())));
  return all;
}

std::vector<std::pair<std::string, double>> Fields::numbers() const {
  std::vector<std::pair<std::string, double>> all;
  for (const auto& [key, value] : object_.items()) all.emplace_back(key, number(key.c_str()));
  return all;
}

std::vector<std::string> Fields::texts(const char* key) const {
  check(value(key).is_array(), "'{}' is no list", name(key));
  std::vector<std::string> all;
  for (const ordered_json& one : value(key)) {
    check(one.is_string(), "'{}' is no list of texts", name(key));
    all.push_back(one.get<std::string>());
  }
  return all;
}

std::vector<interpret::HeadScores> heads_from(const std::vector<Fields>& list) {
  std::vector<interpret::HeadScores> heads;
  for (const Fields& fields : list) {
    auto& head = heads.emplace_back(interpret::HeadScores{fields.index("layer"), fields.index("head"), {}});
    if (fields.has("stack")) head.stack = interpret::stacks().find(fields.text("stack"));
    for (const auto& kind : interpret::score_kinds())
      head.values.push_back(fields.has(kind.key) ? std::optional<double>(fields.part(kind.key))
                                                 : std::nullopt);
    while (!head.values.empty() && !head.values.back()) head.values.pop_back();
    if (head.stack != interpret::Stack::cross) (void)fields.part(interpret::kPreviousToken);
  }
  return heads;
}

void for_each_line(const std::string& text, const std::string& file,
                   const std::function<void(const Fields&)>& use) {
  std::size_t number = 0;
  for (const std::string& line : text_lines(text)) {
    ++number;
    with_file_in_errors(file, [&] { check_json(line, {.line = number}); });
    try {
      use(Fields::of_text(line));
    } catch (const Error& e) {
      fail_file("'{}' is damaged: line {}: {}.", file, number, e.what());
    }
  }
}

}  // namespace headlight::run
