// The program as a user meets it.
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "catch.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"
#include "program.h"

using namespace headlight;

namespace {

const char* const kSmall = " --context 16 --vocab 12 --d-model 16 --heads 2 --batch 8 --evaluate-every 10 ";

}  // namespace

TEST_CASE("without arguments the program shows an overview", "[program]") {
  const Outcome o = headlight_program("");
  CHECK(o.status == 0);
  CHECK(contains(o.out, "./headlight demo"));
  CHECK(o.err.empty());
}

TEST_CASE("every command explains itself with examples", "[program]") {
  const std::string overview = headlight_program("--help").out;
  const std::regex line("\n  \\./headlight ([a-z]+)");
  std::size_t explained = 0;
  for (std::sregex_iterator at(overview.begin(), overview.end(), line), end; at != end; ++at) {
    const std::string command = (*at)[1];
    const Outcome o = headlight_program(command + " --help");
    if (o.out == overview) continue;  // a command of the script ./headlight
    ++explained;
    INFO(command);
    CHECK(o.status == 0);
    CHECK(contains(o.out, "Example"));
    CHECK(contains(o.out, "./headlight " + command));
  }
  CHECK(explained == 26);
  CHECK(contains(headlight_program("--version").out, "Headlight 0."));
}

TEST_CASE("the first program trains, and says where the commands that it lacks are", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  CHECK(run_program("headlight --help").out == headlight_program("--help").out);
  CHECK(run_program("headlight train" + std::string(kSmall) + "--steps 2 --out " + run).status == 0);
  for (const std::string command : {"sweep", "compare", "verify", "paper", "bench"})
    check_refused(command + " x",
                  "'" + command + "' belongs to another program: ./headlight " + command + " builds",
                  "headlight");
  check_refused("certify " + run + " --all-inputs 4", "./headlight certify builds and starts it",
                "headlight");
}

TEST_CASE("a trained run can be read back by every command", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  const Outcome trained = headlight_program(std::string("train") + kSmall + "--steps 20 --out " + run);
  INFO(trained.err);
  REQUIRE(trained.status == 0);
  CHECK(contains(trained.err, "step 20/20"));
  CHECK_FALSE(contains(trained.out, "\x1b["));  // piped: no colours
  CHECK_FALSE(contains(trained.err, "\r"));

  const auto summary = nlohmann::json::parse(read_file(run + "/summary.json"));
  CHECK(summary["task"] == "repeat");
  CHECK(summary["steps"] == 20);
  CHECK(summary["heads"].size() == 4);
  CHECK(summary["formed_at_step"].is_null());
  CHECK(summary["passed"] == false);
  for (const char* key : {"seed", "train_seconds", "tokens_per_second", "accuracy", "loss", "best"})
    CHECK(summary.contains(key));
  for (const char* key : {"predictable", "held_out"}) CHECK(summary["accuracy"][key].is_number());
  for (const char* key : {"first", "last", "predictable", "unpredictable"})
    CHECK(summary["loss"][key].is_number());
  CHECK(summary["best"]["induction"].contains("score"));

  std::ifstream metrics(run + "/metrics.jsonl");
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(metrics, line);) lines.push_back(nlohmann::json::parse(line));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0]["step"] == 0);
  CHECK(lines[0]["train_loss"].is_null());
  CHECK(lines[2]["step"] == 20);
  CHECK(lines[2]["heads"].size() == summary["heads"].size());

  const Outcome heads = headlight_program("heads " + run);
  CHECK(heads.status == 0);
  CHECK(contains(trained.out, heads.out));  // the same numbers as at the end of training
  CHECK(headlight_program("plot " + run + " --layer 0 --head 1 --tokens ABCABC").status == 0);
  CHECK(headlight_program("plot " + run + " --svg " + run + "/head.svg").status == 0);
  CHECK(contains(read_file(run + "/head.svg"), "</svg>"));
  const Outcome again = headlight_program("train --config " + run + "/config.json --out " + run + "2");
  CHECK(again.status == 0);
  CHECK(read_file(run + "/model.safetensors") == read_file(run + "2/model.safetensors"));

  check_refused("plot " + run + " --layer 2 --head 0", "there is no layer 2: the model has layers 0 … 1");
  check_refused("plot " + run + " --layer 0 --head 7", "there is no head 7");
  check_refused("plot " + run + " --layer 0", "--layer and --head go together");
  check_refused("plot " + run + " --tokens \"A?\"", "'?' is not a token");
  check_refused("plot " + run + " --svg " + run + "/config.json/x.svg", "would replace a file of the run");
}

TEST_CASE("Ctrl-C saves what was trained", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  const Outcome o = headlight_program(std::string("train") + kSmall + "--steps 1000000000 --out " + run,
                                      "timeout -s INT 2");
  INFO(o.err);
  CHECK(o.status == 124);  // timeout's own; the program's 130 is behind it
  const auto summary = nlohmann::json::parse(read_file(run + "/summary.json"));
  CHECK(summary["interrupted"] == true);
  CHECK(summary["steps"] > 0);
  CHECK(headlight_program("heads " + run).status == 0);
  CHECK(contains(o.out, "To go on: ./headlight train --resume " + run + "\n"));
}

TEST_CASE("the overview has two columns, and fits the terminal", "[program]") {
  for (const std::size_t columns : {60, 80, 200}) {
    const Outcome o = headlight_program("", fmt::format("COLUMNS={}", columns));
    INFO(o.out);
    std::set<std::size_t> starts;
    for (const std::string& line : text_lines(o.out)) {
      CHECK(display_width(line) <= columns);
      if (!line.starts_with("  ./headlight ")) continue;
      const std::size_t space = line.find("  ", 14), help = line.find_first_not_of(' ', space);
      starts.insert(display_width(line.substr(0, help)));
    }
    CHECK(starts.size() == 1);
  }
}

TEST_CASE("the demo's sentences fit the terminal", "[program][long]") {
  const TemporaryFolder folder;
  for (const std::size_t columns : {50, 80}) {
    const Outcome o = headlight_program(
        fmt::format("demo --steps 1 --force --no-color --out {}/run", folder.path().string()),
        fmt::format("COLUMNS={}", columns));
    INFO(o.out);
    CHECK(contains(o.out, "The model reads a sequence token by token"));
    const std::string sentences = o.out.substr(0, o.out.find("head    previous"));
    for (const std::string& line : text_lines(sentences)) CHECK(display_width(line) <= columns);
    CHECK_FALSE(contains(o.out, "To go on"));
  }
}

TEST_CASE("a schedule that more steps stretch is said", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  for (const auto& [schedule, said] :
       {std::pair{
            "cosine",
            "the schedule 'cosine' is stretched: the learning rate of step 11 is 0.0048 instead of 0.001."},
        {"constant", ""}}) {
    REQUIRE(
        headlight_program(fmt::format("train{}--schedule {} --lr 0.01 --warmup 0 --steps 10 --force --out {}",
                                      kSmall, schedule, run))
            .status == 0);
    const Outcome o = headlight_program("train --steps 20 --resume " + run);
    CHECK(contains(o.err, said));
    CHECK(contains(o.err, "stretched") == contains(said, "stretched"));
  }
}

TEST_CASE("flags without a value turn their setting over", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  REQUIRE(headlight_program(std::string("train") + kSmall + "--steps 1 --out " + run).status == 0);
  const auto plain = nlohmann::json::parse(read_file(run + "/config.json"));
  REQUIRE(headlight_program(std::string("train") + kSmall +
                            "--repeats --fixed-offset --bias --task copy --steps 1 --force --out " + run)
              .status == 0);
  const auto turned = nlohmann::json::parse(read_file(run + "/config.json"));
  for (const auto& [part, key] : {std::pair{"task", "distinct"}, {"task", "fixed_offset"}, {"model", "bias"}})
    CHECK(plain[part][key] != turned[part][key]);
}

TEST_CASE("a run that was interrupted goes on", "[program]") {
  const TemporaryFolder folder;
  const std::string whole = (folder.path() / "whole").string(), part = (folder.path() / "part").string();
  const std::string train = std::string("train") + kSmall;
  REQUIRE(headlight_program(train + "--steps 30 --out " + whole).status == 0);
  REQUIRE(headlight_program(train + "--steps 12 --checkpoint-every 5 --out " + part).status == 0);
  const Outcome o = headlight_program("train --resume " + part + " --steps 30 --threads 1");
  INFO(o.err);
  CHECK(o.status == 0);
  CHECK(contains(o.out, "Going on at step 12 of 30."));
  for (const char* file : {"/model.safetensors", "/metrics.jsonl", "/history.safetensors"})
    CHECK(read_file(whole + file) == read_file(part + file));
  check_refused("train --resume " + part, "has been trained for all its 30 steps. Hint: --steps 60 goes on");
  check_refused("train --resume " + part + " --heads 4", "only --steps may go with --resume");
  check_refused("train --resume " + part + " --steps 5",
                "has already been trained for 30 steps, more than 5");
  check_refused("train --resume " + (folder.path() / "none").string(), "there is no run");
  check_refused("train --checkpoint-every -1", "--checkpoint-every must be at least 0, got -1");
}

// Of a run that is killed while it writes to the folder of another run, the folder holds one of the two,
// whole.
TEST_CASE("a kill loses no run, and what was resumed ends with the same bits", "[program][long]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string(), whole = (folder.path() / "whole").string();
  const std::string train = std::string("train") + kSmall + "--steps 120 --seed 1 --out ";
  REQUIRE(headlight_program(train + whole).status == 0);
  const std::string expected = read_file(whole + "/model.safetensors") + read_file(whole + "/metrics.jsonl");
  for (int kill = 0; kill < 4; ++kill) {
    REQUIRE(
        headlight_program(std::string("train") + kSmall + "--steps 5 --seed 9 --force --out " + run).status ==
        0);
    const std::string when = std::to_string(0.03 + 0.04 * kill);
    headlight_program(train + run + " --force --checkpoint-every 3", "timeout --foreground -s KILL " + when);
    CHECK(headlight_program("heads " + run).status == 0);
    const auto summary = nlohmann::json::parse(read_file(run + "/summary.json"));
    const std::string go_on = summary["seed"] == 1 ? "train --resume " + run : train + run + " --force";
    if (summary["seed"] == 9 || summary["interrupted"] == true) CHECK(headlight_program(go_on).status == 0);
    CHECK(read_file(run + "/model.safetensors") + read_file(run + "/metrics.jsonl") == expected);
  }
}

TEST_CASE("bad input gets one sentence and status 2", "[program]") {
  const TemporaryFolder folder;
  const std::string out = " --out " + (folder.path() / "run").string();
  check_refused("nonsense", "nonsense");
  check_refused("demo --stpes 5", "--stpes");
  check_refused("train --steps many" + out, "--steps: expected a whole number, got 'many'");
  check_refused("train --heads 5" + out, "--d-model 64 is not divisible by --heads 5");
  check_refused("train --heads 0" + out, "--heads must be at least 1, got 0");
  check_refused("train --layers 0" + out, "--layers must be at least 1, got 0");
  check_refused("train --layers 257" + out,
                "--layers 257 is too large: a transformer has at most 256 layers");
  check_refused("train --context 4" + out, "a context of 4 is too short");
  check_refused("train --shards 5" + out, "cannot be cut into 5 equal shards");
  check_refused("train --task sorting" + out, "unknown task 'sorting'");
  check_refused("train --positions odd" + out, "unknown kind of positions 'odd'");
  check_refused("train --vocab 8" + out, "needs a vocabulary");
  check_refused("train --task khop --hops 4611686018427387904" + out, "it has room for ");
  check_refused("train --batch 99999999999" + out, "--batch must be at most 1000000, got 99999999999.");
  check_refused("sweep --seeds 0..1 --jobs 0.5", "--jobs: expected a whole number, got '0.5'.");
  check_refused("train --lr 0" + out, "--lr must be above 0, got 0");
  check_refused("train --threads -2" + out, "got -2");
  check_refused("train --score-cap 1e-300" + out, "--score-cap must be 1.1754944e-38 … 3.4028235e+38, or 0");
  check_refused("train --layers -1" + out, "--layers");
  check_refused("train --d-model 4611686018427387904 --heads 1" + out, "is too large: at most 1048576 each");
  check_refused("train --task copy --context 8" + out, "leave no other length to test on");
  check_refused("train --min-segment 2 --vocab 32" + out, "leave no other length to test on");
  check_refused("train --config none.json" + out, "there is no file 'none.json'");
  check_refused("demo --steps 0" + out, "headlight: --steps must be at least 1, got 0.");
  write_file(folder.path() / "file", "not a folder");
  check_refused("train --text " + (folder.path() / "file").string() + " --context 1" + out,
                "a context of 1 is too short for the task 'text': expected at least 2");
  check_refused("demo --steps 5 --out " + (folder.path() / "file").string(), "is not a folder");
  check_refused("bench scaling --out " + (folder.path() / "file").string(), "cannot make the folder");
  check_refused("heads " + (folder.path() / "none").string(), "there is no run");
  check_refused("heads", "DIR");
  check_refused("bench tiny", "unknown benchmark 'tiny'");
  check_refused("bench --rounds 0", "at least 1 round");
  check_refused("bench --steps -1", "cannot take -1 steps");
  check_refused("bench --threads 5000", "surely a mistake");
  check_refused("bench scaling --longest 32", "at least 64");
  check_refused("bench scaling --rounds 0", "at least 1 round");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "run"));
}

TEST_CASE("a run that diverges says so and leaves no half-written files", "[program]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  const Outcome o = headlight_program(std::string("train") + kSmall +
                                      "--lr 1e30 --warmup 0 --steps 200 --out " + run.string());
  CHECK(o.status == 1);
  CHECK(contains(o.err, "training stopped at step "));
  CHECK(contains(o.err, "What was measured until then is in " + run.string() + "/failed_metrics.jsonl."));
  CHECK(contains(read_file(run / "failed_metrics.jsonl"), "\"step\":0"));
  CHECK(std::distance(std::filesystem::directory_iterator(run), {}) == 1);
  write_file(run / "mine.txt", "a file of the user's");
  REQUIRE(headlight_program(std::string("train") + kSmall + "--steps 2 --out " + run.string()).status == 0);
  CHECK_FALSE(std::filesystem::exists(run / "failed_metrics.jsonl"));
  CHECK(std::filesystem::exists(run / "mine.txt"));
}

TEST_CASE("a run whose parameters are too large at its end, or when it is measured, diverged", "[program]") {
  const TemporaryFolder folder;
  const auto run = folder.path() / "run";
  for (const char* when : {"--steps 1", "--steps 9 --evaluate-every 1", "--steps 9 --checkpoint-every 1"}) {
    const Outcome o = headlight_program(
        "train --context 16 --vocab 12 --d-model 16 --heads 2 --batch 8 --lr 1e30 --warmup 0 " +
        std::string(when) + " --out " + run.string());
    INFO(when << o.err);
    CHECK(o.status == 1);
    CHECK(contains(o.err, "training stopped at step 1: the evaluated loss is not finite."));
    CHECK(std::distance(std::filesystem::directory_iterator(run), {}) == 1);
  }
}

TEST_CASE("bench prints JSON that a program can read", "[program]") {
  const Outcome o = headlight_program("bench small --json --steps 1 --rounds 3");
  REQUIRE(o.status == 0);
  const auto all = nlohmann::json::parse(o.out);
  CHECK(all["command"] == "bench");
  REQUIRE(all["configs"].size() == 1);
  const auto& json = all["configs"][0];
  CHECK(json["config"] == "small");
  for (const char* key : {"ms_per_step", "ms_least", "ms_most", "tokens_per_second", "peak_mb", "gflops",
                          "peak_gflops", "product_gflops", "layers_gflops", "share_of_product",
                          "update_gb_per_second", "copy_gb_per_second", "threads"})
    CHECK(json[key] > 0);
  CHECK(json["ms_least"] <= json["ms_per_step"]);
  CHECK(json["ms_per_step"] <= json["ms_most"]);
  double phases = 0;
  for (const char* phase : {"data", "forward", "backward", "reduce", "optimizer"}) {
    CHECK(json["phases_ms"][phase] > 0);
    phases += json["phases_ms"][phase].get<double>();
  }
  CHECK(phases <= 1.01 * json["ms_most"].get<double>());
}

#if !defined(__SANITIZE_ADDRESS__)  // there they would take minutes and show nothing more
// Trained on one offset, a model learns to look a fixed distance back. On its training lengths that looks
// like an induction head.
TEST_CASE("a positional head is not taken for an induction head", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  const Outcome o = headlight_program(
      "train --config " HEADLIGHT_SOURCE_DIR "/data/configs/copy_fixed.json --steps 300 --out " + run);
  REQUIRE(o.status == 0);
  const auto summary = nlohmann::json::parse(read_file(run + "/summary.json"));
  CHECK(summary["accuracy"]["predictable"] >= 0.9);
  CHECK(summary["accuracy"]["held_out"] <= 0.2);
  CHECK(summary["best"]["induction"]["score"] <= 0.3);
  CHECK(summary["passed"] == false);
}

TEST_CASE("one layer cannot do what two can", "[program]") {
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  REQUIRE(headlight_program("train --layers 1 --out " + run).status == 0);
  const auto summary = nlohmann::json::parse(read_file(run + "/summary.json"));
  CHECK(summary["accuracy"]["predictable"] < 0.2);
  CHECK(summary["best"]["induction"]["score"] < 0.2);
}
#endif

TEST_CASE("a demo that finds no head fails and says so", "[program][long]") {
  const TemporaryFolder folder;
  const Outcome o = headlight_program("demo --steps 20 --out " + (folder.path() / "run").string());
  CHECK(o.status == 1);
  CHECK(contains(o.out, "No head has an induction score of 0.5"));
}

TEST_CASE("every program reports an error in the same form", "[program]") {
  const auto mutants =
      run_process({.words = {"python3", HEADLIGHT_SOURCE_DIR "/tests/mutants/run", "--odd"}});
  const std::string one_sentence = "headlight: ", ends = " (--help explains)\n";
  for (const std::string program : {"headlight", "headlight_gradients", "headlight_course lessons"}) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    if (program == "headlight_gradients") continue;  // of the other number type
#endif
    const Outcome o = run_program(program + " --odd");
    INFO(program << ": " << o.err);
    CHECK(o.status == 2);
    CHECK(o.out.empty());
    CHECK(o.err.starts_with(one_sentence));
    CHECK(o.err.ends_with(ends));
  }
  if (!mutants.found) return;  // they take Python
  CHECK(mutants.status == 2);
  CHECK(mutants.output.empty());
  CHECK(mutants.errors.starts_with(one_sentence));
  CHECK(mutants.errors.ends_with(ends));
}
