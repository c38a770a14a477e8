// verify: the contest of docs/records.md, as typed.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "headlight/run/run.h"
#include "headlight/studies/contest.h"
#include "headlight/train/safetensors.h"
#include "program.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

const fs::path kRecords = fs::path(HEADLIGHT_SOURCE_DIR) / "data" / "records";

// A copy of our first record, whose weights can be changed.
class Entry {
 public:
  Entry() { fs::copy(kRecords / "copy_97", path()); }

  fs::path path() const { return folder_.path() / "mine"; }
  std::string weights() const { return (path() / "model.safetensors").string(); }

  void change(const std::function<void(std::map<std::string, Array>&)>& change) const {
    auto arrays = train::load_safetensors(weights()).arrays;
    change(arrays);
    train::NamedArrays named;
    for (const auto& [name, array] : arrays) named.emplace_back(name, &array);
    train::save_safetensors(weights(), named);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("verify prints each edge case, the drawn segments and the row", "[program][contest]") {
  const Entry entry;
  const Outcome o = headlight_program("verify --by-hand " + entry.path().string(), "COLUMNS=100");
  CHECK(o.err.empty());
  CHECK(o.status == 0);
  CHECK(o.out ==
        "mine: 97 parameters\n"
        "\n"
        "edge case                            verdict\n"
        "one token, again and again           ✓ right\n"
        "two neighbours                       ✓ right\n"
        "the first and the last token         ✓ right\n"
        "the longest segment, ascending       ✓ right\n"
        "the longest segment, descending      ✓ right\n"
        "every second token                   ✓ right\n"
        "steps of nearly half the vocabulary  ✓ right\n"
        "one token less than the longest      ✓ right\n"
        "\n"
        "Of 10000 drawn segments, 10000 are right: 100.00 %.\n"
        "Passed. Its row of docs/records.md:\n"
        "| mine | 97 | set by hand | 100.00 % |\n");
  CHECK(contains(headlight_program("verify " + entry.path().string() + "/").out,
                 "\n| mine | 97 | trained | 100.00 % |\n"));
  CHECK(headlight_program("verify --by-hand " + (entry.path() / "model.safetensors").string(), "COLUMNS=100")
            .out == o.out);
}

// rel_bias tells the follower of the first token from position 0, which is one place farther back.
TEST_CASE("verify names a wrong edge case", "[program][contest]") {
  const Entry entry;
  entry.change([](auto& arrays) {
    Array& bias = arrays.at("blocks.0.attn.rel_bias");
    bias(0, 15) = bias(0, 14);
  });
  const Outcome o = headlight_program("verify " + entry.path().string(), "COLUMNS=100");
  CHECK(o.err.empty());
  CHECK(o.status == 1);
  CHECK(contains(o.out,
                 "steps of nearly half the vocabulary  ✓ right\n"
                 "one token less than the longest      ✗ wrong\n"));
  CHECK(contains(o.out, "Not passed: an entry needs every edge case and at least 99 %.\n"));
  CHECK_FALSE(contains(o.out, "| mine |"));
  const auto parsed = nlohmann::json::parse(headlight_program("verify --json " + entry.path().string()).out);
  CHECK(parsed["passed"] == false);
  CHECK(parsed["edge_cases"][7] ==
        nlohmann::json{{"case", "one token less than the longest"}, {"right", false}});
  const studies::ContestResult found =
      studies::enter_contest(*run::read_run(entry.path(), run::Parts::model).model);
  REQUIRE(found.drawn_right < studies::kDrawnSegments);
  CHECK(contains(o.out, fmt::format("Of 10000 drawn segments, {} are right: {:.2f} %.", found.drawn_right,
                                    static_cast<double>(found.drawn_right) / 100)));
  CHECK((parsed["drawn"] == 10000 && parsed["drawn_right"] == found.drawn_right));
  CHECK(parsed["accuracy"] == static_cast<double>(found.drawn_right) / 10000);
}

TEST_CASE("verify --json has all numbers", "[program][contest]") {
  const Entry entry;
  const Outcome o = headlight_program("verify --by-hand --json " + entry.path().string());
  CHECK(o.status == 0);
  auto parsed = nlohmann::ordered_json::parse(o.out);
  CHECK(parsed["edge_cases"].size() == 8);
  parsed.erase("edge_cases");
  CHECK(parsed == nlohmann::ordered_json{{"command", "verify"},
                                         {"run", entry.path().string()},
                                         {"parameters", 97},
                                         {"by_hand", true},
                                         {"drawn", 10000},
                                         {"drawn_right", 10000},
                                         {"accuracy", 1.0},
                                         {"passed", true}});
}

TEST_CASE("verify refuses what is missing, damaged or of another size", "[program][contest]") {
  const Entry entry;
  const std::string mine = entry.path().string(), config = mine + "/config.json";
  const std::string weights = read_file(entry.weights()), settings = read_file(config);
  const auto message = [&] { return headlight_program("verify " + mine).err; };
  check_refused("verify " + mine + "/none", "there is no run '" + mine + "/none'.");

  write_file(entry.weights(), weights.substr(0, 900));
  CHECK(message() == "headlight: '" + entry.weights() +
                         "' is not a whole safetensors file: 'embed.W_E' claims bytes 132 … 388 of 372, but "
                         "its shape needs 256.\n");
  fs::remove(entry.weights());
  CHECK(message() == "headlight: there is no file '" + entry.weights() + "'.\n");
  write_file(entry.weights(), weights);

  const auto with = [&](const std::string& before, const std::string& after) {
    write_file(config, std::regex_replace(settings, std::regex(before), after));
    return message();
  };
  CHECK(with("\"d_model\": 2", "\"d_model\": 3") ==
        "headlight: '" + entry.weights() +
            "' has 'embed.W_E' of shape (32,2), but the model needs (32,3).\n");
  CHECK(with("\"n_ctx\": 32", "\"n_ctx\": 34") ==
        "headlight: [enter_contest] expected a decoder of 32 tokens and 32 positions, got one of the kind "
        "'decoder' with 32 tokens and 34 positions. Hint: train --task repeat --vocab 32 --context 32.\n");
  fs::remove(config);
  CHECK(message() == "headlight: '" + mine + "' is not a run: it has no config.json.\n");
}

TEST_CASE("every record passes with the numbers of its row", "[program][contest]") {
  const std::string page = read_file(HEADLIGHT_SOURCE_DIR "/docs/records.md");
  static const std::regex row(R"(\n(\| (copy_\d+) \| \d+ \| (set by hand|trained) \| [0-9.]+ % \|)(?=\n))");
  std::size_t rows = 0;
  for (std::sregex_iterator match(page.begin(), page.end(), row), none; match != none; ++match, ++rows) {
    const std::string line = (*match)[1], by_hand = (*match)[3] == "set by hand" ? " --by-hand" : "";
    const Outcome o = headlight_program("verify " + (kRecords / (*match)[2].str()).string() + by_hand);
    INFO(line << "\n" << o.out << o.err);
    CHECK(o.status == 0);
    CHECK(contains(o.out, "\n" + line + "\n"));
  }
  std::size_t folders = 0;
  for (const auto& each : fs::directory_iterator(kRecords)) folders += each.is_directory() ? 1 : 0;
  CHECK(rows == folders);
  CHECK(rows > 0);
}
