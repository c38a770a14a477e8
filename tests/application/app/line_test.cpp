// What a user types: the commands there are, and errors in the user's own words.
#include <array>
#include <regex>
#include <set>

#include "program.h"

using namespace headlight;

namespace {

const std::filesystem::path kSource = HEADLIGHT_SOURCE_DIR;

// The first group of every match.
std::set<std::string> found_in(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

}  // namespace

TEST_CASE("the overview has every command of the program and of the script ./headlight", "[program]") {
  std::set<std::string> commands;
  for (const std::string& label : found_in(read_file(kSource / "headlight"), "\n  ([a-z |]+)\\)\n"))
    commands.merge(found_in(label, "([a-z]+)"));
  for (const char* name : {"mutants", "lessons"}) CHECK(commands.contains(name));
  commands.insert({"bench", "paper"});
  for (const char* folder : {"commands", "full"})
    for (const auto& file : std::filesystem::directory_iterator(kSource / "src/application/app" / folder))
      if (file.is_regular_file())
        commands.merge(found_in(read_file(file.path()), "program\\.add_subcommand\\(\\s*\"([a-z]+)\""));
  CHECK(commands.contains("runs"));
  CHECK(found_in(headlight_program("").out, "\n  ./headlight ([a-z]+) ") == commands);
  CHECK(headlight_program("--help").out == headlight_program("").out);
}

TEST_CASE("the help of bench has the benchmarks of the script ./headlight", "[program]") {
  const std::string help = headlight_program("bench --help").out;
  for (const std::string& name : found_in(read_file(kSource / "headlight"), "\"bench ([a-z]+)\"\\)"))
    CHECK(contains(help, "\n  " + name + " "));
  CHECK(contains(help, "\n  kernels "));
  check_refused("bench kernels", "./headlight builds and starts it");
}

TEST_CASE("the help of train has the settings by part, with their defaults", "[program]") {
  const std::string help = headlight_program("train --help").out;
  const auto at = [&](const std::string& part) {
    INFO(part);
    CHECK(contains(help, part));
    return help.find(part);
  };
  CHECK(at("\nTask:\n") < at("--context INT"));
  CHECK(at("--context INT") < at("\nModel:\n"));
  CHECK(at("\nModel:\n") < at("--layers INT"));
  CHECK(at("--layers INT") < at("\nTrain:\n"));
  for (const char* with_default : {"Layers (2)", "Learning rate (0.007)", "Random seed (0)"})
    at(with_default);
}

TEST_CASE("a mistyped word gets the nearest one and those there are", "[program]") {
  check_refused("trian --steps 5", "there is no command 'trian'. Did you mean 'train'? The commands: ");
  check_refused("train --stpes 3",
                "train has no flag '--stpes'. Did you mean '--steps'? Its flags: --help, ");
  check_refused("train --d_model=3", "train has no flag '--d_model'. Did you mean '--d-model'?");
  check_refused("bench scaling --rouns 3", "bench scaling has no flag '--rouns'. Did you mean '--rounds'?");
  check_refused("--odd", "./headlight has no flag '--odd'. Its flags: --help, --version.");
  check_refused("plot a b", "plot: 'b' is one argument too many.");
  check_refused("train --bias 3", "train: '3' is one argument too many.");
  check_refused("train --optimizer adamv", "Did you mean 'adamw'?");
}

TEST_CASE("flags with the wrong number of values are named first", "[program]") {
  check_refused("plot x --layer", "headlight: --layer needs a value.");
  check_refused("train --layers 2 --layers 3", "headlight: --layers is given more than once.");
  check_refused("plot x --step a", "headlight: --step: expected a whole number, got 'a'.");
}

TEST_CASE("an error names what the user typed: a flag, or a key of the file", "[program]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "my.json").string(), with = "train --config " + file;
  write_file(file, R"({"model": {"n_heads": 5}})");
  check_refused("train --heads 5", "headlight: --d-model 64 is not divisible by --heads 5. Hint: ");
  check_refused(with, "with '" + file + "': model.d_model = 64 is not divisible by model.n_heads = 5.");
  check_refused(with + " --d-model 32", "--d-model 32 is not divisible by model.n_heads = 5.");
  check_refused("train --shards 5", "5 equal shards. Hint: --shards 4 divides it.");
  write_file(file, R"({"train": {"steps": 0}})");
  check_refused(with, "with '" + file + "': train.steps must be at least 1, got 0.");
  write_file(file, R"({"train": {"stpes": 3}})");
  check_refused(with, "with '" + file + "': the config has an unknown key 'train.stpes'");
  write_file(file, "{");
  check_refused(with, "with '" + file + "': the config cannot be read: line 1 is not valid JSON");
}

TEST_CASE("what is suggested for a small vocabulary works", "[program][long]") {
  const TemporaryFolder folder;
  const std::string tiny =
      "train --d-model 16 --heads 2 --steps 1 --history 0 --force --out " + (folder.path() / "run").string();
  for (const std::string asked :
       {" --vocab 10", " --vocab 10 --min-segment 12", " --vocab 4", " --task copy --vocab 10",
        " --min-segment 2 --vocab 32", " --vocab 10 --fixed-offset --task copy"}) {
    const Outcome o = headlight_program(tiny + asked);
    INFO(asked << ": " << o.err);
    CHECK(o.status == 2);
    std::smatch hint;
    REQUIRE(std::regex_search(
        o.err, hint,
        std::regex("Hint: (--max-segment [0-9]+)( and (--min-segment [0-9]+))?, or --repeats\\.")));
    std::string flags = asked + " " + hint[1].str();
    if (hint[3].matched)
      flags = flags.substr(0, flags.find(" --min-segment")) + " " + hint[1].str() + " " + hint[3].str();
    CHECK(headlight_program(tiny + flags).status == 0);
    CHECK(headlight_program(tiny + asked + " --repeats").status == 0);
  }
}

TEST_CASE("a number that no type can hold is refused", "[program]") {
  const std::string large = "99999999999999999999", unsigned_most = "18446744073709551615",
                    signed_most = "9223372036854775807";
  const auto expected = [&](const std::string& flag, const std::string& most) {
    return flag + ": expected a whole number of at most " + most + ", got '" + large + "'";
  };
  for (const auto& [command, flag, most] : {std::array<std::string, 3>{"demo", "--seed", unsigned_most},
                                            {"demo", "--steps", signed_most},
                                            {"task copy", "--seed", unsigned_most},
                                            {"task copy", "--count", unsigned_most},
                                            {"generate none --prompt A", "--seed", unsigned_most},
                                            {"generate none --prompt A", "--tokens", signed_most},
                                            {"generate none --prompt A", "--top-k", unsigned_most},
                                            {"train", "--seed", unsigned_most},
                                            {"train", "--steps", signed_most}})
    check_refused(command + " " + flag + " " + large, expected(flag, most));
  check_refused("train --steps -" + large,
                "--steps: expected a whole number of at least -9223372036854775808");
  check_refused("generate none --prompt A --tokens -" + large, "of at least -9223372036854775808");
  CHECK(headlight_program("task copy --no-color --seed " + unsigned_most).status == 0);
}

TEST_CASE("numbers of every flag are decimal", "[program]") {
  CHECK(headlight_program("task copy --no-color --seed 010").out ==
        headlight_program("task copy --no-color --seed 10").out);
  for (const std::string number : {"0x10", "1_000", "+5", "' 5'", "1e3", "nan", "5x", "\xEF\xBC\x95"}) {
    check_refused("plot x --step " + number, "--step: expected a whole number, got '");
    check_refused("plot x --layer " + number, "--layer: expected a whole number of at least 0, got '");
    check_refused("train --steps " + number, "--steps: expected a whole number, got '");
    check_refused("sweep --seeds 0 --set layers=" + number,
                  "layers: expected a whole number of at least 0, got '");
  }
  for (const std::string number : {"nan", "inf", "0x1p3", "1,5"}) {
    check_refused("train --lr " + number, "--lr: expected a number, got '");
    check_refused("generate x --prompt A --temperature " + number, "--temperature: expected a number, got '");
  }
  check_refused("train --lr 1e999", "--lr: expected 0, or a number of size 2e-308 to 2e+308, got '1e999'.");
  check_refused("demo --threads 2147483648", "--threads: the number '2147483648' is out of range.");
}

TEST_CASE("words from outside stand in an error in one line, which is cut", "[program]") {
  check_refused("heads \"$(printf 'a\\033[2Jb\\nc')\"", "there is no run 'a␛[2Jb↵c'. Hint: ");
  check_refused("heads \"$(printf %060000d 0)\"", "0…0");
  check_refused("train --\"$(printf %060000d 0)\"", "train has no flag '--0000");
  check_refused("plot x --step \"$(printf '5\\377')\"",
                "--step: expected a whole number, got '5\xEF\xBF\xBD'.");
}

TEST_CASE("a standard error that is closed or full changes no exit status", "[program]") {
  for (const std::string to : {"2>&-", "2>/dev/full"}) {
    CHECK(headlight_program("heads none " + to).status == 2);
    CHECK(headlight_program("glossary " + to).status == 0);
    CHECK(headlight_program("task copy --hops 3 " + to).status == 0);  // with a note
  }
  check_refused("glossary >&-", "headlight: cannot write to standard output.");
  check_refused("glossary >/dev/full", "headlight: cannot write to standard output.");
}
