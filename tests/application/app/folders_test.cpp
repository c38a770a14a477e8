// Where runs are saved, that none is lost, and the list of them.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "headlight/system/text.h"
#include "program.h"

using namespace headlight;

namespace {

namespace fs = std::filesystem;

const char* const kTiny = " --context 16 --vocab 12 --d-model 16 --heads 2 --batch 8 --history 0 --steps 2 ";

// Programs that are started in a folder of their own, so that runs/ is there.
class Home {
 public:
  Outcome call(const std::string& arguments, const std::string& variables = "") const {
    return headlight_program(arguments, "cd '" + folder_.path().string() + "' && " + variables);
  }
  void train(const std::string& more) const {
    const Outcome o = call("train" + std::string(kTiny) + more);
    INFO(o.err);
    CHECK(o.status == 0);
  }
  void check_refused_as_held(const std::string& arguments, const std::string& held) const {
    const Outcome o = call(arguments);
    INFO(o.err);
    CHECK(o.status == 2);
    CHECK(contains(o.err, held));
    for (const char* way_out : {"--out DIR", "--force"}) CHECK(contains(o.err, way_out));
  }
  std::string weights(const std::string& run) const { return read_file(path(run) / "model.safetensors"); }
  fs::path path(const std::string& run) const { return folder_.path() / "runs" / run; }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("train replaces no run without --force", "[program]") {
  const Home home;
  home.train("--out runs/mine --seed 1");
  const std::string before = home.weights("mine");
  const std::string again = "train" + std::string(kTiny) + "--out runs/mine/ --seed 2";
  home.check_refused_as_held(again, "'runs/mine/' holds a run already (--vocab 12 --context 16 ");
  home.check_refused_as_held(again, " --history 0 --seed 1, 2 steps, saved 20");
  CHECK(home.weights("mine") == before);
  CHECK(home.call(again + " --force").status == 0);
  CHECK(home.weights("mine") != before);

  fs::remove(home.path("mine") / "summary.json");
  home.check_refused_as_held(again, "(one that cannot be read)");
}

TEST_CASE("a folder in which one works is refused before the training", "[program]") {
  const Home home;
  for (const std::string command : {"train", "demo"}) {
    const Outcome o = home.call(command + " --steps 5 --out .");
    CHECK(o.status == 2);
    CHECK(contains(o.err, "' while working in it. Hint: go to a folder that is not below it."));
    CHECK_FALSE(contains(o.err, "step 1/"));
  }
}

TEST_CASE("a file of a run is told from a run", "[program]") {
  const Home home;
  home.train("--out runs/mine");
  const Outcome o = home.call("heads runs/mine/config.json");
  CHECK(o.status == 2);
  CHECK(
      contains(o.err, "'runs/mine/config.json' is a file, and a run is a folder. Hint: 'runs/mine' is one."));
}

TEST_CASE("a training is not resumed in a folder in which one works", "[program]") {
  const Home home;
  home.train("--out runs/mine");
  const Outcome o = home.call("train --resume . --steps 5", "cd runs/mine && ");
  CHECK(o.status == 2);
  CHECK(contains(o.err, "' while working in it. Hint: go to a folder that is not below it."));
  CHECK_FALSE(contains(o.err, "step 5/"));
}

TEST_CASE("a training that is stopped says that it saves", "[program]") {
  const Home home;
  const Outcome o =
      home.call("train --d-model 8 --heads 1 --steps 1000000 --out runs/mine", "timeout -s INT 2 ");
  INFO(o.err);
  CHECK(contains(o.err, "headlight: stopped after step "));
  CHECK(fs::exists(home.path("mine") / "model.safetensors"));
}

TEST_CASE("train without --out takes a folder that is free", "[program]") {
  const Home home;
  for (const char* name : {"train", "train-2", "train-3"}) {
    const Outcome o = home.call("train" + std::string(kTiny));
    CHECK(o.status == 0);
    CHECK(contains(o.out, "runs/" + std::string(name)));
    CHECK(fs::exists(home.path(name) / "config.json"));
  }
}

TEST_CASE("a run goes on in its own folder, and replaces no other", "[program]") {
  const Home home;
  home.train("--out runs/one");
  home.train("--out runs/two");
  CHECK(home.call("train --resume runs/one --steps 3").status == 0);
  CHECK(home.call("train --resume runs/one --out runs/../runs/one --steps 4").status == 0);
  home.check_refused_as_held("train --resume runs/one --out runs/two --steps 5", "'runs/two' holds a run");
  CHECK(home.call("train --resume runs/one --out runs/three --steps 5").status == 0);
}

TEST_CASE("of a run that was stopped every command says how it goes on", "[program]") {
  const Home home;
  home.train("--out runs/one");
  auto saved = nlohmann::json::parse(read_file(home.path("one") / "summary.json"));
  saved["interrupted"] = true;
  write_file(home.path("one") / "summary.json", saved.dump());
  auto config = nlohmann::json::parse(read_file(home.path("one") / "config.json"));
  config["train"]["steps"] = 5;
  write_file(home.path("one") / "config.json", config.dump());
  CHECK(home.call("heads runs/one")
            .err.ends_with("Note: the run 'runs/one' was stopped at step 2 of 5. To go on: ./headlight train "
                           "--resume runs/one\n"));
}

TEST_CASE("a demo replaces the last one in runs/demo, and no other run", "[program][long]") {
  const Home home;
  for (int i = 0; i < 2; ++i) CHECK(home.call("demo --steps 2").status == 1);
  CHECK(home.call("demo --steps 2 --out runs/kept").status == 1);
  home.check_refused_as_held("demo --steps 2 --out runs/kept", "'runs/kept' holds a run");
  home.train("--out runs/demo --force");
  home.check_refused_as_held("demo --steps 2", "'runs/demo' holds a run");
  CHECK(home.call("demo --steps 2 --force").status == 1);
}

TEST_CASE("runs lists runs, one line each, and damaged ones as such", "[program]") {
  const Home home;
  CHECK(contains(home.call("runs").out, "./headlight demo makes the first"));
  home.train("--out runs/first");
  home.train("--out runs/second --layers 1 --lr 0.001");
  home.train("--out runs/damaged");
  write_file(home.path("damaged") / "summary.json", "{");
  const Outcome o = home.call("runs");
  CHECK(o.status == 0);
  INFO(o.out);
  CHECK(std::count(o.out.begin(), o.out.end(), '\n') == 5);
  CHECK(o.out.find("runs/first ") < o.out.find("runs/second "));
  CHECK(contains(o.out, "--layers 1 "));
  CHECK(contains(o.out, "--lr 0.001"));
  CHECK(contains(o.out, "cannot be read: 'runs/damaged/summary.json' is damaged"));

  for (const std::size_t columns : {40, 80, 200}) {
    const Outcome narrow = home.call("runs", fmt::format("COLUMNS={}", columns));
    INFO(narrow.out);
    for (const std::string& line : text_lines(narrow.out)) CHECK(display_width(line) <= columns);
    CHECK(contains(narrow.out, "--lr 0.001"));
    CHECK(contains(narrow.out, "\n\nrun ") == (columns < 200));
  }

  const Outcome json = home.call("runs --json runs/second");
  CHECK(nlohmann::json::parse(json.out)["runs"][0]["settings"]["model.n_layers"] == 1);
  CHECK(home.call("runs runs/none").status == 2);
}

TEST_CASE("a run that diverges is saved, and train says so", "[program]") {
  const Home home;
  const Outcome o = home.call("train" + std::string(kTiny) + "--lr 100 --warmup 0");
  CHECK(o.status == 1);
  CHECK(contains(o.out, "Training diverged: the loss rose from "));
  CHECK(nlohmann::json::parse(read_file(home.path("train") / "summary.json"))["diverged"] == true);
  CHECK(contains(home.call("runs").out, "  diverged  "));
}

TEST_CASE("a folder where another training runs is not free", "[program]") {
  const Home home;
  const std::string app = HEADLIGHT_BINARY_DIR "/headlight train --context 16 --vocab 12 --history 0 ";
  const Outcome o =
      home.call("train" + std::string(kTiny) + "--out runs/other; " + app +
                "--steps 1000000 > /dev/null 2>&1 & until [ -e runs/.train.headlight.lock ]; do sleep "
                "0.05; done; " +
                app + "--steps 2; kill -9 $!");
  INFO(o.err);
  CHECK(fs::exists(home.path("train-2") / "model.safetensors"));
}

TEST_CASE("a sweep's folder is none for a run", "[program]") {
  const Home home;
  CHECK(home.call("sweep --seeds 0..1" + std::string(kTiny) + "--out runs/sweep").status == 0);
  const Outcome o = home.call("train" + std::string(kTiny) + "--out runs/sweep");
  CHECK(o.status == 2);
  CHECK(contains(o.err, "'runs/sweep' holds a sweep. Hint: --out DIR saves the run elsewhere."));
}

TEST_CASE("runs lists the numbers of each run in their columns", "[program]") {
  const Home home;
  home.train("--out runs/one --seed 4");
  const fs::path summary = home.path("one") / "summary.json";
  auto saved = nlohmann::json::parse(read_file(summary));
  saved.erase("certificate");
  saved["accuracy"]["predictable"] = .8125;
  saved["loss"]["all"] = .25, saved["best_possible_loss"]["all"] = .125;
  for (auto& head : saved["heads"]) head["induction"] = .1;
  saved["heads"][2]["induction"] = .75;
  const auto row = [&] {
    write_file(summary, saved.dump());
    const Outcome o = home.call("runs", "COLUMNS=400");
    INFO(o.err);
    const std::vector<std::string> lines = text_lines(o.out);
    REQUIRE(lines.size() >= 2);
    CHECK(lines[0].starts_with("run       task    accuracy   loss"));
    CHECK(lines[0].ends_with("settings"));
    return lines[1];
  };
  const std::string begin = "runs/one  repeat    81.2 %  0.250  0.125  ";
  saved["passed"] = true;
  CHECK(row().starts_with(begin + "yes          0.75  20"));
  saved["passed"] = false, saved["interrupted"] = true, saved["steps"] = 1;
  for (const char* later : {"metrics.jsonl", "timing.jsonl"}) fs::remove(home.path("one") / later);
  CHECK(row().starts_with(begin + "no           0.75  20"));
  CHECK(row().ends_with("--steps 2 --batch 8 --history 0 --seed 4 (stopped at step 1)"));
  saved["diverged"] = true;
  saved["accuracy"]["predictable"] = nullptr, saved["best_possible_loss"] = nullptr;
  CHECK(row().starts_with("runs/one  repeat         -  0.250     -  diverged       0.75  20"));
}
