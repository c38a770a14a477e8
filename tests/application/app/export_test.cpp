// export, as typed.
#include "program.h"

using namespace headlight;

namespace {

// A run of an encoder-decoder in a folder whose name has a space.
std::string run_of_reversing(const TemporaryFolder& folder) {
  const std::string run = (folder.path() / "my run").string();
  const Outcome o = headlight_program(
      "train --task reverse --architecture encoder-decoder --vocab 18 --context 16 --d-model 16 --heads 2 "
      "--batch 8 --history 0 --steps 1 --out '" +
      run + "'");
  INFO(o.err);
  REQUIRE(o.status == 0);
  return run;
}

}  // namespace

TEST_CASE("export prints a call that a shell and the model understand", "[program]") {
  const TemporaryFolder folder;
  const std::string run = run_of_reversing(folder), file = (folder.path() / "my model.py").string();
  const Outcome o = headlight_program("export '" + run + "' --torch '" + file + "'");
  INFO(o.out << o.err);
  CHECK(o.status == 0);
  CHECK(contains(o.out, "python3 '" + file + "' '" + run + "/model.safetensors' 0 --source 1 2 3\n"));

  const std::string bits = (folder.path() / "bits").string();
  CHECK(headlight_program("train --task parity --context 2 --d-model 16 --heads 2 --batch 8 --history 0 "
                          "--steps 1 --out " +
                          bits)
            .status == 0);
  const Outcome small = headlight_program("export " + bits + " --torch " + bits + ".py");
  CHECK(small.out == "The model is in " + bits + ".py; it reads " + bits +
                         "/model.safetensors. This prints the logits after some tokens:\n  python3 " + bits +
                         ".py " + bits + "/model.safetensors 1 0\n");
  CHECK(headlight_program("export " + bits + " --npz " + bits + ".npz").out ==
        "The parameters are in " + bits + ".npz: numpy.load(\"" + bits + ".npz\")\n");
  CHECK(small.err.empty());
  CHECK(contains(o.err, "Note: Python cannot import '" + file + "' as a module: expected letters"));
  for (const char* name : {"2bits.py", "bits.txt", "my-bits.py"}) {
    const Outcome refused = headlight_program("export " + bits + " --torch " + bits + "/" + name);
    INFO(name);
    CHECK(contains(refused.err, "as a module"));
  }
}

TEST_CASE("two files of one command cannot be the same", "[program]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "x").string(), same = (folder.path() / "none/../x").string();
  check_refused("export /tmp/none --npz " + file + " --torch " + same,
                "--npz and --torch name the same file, '" + file + "'");
  for (const char* picture : {"--svg ", "--png "})
    check_refused("compare /tmp/none /tmp/none2 --html " + file + " " + picture + file,
                  " name the same file, '");
  CHECK_FALSE(std::filesystem::exists(file));
}
