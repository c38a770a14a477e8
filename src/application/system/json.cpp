#include "headlight/system/json.h"

#include <locale.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace headlight {
namespace {

// Goes through a text and notes in `furthest` how far it is.
struct JsonPosition {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** furthest;

  const char& operator*() const { return *at; }
  JsonPosition& operator++() {
    *furthest = ++at;
    return *this;
  }
  bool operator==(const JsonPosition& other) const { return at == other.at; }
  bool operator!=(const JsonPosition& other) const { return at != other.at; }
};

// Checks the values of a text as the parser meets them.
class JsonChecker : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonChecker(std::string_view text, const JsonLimits& limits)
      : text_(text), limits_(limits), furthest_(text.data()) {}

  void run() {
    const auto nul = text_.find('\0');  // the parser would take it for the end
    if (nul != std::string_view::npos) {
      furthest_ += nul;
      fail("line {} is not valid JSON: it has a NUL", line());
    }
    const char* end = text_.data() + text_.size();
    nlohmann::json::sax_parse(JsonPosition{text_.data(), &furthest_}, JsonPosition{end, &furthest_}, this);
  }

  bool null() override { return counted(); }
  bool boolean(bool /*value*/) override { return counted(); }
  bool number_integer(std::int64_t /*value*/) override { return counted(); }
  bool number_unsigned(std::uint64_t /*value*/) override { return counted(); }
  bool string(std::string& /*value*/) override { return counted(); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return counted(); }

  // To count lines takes time, so each check fails by itself.
  bool number_float(double value, const std::string& digits) override {
    if (digits.find_first_of(".eE") == std::string::npos)
      fail("line {} has the whole number {}, which 64 bits cannot hold", line(), digits);
    const std::string mantissa = digits.substr(0, digits.find_first_of("eE"));
    if (value == 0 && mantissa.find_first_of("123456789") != std::string::npos)
      fail("line {} has the number {}, which is too small", line(), digits);
    return counted();
  }

  bool start_object(std::size_t /*size*/) override {
    enter();
    keys_.emplace_back();
    return true;
  }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second) fail("line {} repeats the key '{}'", line(), name);
    if (keys_.back().size() > limits_.keys)
      fail("line {} has an object with more than {} keys", line(), limits_.keys);
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    enter();
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    const std::string_view what = error.what();
    if (what.find("out_of_range") != std::string_view::npos)
      fail("line {} has the number {}, which is too large", line(), token);
    fail("line {} is not {}", line(),
         what.find("UTF-8") == std::string_view::npos ? "valid JSON" : "valid JSON: it is not UTF-8");
  }

 private:
  bool counted() {
    if (++values_ > limits_.values)
      fail("line {} is in a text with more than {} values", line(), limits_.values);
    return true;
  }

  void enter() {
    counted();
    if (++depth_ > limits_.depth)
      fail("line {} nests more than {} arrays and objects", line(), limits_.depth);
  }

  // Of what was read last. Line ends after it do not count.
  std::size_t line() const {
    std::string_view read = text_.substr(0, static_cast<std::size_t>(furthest_ - text_.data()));
    while (read.ends_with('\n') || read.ends_with('\r')) read.remove_suffix(1);
    return limits_.line + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
  }

  std::string_view text_;
  JsonLimits limits_;
  const char* furthest_;
  std::size_t depth_ = 0, values_ = 0;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

PlainLocale::PlainLocale() {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  before_ = uselocale(plain);
}

PlainLocale::~PlainLocale() { uselocale(static_cast<locale_t>(before_)); }

void check_json(std::string_view text, const JsonLimits& limits) {
  const PlainLocale locale;
  JsonChecker(text, limits).run();
}

}  // namespace headlight
