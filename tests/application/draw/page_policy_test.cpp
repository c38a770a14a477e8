// What pages may load and run.
#include "headlight/draw/page_policy.h"

#include "catch.h"

using namespace headlight;

// The hash of "abc", as in tests/application/system/sha256_test.cpp.
TEST_CASE("a page's policy allows its own style and script, and what it asks for", "[report]") {
  const std::string hash = "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='",
                    start = "default-src 'none'; style-src " + hash,
                    end = "; base-uri 'none'; form-action 'none'";
  CHECK(draw::content_policy({.style = "abc"}) == start + end);
  CHECK(draw::content_policy({.style = "abc", .script = "abc", .images = "data:"}) ==
        start + "; script-src " + hash + "; img-src data:" + end);
  CHECK(draw::content_policy({.style = "abc", .script = "abc", .engine = true}) ==
        start + "; script-src " + hash + " 'wasm-unsafe-eval'; worker-src blob:" + end);
}

TEST_CASE("the engine's modules are two elements of a page", "[report]") {
  CHECK(draw::engine_element("ab") == "<script type=\"application/gzip\" id=\"lab-engine\">YWI=</script>\n");
}
