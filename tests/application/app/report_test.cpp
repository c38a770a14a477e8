// ./headlight report, as a user runs it. What the page does in a browser is tested in tests/web/browser.
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "headlight/system/base64.h"
#include "headlight/train/safetensors.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

// A run folder with a small run in it.
class SmallRun {
 public:
  explicit SmallRun(const std::string& more = "") : folder(own_.path() / "run") {
    const Outcome o = headlight_program(
        "train --context 16 --vocab 12 --d-model 16 --heads 2 --batch 8 --evaluate-every 5 --steps 20 "
        "--out " +
        folder.string() + " " + more);
    INFO(o.err);
    REQUIRE(o.status == 0);
  }

  std::string report(const std::string& more = "") const { return "report " + folder.string() + " " + more; }
  fs::path elsewhere(const std::string& name) const { return own_.path() / name; }

 private:
  TemporaryFolder own_;

 public:
  const fs::path folder;
};

nlohmann::json data_of(const fs::path& page) {
  const std::string html = read_file(page), opening = "id=\"data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

// The report is refused with this message and no page is left.
void check_damaged(const SmallRun& run, const std::string& message) {
  const fs::path page = run.elsewhere("damaged.html");
  check_refused(run.report("-o " + page.string()), message);
  CHECK_FALSE(fs::exists(page));
}

}  // namespace

TEST_CASE("a run writes its report, and report writes the same again", "[program]") {
  const SmallRun run;
  const std::string by_train = read_file(run.folder / "report.html");
  CHECK(headlight_program("report " + run.folder.string() + "/").status == 0);
  CHECK(data_of(run.folder / "report.html")["title"] == "run");
  const Outcome o = headlight_program(run.report());
  CHECK(o.status == 0);
  CHECK(o.out == (run.folder / "report.html").string() + "\n");
  CHECK(read_file(run.folder / "report.html") == by_train);

  const auto data = data_of(run.folder / "report.html");
  CHECK(data["n_layers"] == 2);
  CHECK(data["history"]["steps"] == nlohmann::json({0, 5, 10, 15, 20}));
  CHECK(data["sequences"].size() == 6);
  CHECK(data["metrics"].size() == 5);
  const auto summary = nlohmann::json::parse(read_file(run.folder / "summary.json"));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < data["score_kinds"].size(); ++k)
      CHECK(data["scores"][i][k] == summary["heads"][i][data["score_kinds"][k]["key"].get<std::string>()]);
  CHECK(data["results"][0][1] == summary["command"]);
}

TEST_CASE("a report goes where it is wanted, with a sequence of one's own", "[program]") {
  const SmallRun run;
  const fs::path page = run.elsewhere("sub/page.html");
  const Outcome o = headlight_program(run.report("--tokens ABCABC -o " + page.string()));
  INFO(o.err);
  CHECK(o.status == 0);
  const auto own = data_of(page)["sequences"][0];
  CHECK(own["label"] == "your own tokens");
  CHECK(own["tokens"] == nlohmann::json({0, 1, 2, 0, 1, 2}));
  CHECK(own["targets"] == nlohmann::json({1, 2, 0, 1, 2, -1}));
  CHECK(own["predictable"] == nlohmann::json({0, 0, 0, 1, 1, 0}));

  check_refused(run.report("--tokens 'A?'"), "'?' is not a token");
  check_refused("report " + run.elsewhere("none").string(), "there is no run");
  check_refused(run.report("-o " + (run.folder / "config.json").string() + "/x.html"),
                "would replace a file of the run");
  fs::create_directory(run.elsewhere("folder"));
  check_refused(run.report("-o " + run.elsewhere("folder").string()), "it is a folder");
  check_refused(run.report("-o ''"), "argument 4 is empty");
  check_refused(run.report("--tokens é"), "'é' is not a token");
}

TEST_CASE("a sequence of one's own does not replace the run's report", "[program]") {
  const SmallRun run;
  const std::string before = read_file(run.folder / "report.html");
  const Outcome o = headlight_program(run.report("--tokens ABCABC"));
  CHECK(o.status == 0);
  CHECK(o.err.empty());
  CHECK(o.out == (run.folder / "report-tokens.html").string() + "\n");
  CHECK(data_of(run.folder / "report-tokens.html")["sequences"][0]["label"] == "your own tokens");
  CHECK(read_file(run.folder / "report.html") == before);
}

TEST_CASE("spaces that are no tokens are left out with a word", "[program][long]") {
  const SmallRun run;
  const std::string numbered = run.elsewhere("numbered").string();
  CHECK(headlight_program("train --vocab 80 --d-model 16 --steps 1 --out " + numbered).status == 0);
  for (const std::string command : {"report", "plot"}) {
    const Outcome o = headlight_program(command + " " + run.folder.string() + " --tokens 'AB CAB C'");
    CHECK(o.status == 0);
    CHECK(o.err == "Note: spaces are not tokens of this run; --tokens was read as 'ABCABC'.\n");
    const Outcome numbers = headlight_program(command + " " + numbered + " --tokens '1 2 3'");
    CHECK(numbers.status == 0);
    CHECK(numbers.err.empty());
  }
}

TEST_CASE("a run without a history has no report, and says how to get one", "[program]") {
  const SmallRun run("--history 0");
  CHECK_FALSE(fs::exists(run.folder / "report.html"));
  CHECK_FALSE(fs::exists(run.folder / "history.safetensors"));
  check_damaged(run, "--history 40 trains it again, where CONFIG is");
}

TEST_CASE("a report of damaged files is refused", "[program]") {
  const SmallRun run;
  const fs::path metrics = run.folder / "metrics.jsonl", summary = run.folder / "summary.json";
  const std::string lines = read_file(metrics), whole = read_file(summary);
  std::vector<std::string> line(5);
  std::istringstream in(lines);
  for (auto& l : line) std::getline(in, l);
  const auto with = [&](std::size_t at, const std::string& from, const std::string& to) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      std::string l = line[i];
      if (i == at) l.replace(l.find(from), from.size(), to);
      text += l + "\n";
    }
    write_file(metrics, text);
  };

  write_file(metrics, "");
  check_damaged(run, "metrics.jsonl' is empty");
  write_file(metrics, line[0] + "\n{\"step\": 5");
  check_damaged(run, "line 2 is not valid JSON");
  write_file(metrics, line[1] + "\n" + line[0] + "\n");
  check_damaged(run, "line 2: its step or its heads");
  with(2, "\"layer\":0,\"head\":1", "\"layer\":0,\"head\":7");
  check_damaged(run, "line 3: its step or its heads");
  with(3, "\"accuracy_predictable\":", "\"accuracy_predictable\":-3,\"x\":");
  check_damaged(run, "line 4: 'accuracy_predictable': expected a number from 0 to 1, got -3");
  write_file(metrics, line[0] + "\n" + line[4] + "\n");
  check_damaged(run, "has no metrics of its step");
  write_file(metrics, lines);

  std::string other = whole;
  other.replace(other.find("\"steps\": 20"), 11, "\"steps\": 3");
  write_file(summary, other);
  check_damaged(run, "of different runs");
  write_file(summary, "{}");
  check_damaged(run, "summary.json' is damaged");
  write_file(summary, whole.substr(0, 100));
  check_damaged(run, "summary.json' is damaged");
  fs::remove(summary);
  check_damaged(run, "summary.json");
  write_file(summary, whole);

  const std::string history = read_file(run.folder / "history.safetensors");
  write_file(run.folder / "history.safetensors", history.substr(0, history.size() / 2));
  check_damaged(run, "history.safetensors");
  write_file(run.folder / "history.safetensors", history);
  CHECK(headlight_program(run.report()).status == 0);
}

TEST_CASE("weights that are too large are reported, not drawn", "[program]") {
  const SmallRun run;
  auto file = train::load_safetensors(run.folder / "model.safetensors");
  train::NamedArrays arrays;
  for (auto& [name, array] : file.arrays) {
    if (name.ends_with("W_Q") || name.ends_with("W_K")) array.fill(1e30F);
    arrays.emplace_back(name, &array);
  }
  train::save_safetensors(run.folder / "model.safetensors", arrays);
  for (const char* command : {"heads ", "plot ", "report "})
    check_refused(command + run.folder.string(), "not finite");
}

TEST_CASE("any bytes may stand in a command", "[program]") {
  const TemporaryFolder folder;
  const std::string out = folder.path().string() + "/a\xff b'c";
  const Outcome o = headlight_program(
      "train --context 16 --vocab 12 --d-model 16 --heads 2 --batch 8 --steps 5 --out \"" + out + "\"");
  INFO(o.err);
  CHECK(o.status == 0);
  const auto summary = nlohmann::json::parse(read_file(out + "/summary.json"));
  CHECK(contains(summary["command"].get<std::string>(), "--steps 5"));
  CHECK(fs::exists(out + "/report.html"));
}

TEST_CASE("a page has the engine where it was built, and lab says where it was not", "[program]") {
  const SmallRun run;
  const std::string page = run.elsewhere("lab.html").string();
  const auto with = [](const std::string& folder) { return "HEADLIGHT_LAB=" + folder; };
  const Outcome none = headlight_program("lab " + run.folder.string() + " -o " + page, with(""));
  CHECK(none.status == 2);
  CHECK(contains(none.err, "the engine for pages is not built. Hint: ./headlight lab"));
  CHECK_FALSE(data_of(run.folder / "report.html").contains("lab"));

  const fs::path engine = run.elsewhere("engine");
  fs::create_directory(engine);
  write_file(engine / "engine.gz", "two modules");
  const Outcome made = headlight_program("lab " + run.folder.string() + " -o " + page, with(engine.string()));
  INFO(made.err);
  REQUIRE(made.status == 0);
  const std::string html = read_file(page);
  CHECK(contains(html, "id=\"lab-engine\">" + base64("two modules") + "</script>"));
  const auto lab = data_of(page)["lab"];
  CHECK(lab["config"] == nlohmann::json::parse(read_file(run.folder / "config.json")));
  CHECK(lab["weights"] == base64(read_file(run.folder / "model.safetensors")));
  REQUIRE(headlight_program("lab -o " + page, with(engine.string())).status == 0);
  CHECK(data_of(page)["title"] == "a fresh model");
  CHECK(data_of(page)["history"]["steps"] == nlohmann::json({0}));
  REQUIRE(headlight_program(run.report("-o " + page + " --no-live"), with(engine.string())).status == 0);
  CHECK_FALSE(data_of(page).contains("lab"));

  const std::string crossed = run.elsewhere("crossed").string();
  REQUIRE(headlight_program("train --task reverse --architecture encoder-decoder --steps 1 --out " + crossed)
              .status == 0);
  const Outcome refused = headlight_program("lab " + crossed + " -o " + page, with(engine.string()));
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "[lab] the laboratory takes decoders only."));
}
