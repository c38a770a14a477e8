// Pictures of a run: plot and curves.
#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "catch.h"
#include "headlight/interpret/score_kinds.h"
#include "headlight/run/run.h"
#include "headlight/studies/strategies.h"
#include "program.h"

using namespace headlight;

namespace {

// A small run of 20 steps, trained once for each test.
class Run {
 public:
  explicit Run(int context = 16) {
    const Outcome trained = headlight_program(
        fmt::format("train --context {} ", context) +
        "--vocab 12 --d-model 16 --heads 2 --batch 8 --evaluate-every 10 --steps 20 --lr 0.03 "
        "--warmup 1 --out " +
        folder());
    INFO(trained.err);
    REQUIRE(trained.status == 0);
  }

  std::string folder() const { return (temporary_.path() / "run").string(); }
  std::string file(const std::string& name) const { return folder() + "/" + name; }

  // What a command prints about the run.
  std::string output(const std::string& command, const std::string& more = "",
                     const std::string& before = "") const {
    const Outcome o = headlight_program(command + " " + folder() + " " + more, before);
    INFO(o.err);
    CHECK(o.status == 0);
    return o.out;
  }

 private:
  TemporaryFolder temporary_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool have_png_tool() { return std::system("command -v rsvg-convert >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("plot --all draws a sheet of all heads", "[program]") {
  const Run run;
  const std::string text = run.output("plot", "--all");
  for (const char* head : {"Layer 0, head 0", "Layer 0, head 1", "Layer 1, head 0", "Layer 1, head 1"})
    CHECK(contains(text, head));
  run.output("plot", "--all --svg " + run.file("all.svg"));
  const std::string svg = read_file(run.file("all.svg"));
  CHECK(contains(svg, "All heads of " + run.folder()));
  CHECK(count(svg, "<g transform=") == 4);
  check_refused("plot " + run.folder() + " --all --layer 0 --head 0", "excludes --all");
}

TEST_CASE("a sheet of all heads has a row for each layer, in order", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string(), file = (folder.path() / "all.svg").string();
  REQUIRE(
      headlight_program("train --layers 3 --context 8 --vocab 12 --d-model 8 --heads 2 --batch 8 --steps 1 "
                        "--history 0 --out " +
                        run)
          .status == 0);
  REQUIRE(headlight_program("plot " + run + " --all --svg " + file).status == 0);
  const std::string svg = read_file(file);
  std::string places;  // left and top of each map
  for (std::size_t at = svg.find("translate("); at != std::string::npos; at = svg.find("translate(", at + 1))
    places += svg.substr(at + 10, svg.find(')', at) - at - 10) + "; ";
  std::size_t last = 0;
  for (const char* head : {"Layer 0, head 0", "Layer 0, head 1", "Layer 1, head 0", "Layer 1, head 1",
                           "Layer 2, head 0", "Layer 2, head 1"}) {
    const std::size_t at = svg.find(head);
    CHECK((at != std::string::npos && at > last));
    last = at;
  }
  std::set<std::string> lefts, tops;
  std::istringstream all(places);
  for (std::string left, top; all >> left >> top;) lefts.insert(left), tops.insert(top);
  CHECK((lefts.size() == 2 && tops.size() == 3));
}

TEST_CASE("the terminal has twelve periods at most", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  for (const auto& [context, periods, rows] : {std::array{31, 24, 12}, std::array{20, 13, 7}}) {
    REQUIRE(
        headlight_program(fmt::format("train --context {} --vocab 40 --d-model 8 --heads 2 --batch 8 --steps "
                                      "1 --history 0 --force --out {}",
                                      context, run))
            .status == 0);
    CHECK(count(headlight_program("periods " + run).out, "\n") == static_cast<std::size_t>(rows) + 1);
    CHECK(count(headlight_program("periods --csv " + run).out, "\n") ==
          static_cast<std::size_t>(periods) + 1);
  }
}

TEST_CASE("plot --step draws an earlier pattern and its scores", "[program]") {
  const Run run;
  const std::string head = "--layer 0 --head 0";
  const std::string first = run.output("plot", head + " --step 0"),
                    last = run.output("plot", head + " --step 20");
  const std::string lines = read_file(run.file("metrics.jsonl"));
  const auto metrics = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
  REQUIRE(metrics["step"] == 0);
  const auto& scores = metrics["heads"][0];
  double strongest = 0;
  for (const auto& kind : interpret::score_kinds())
    if (scores.contains(kind.key)) strongest = std::max(strongest, scores[kind.key].get<double>());
  CHECK(contains(first, fmt::format(" {:.2f}), step 0\n", strongest)));
  CHECK(contains(last, ", step 20\n"));
  CHECK_FALSE(contains(last, fmt::format(" {:.2f}), step 20\n", strongest)));
  const auto drawn = [](const std::string& text) { return text.substr(text.find('\n')); };
  CHECK(drawn(first) != drawn(last));
  CHECK(drawn(last) == drawn(run.output("plot", head)));
  CHECK(contains(run.output("plot", "--all --step 10"), ", step 10"));
  check_refused("plot " + run.folder() + " --step 3", "the snapshot of step 3 was not kept");
}

TEST_CASE("plot fits the window", "[program]") {
  const Run run(24);
  CHECK(
      contains(run.output("plot", "", "COLUMNS=20"), "each cell is the largest of 2 × 2 attention weights"));
  CHECK_FALSE(contains(run.output("plot", "", "COLUMNS=40"), "each cell"));
}

TEST_CASE("curves has loss, accuracy and scores", "[program]") {
  const Run run;
  const std::string text = run.output("curves");
  CHECK(text.starts_with("loss (nats):\n\nstep  predictable  unpredictable  "));
  CHECK(contains(text,
                 "\n\naccuracy, best score:\n\nstep  accuracy  held out  previous token  induction\n   0  "));
  CHECK(contains(text, "\n\nloss on all tokens:\n\nstep  held out  as in training\n   0  "));

  run.output("curves", "--svg " + run.file("curves.svg"));
  const std::string svg = read_file(run.file("curves.svg"));
  CHECK(count(svg, "<polyline") == 10);
  for (const char* step : {">step 0<", ">step 10<", ">step 20<"}) CHECK(contains(svg, step));
  std::filesystem::remove(run.file("history.safetensors"));
  run.output("curves", "--svg " + run.file("curves.svg"));
  CHECK(count(read_file(run.file("curves.svg")), "<polyline") == 10);
  CHECK_FALSE(contains(read_file(run.file("curves.svg")), ">step 0<"));
}

TEST_CASE("curves --strategies has the charts of strategies alone", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string(), file = (folder.path() / "s.svg").string();
  REQUIRE(headlight_program(
              "train --task markov --context 8 --d-model 8 --heads 2 --batch 8 --steps 1 --out " + run)
              .status == 0);
  const auto charts = [&] {
    ThreadPool pool(1);
    return studies::strategy_charts(run::read_run(run), pool);
  }();
  std::string expected;
  for (const draw::Chart& chart : charts)
    expected += (expected.empty() ? "" : "\n") + chart.y.label + ":\n\n" +
                draw::terminal_table(draw::chart_table(chart), 1000);
  CHECK(headlight_program("curves --strategies " + run, "COLUMNS=500").out == expected);
  REQUIRE(headlight_program("curves --strategies " + run + " --svg " + file).status == 0);
  CHECK(contains(read_file(file), "<title>Which strategy the model follows</title>"));
}

TEST_CASE("periods has accuracy at every period", "[program]") {
  const Run run;
  const std::string text = run.output("periods");
  CHECK(text.starts_with("period  accuracy  in training\n     4     "));
  CHECK(count(text, "yes\n") == 5);
  CHECK(count(text, "no\n") == 4);
  const std::string csv = run.output("periods", "--csv --threads 1");
  CHECK(count(csv, "\n") == 10);  // periods 4 … 12 of a context of 16
  CHECK(csv.starts_with("period,accuracy,trained\n4,"));
  CHECK(count(csv, ",1\n") == 5);  // segments of 4 to 8 tokens are trained
  CHECK(csv == run.output("periods", "--csv --threads 2"));
  run.output("periods", "--svg " + run.file("periods.svg"));
  const std::string svg = read_file(run.file("periods.svg"));
  CHECK(contains(svg, "Accuracy on predictable tokens, by period"));
  CHECK(count(svg, "<polyline") == 2);
  check_refused("periods " + run.folder() + " --csv --svg " + run.file("x.svg"), "without --svg");

  const TemporaryFolder folder;
  const std::string parity = (folder.path() / "run").string();
  REQUIRE(headlight_program(
              "train --task parity --context 8 --d-model 8 --heads 2 --batch 8 --steps 1 --out " + parity)
              .status == 0);
  check_refused("periods " + parity, "'parity' has none. Hint: repeat, copy");
}

TEST_CASE("pictures become PNG files", "[program]") {
  const Run run;
  const Outcome without =
      headlight_program("plot " + run.folder() + " --png " + run.file("head.png"), "PATH=/nowhere");
  CHECK(without.status == 2);
  CHECK(contains(without.err, "apt-get install librsvg2-bin fonts-dejavu-core"));
  CHECK_FALSE(std::filesystem::exists(run.file("head.png")));
  if (!have_png_tool()) {
    WARN("skipped: rsvg-convert is not installed");
    return;
  }
  for (const char* command : {"plot", "curves"}) {
    run.output(command, "--png " + run.file("picture.png"));
    CHECK(read_file(run.file("picture.png")).starts_with("\x89PNG"));
    std::filesystem::remove(run.file("picture.png"));
  }
}

TEST_CASE("pictures of what is not there are refused", "[program]") {
  const Run run;
  const std::string svg = " --svg " + run.file("x.svg");
  check_refused("curves " + run.folder() + "-none" + svg, "there is no run");
  check_refused("plot " + run.folder() + "-none --all" + svg, "there is no run");
  check_refused("curves " + run.folder() + svg + " --png " + run.file("x.png"), "excludes");
  check_refused("curves " + run.folder() + " --svg " + run.file("config.json/x.svg"),
                "would replace a file of the run");

  const std::string metrics = read_file(run.file("metrics.jsonl"));
  write_file(run.file("history.safetensors"), "damaged");
  check_refused("curves " + run.folder() + svg, "history.safetensors");
  check_refused("plot " + run.folder() + " --step 10" + svg, "history.safetensors");
  write_file(run.file("metrics.jsonl"), metrics.substr(0, metrics.find('\n') + 20));
  check_refused("curves " + run.folder() + svg, "metrics.jsonl' is damaged: line 2");
  std::filesystem::remove(run.file("metrics.jsonl"));
  check_refused("curves " + run.folder() + svg, "history.safetensors");
  CHECK_FALSE(std::filesystem::exists(run.file("x.svg")));
}

TEST_CASE("plot --step draws the head that is the best at the end", "[program]") {
  const Run run;
  const auto best_at = [](const nlohmann::json& heads) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < heads.size(); ++i)
      if (heads[i]["induction"] > heads[best]["induction"]) best = i;
    return fmt::format("Layer {}, head {}", heads[best]["layer"].get<int>(), heads[best]["head"].get<int>());
  };
  const std::string metrics = read_file(run.file("metrics.jsonl"));
  const auto start = nlohmann::json::parse(metrics.substr(0, metrics.find('\n')));
  const std::string last = best_at(nlohmann::json::parse(read_file(run.file("summary.json")))["heads"]);
  REQUIRE(best_at(start["heads"]) != last);  // otherwise this test shows nothing
  CHECK(run.output("plot", "--step 0").starts_with(last));
  CHECK(run.output("plot").starts_with(last));
}
