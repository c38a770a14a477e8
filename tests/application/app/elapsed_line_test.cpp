#include "app/output/elapsed_line.h"

#include <memory>
#include <thread>

#include "catch.h"
#include "headlight/system/files.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace std::chrono_literals;
using app::ElapsedLine;

namespace {

// A file that is written as standard error is, and read meanwhile.
struct Written {
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "errors";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen(path.c_str(), "w"), std::fclose};

  std::string text() const { return read_file(path); }
  std::string once_there_is(const std::string& part) const {
    while (!contains(text(), part)) std::this_thread::sleep_for(1ms);
    return text();
  }
};

}  // namespace

TEST_CASE("what takes long shows life, and leaves an empty line", "[app]") {
  const Written written;
  ElapsedLine terminal("the first step", written.file.get(), true, {.quiet = 1ms, .redraw = 1ms});
  CHECK(written.once_there_is("so far\x1b[K\r").starts_with("\rthe first step has taken 0 s so far\x1b[K\r"));
  terminal.over();
  const std::string then = written.text();
  CHECK(then.ends_with(" so far\x1b[K\r\x1b[K"));
  std::this_thread::sleep_for(20ms);
  CHECK(written.text() == then);
}

TEST_CASE("elsewhere than on a terminal it is one line", "[app]") {
  const Written written;
  ElapsedLine step("the first step", written.file.get(), false, {.redraw = 1ms, .line = 1ms});
  CHECK(written.once_there_is("\n") == "the first step has taken 0 s so far\n");
  std::this_thread::sleep_for(20ms);
  step.over();
  CHECK(written.text() == "the first step has taken 0 s so far\n");
}

TEST_CASE("what is short writes nothing", "[app]") {
  const Written written;
  {
    ElapsedLine step("the first step", written.file.get(), true);
    step.over();
    ElapsedLine left("saving", written.file.get(), false);
  }
  CHECK(written.text().empty());
}
