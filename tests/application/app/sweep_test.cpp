// compare and sweep, as typed.
#include <fmt/core.h>

#include "headlight/system/text.h"
#include "program.h"

using namespace headlight;

namespace {

const std::string kSmallRun =
    "--context 16 --vocab 12 --d-model 16 --batch 8 --evaluate-every 5 --steps 10 --history 0 ";

}  // namespace

TEST_CASE("a sweep and a comparison of its runs from the command line", "[program]") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  const Outcome sweep =
      headlight_program("sweep --seeds 0..1 --set heads=1,2 --jobs 2 " + kSmallRun + "--out " + out);
  INFO(sweep.err);
  CHECK(sweep.status == 0);
  CHECK(contains(sweep.out, "heads  runs  solved"));
  CHECK(contains(sweep.out, "\nMedian over the seeds, with the least and the largest value.\n"));
  std::string end = sweep.out.substr(sweep.out.find("\nIn " + out + "/:"));
  std::replace(end.begin(), end.end(), '\n', ' ');  // lines break where the terminal ends
  CHECK(end == " In " + out + "/: sweep.json, sweep.csv, sweep.svg, sweep.html, and a folder for each run ");
  CHECK(contains(sweep.err, "4/4 runs"));
  const Outcome again = headlight_program("sweep --seeds 0..1 --set heads=1,2 " + kSmallRun + "--out " + out);
  CHECK(again.status == 0);
  CHECK(again.out == sweep.out);  // times included: nothing was trained again
  const Outcome compared =
      headlight_program("compare " + out + "/*seed=0 --html " + out + "/c.html --svg " + out + "/c.svg");
  CHECK(compared.status == 0);
  CHECK(compared.out == out + "/c.html\n" + out + "/c.svg\n");
  CHECK(contains(read_file(out + "/c.html"), "heads=2_seed=0"));
  const Outcome printed = headlight_program("compare " + out + "/*seed=0");
  CHECK(printed.status == 0);
  std::size_t at = 0;  // one part after the other
  for (const std::string& part :
       {std::string("Settings that differ:\n\n"), std::string("Results:\n\nrun "),
        out + "/heads=1_seed=0: ", out + "/heads=2_seed=0: ", std::string("\nloss (nats):\n\nstep "),
        std::string("\naccuracy:\n\nstep "), std::string("\nbest induction:\n\nstep ")}) {
    INFO(part);
    CHECK(contains(printed.out.substr(at), part));
    at = printed.out.find(part, at);
  }
  for (const char* part : {"Settings that differ:", "heads", "accuracy", "best induction"})
    CHECK(contains(printed.out, part));
  for (const std::size_t columns : {40, 80, 200})
    for (const std::string& command : {"compare " + out + "/*seed=0",
                                       "sweep --seeds 0..1 --set heads=1,2 " + kSmallRun + "--out " + out}) {
      const Outcome o = headlight_program(command, fmt::format("COLUMNS={}", columns));
      INFO(o.out);
      for (const std::string& line : text_lines(o.out))
        if (!contains(line, out)) CHECK(display_width(line) <= columns);  // a path is not broken
    }
}

TEST_CASE("a sweep with a failed run ends with status 1", "[program]") {
  const TemporaryFolder folder;
  const Outcome o =
      headlight_program("sweep --set lr=0.001,1e38 --optimizer sgd --clip 0 --warmup 0 --heads 2 " +
                        kSmallRun + "--out " + (folder.path() / "s").string());
  CHECK(o.status == 1);
  CHECK(contains(o.out, "training stopped at step"));
  CHECK(contains(o.err, "2/2 runs, 1 failed\n"));
}

TEST_CASE("a sweep that is stopped names the files that it wrote", "[program]") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "s").string();
  const Outcome o = headlight_program(
      "sweep --seeds 0..1 --jobs 1 --d-model 16 --heads 2 --history 0 --steps 1000000000 --out " + out,
      "timeout --preserve-status -s INT 2");
  INFO(o.out << o.err);
  CHECK(o.status == 130);
  for (const std::string name : {"sweep.json", "sweep.csv", "sweep.html"}) {
    CHECK(contains(o.out, name));
    CHECK(std::filesystem::exists(out + "/" + name));
  }
  CHECK_FALSE(std::filesystem::exists(out + "/sweep.svg"));
}

TEST_CASE("sweeps and comparisons that make no sense get one sentence", "[program]") {
  check_refused("sweep", "--set heads=1,2,4, or --seeds 0..9");
  check_refused("sweep --set haeds=1", "Did you mean 'heads'?");
  check_refused("sweep --seeds 3..1", "end before they begin");
  check_refused("sweep --seeds 0..1 --seed 4", "--seed and --seeds exclude each other");
  check_refused("sweep --set heads=1,2 --heads 4", "--heads is given one value");
  check_refused("sweep --set layers=0,1 --out /tmp/none", "layers must be at least 1");
  check_refused("sweep --seeds 0..1 --jobs -1", "--jobs must be at least 0");
  check_refused("compare /tmp", "at least two runs");
  check_refused("compare /tmp/none /tmp/none2", "holds no run");
}
