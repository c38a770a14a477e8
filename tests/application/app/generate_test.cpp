// generate, as typed.
#include "program.h"

using namespace headlight;

namespace {

std::string run_of(const TemporaryFolder& folder, const std::string& flags) {
  const std::string run = (folder.path() / "run").string();
  const Outcome o = headlight_program(
      "train " + flags + " --context 16 --d-model 16 --heads 2 --batch 8 --history 0 --steps 1 --out " + run);
  INFO(o.err);
  REQUIRE(o.status == 0);
  return run;
}

}  // namespace

TEST_CASE("what generate cannot do is refused before it writes", "[program]") {
  const TemporaryFolder folder;
  const std::string generate = "generate " + run_of(folder, "--vocab 12") + " --prompt ABC ";
  check_refused(generate + "--temperature -1",
                "--temperature must be a finite number of at least 0, got -1. Hint: ");
  for (const std::string heat : {"nan", "inf", "-inf"})
    check_refused(generate + "--temperature " + heat,
                  "--temperature: expected a number, got '" + heat + "'.");
  for (const char* kept : {"-1", "1.5", "x"})
    check_refused(generate + "--top-k " + kept, "--top-k: expected a whole number of at least 0, got '");
  check_refused(generate + "--source AB", "this model has no encoder, so it takes no source. Hint: ");
  const Outcome two = headlight_program(generate + "--tokens 2 --temperature 0 --top-k 3");
  CHECK(two.status == 0);
  CHECK((two.out.size() == 6 && two.out.starts_with("ABC")));  // the prompt, two letters, and a line feed
  CHECK((two.err.starts_with("headlight: 2 tokens in 0.") && two.err.ends_with(" a second\n")));
}

TEST_CASE("generate says how to ask an encoder-decoder", "[program]") {
  const TemporaryFolder folder;
  const std::string generate =
      "generate " + run_of(folder, "--vocab 18 --task reverse --architecture encoder-decoder");
  check_refused(generate + " --prompt '|'", "Hint: --source TOKENS; --prompt begins with '|'.");
  check_refused(generate + " --prompt '|' --source ABCDEFGHI",
                "a source of 9 tokens does not fit the encoder: expected at most 8.");
  const Outcome o = headlight_program(generate + " --prompt '|' --source ABCD --tokens 4");
  CHECK(o.status == 0);
  CHECK(o.out.starts_with("|"));
  CHECK(contains(headlight_program("generate --help").out, "begins with '|'"));
}
