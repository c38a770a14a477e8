// The results of the tests, from what ctest writes.
#include "course/check/test_results.h"

#include "catch.h"
#include "course/check/build.h"

using namespace headlight;
using namespace headlight::course;

namespace {

const char* const kJunit = R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="all" tests="6">
	<testcase name="a &lt; b &amp; &quot;c&quot;" classname="a" time="0.001" status="run">
		<system-out>fine
</system-out>
	</testcase>
	<testcase name="gemm" classname="gemm" time="0.001" status="fail">
		<failure message=""/>
		<system-out>one
two &lt;name="x"&gt;
gemm_test.cpp:3: FAILED
</system-out>
	</testcase>
	<testcase name="browser: one" classname="b" time="0.001" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>skipped: Chromium is not installed
more
</system-out>
	</testcase>
	<testcase name="browser: two" classname="b" time="0.001" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>skipped: Chromium is not installed
</system-out>
	</testcase>
	<testcase name="gone" classname="gone" time="0" status="notrun">
		<skipped message="Unable to find executable"/>
		<system-out>Unable to find executable: /gone</system-out>
	</testcase>
	<testcase name="off" classname="off" time="0" status="disabled">
		<system-out>Disabled</system-out>
	</testcase>
</testsuite>
)";

}  // namespace

TEST_CASE("the results of the tests are read from the JUnit file", "[course]") {
  const auto results = test_results(kJunit);
  REQUIRE(results.size() == 6);
  CHECK(results[0].name == "a < b & \"c\"");
  CHECK(results[1].output == "one\ntwo <name=\"x\">\ngemm_test.cpp:3: FAILED\n");
  CHECK(count_line(results) == "1 passed, 2 failed, 2 skipped");
  CHECK(count_line({{"a", TestResult::passed, ""}}) == "1 passed, 0 failed");
  CHECK(test_results("<testsuite tests=\"0\"/>").empty());
}

TEST_CASE("failed tests are shown with the end of their output, and listed", "[course]") {
  CHECK(failures_text(test_results(kJunit), 2) ==
        "--- gemm\ntwo <name=\"x\">\ngemm_test.cpp:3: FAILED\n--- gone\nUnable to find executable: /gone\n"
        "\nFailed:\n  gemm\n  gone\n");
  CHECK(failures_text({{"a", TestResult::passed, "x"}}, 2).empty());
}

TEST_CASE("each reason to skip tests is given once", "[course]") {
  CHECK(reasons_of_skipped(test_results(kJunit)) == std::vector<std::string>{"Chromium is not installed"});
}

TEST_CASE("the errors of a build are its log without ninja's status lines", "[course]") {
  CHECK(errors_of("ninja: Entering directory `b'\n[1/2] Building x\nx.cpp:1: error\nFAILED: y\n", 9) ==
        "x.cpp:1: error\nFAILED: y\n");
  CHECK(errors_of("a\nb\nc\n", 2) == "a\nb\n");
}
