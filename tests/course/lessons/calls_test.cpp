// Which functions of the library a part of a learner's file calls.
#include "verdict/calls.h"

#include "catch.h"

using namespace headlight::grader;

namespace {

// The line and the name of what is found: "3 softmax"; "" for nothing.
std::string found_in(const std::string& body, const std::string& before = "") {
  const auto call = forbidden_call(before + "Tensor part(const Tensor& x) {\n" + body + "\n}\n", "part",
                                   {"softmax", "backward", "AdamW"});
  return call ? std::to_string(call->line) + " " + call->name : "";
}

}  // namespace

TEST_CASE("a call of a function that does the part's work is found", "[grader]") {
  CHECK(found_in("return softmax(x);") == "2 softmax");
  CHECK(found_in("const Tensor y = 2 * headlight::softmax (x, -1);") == "2 softmax");
  CHECK(found_in("if (true)\n  y = exp(x) - softmax(x);") == "3 softmax");
  CHECK(found_in("sum(x).backward();") == "2 backward");
  CHECK(found_in("optim::AdamW optimizer({x}, {});") == "2 AdamW");
  CHECK(found_in("#define NOTHING\nreturn [&] { return softmax(x); }();") == "3 softmax");
}

TEST_CASE("names that call nothing are none", "[grader]") {
  CHECK(found_in("return exp(x);  // softmax(x)\n/* softmax(x) */") == "");
  CHECK(found_in("note(\"softmax(x) is \\\" no call\", 'x');") == "");
  CHECK(found_in("const Tensor softmax = exp(x);\nreturn softmax;") == "");
  CHECK(found_in("Tensor softmax(x.array());\nreturn softmax;") == "");
  CHECK(found_in("return masked_softmax(x) + stable_softmax(x);") == "");
  CHECK(found_in("return softmax(x);", "Tensor softmax(const Tensor& x) { return exp(x); }\n") == "");
}

TEST_CASE("what a part calls of its file is read too, and no other part", "[grader]") {
  const std::string helpers =
      "#include \"exercise.h\"\nnamespace {\nTensor helper(const Tensor& x) { return softmax(x); }\n}\n"
      "const auto through = [](const Tensor& x) { return helper(x); };\n";
  CHECK(found_in("return helper(x);", helpers) == "3 softmax");
  CHECK(found_in("return through(x);", helpers) == "3 softmax");
  CHECK(found_in("return exp(x);", helpers) == "");
  CHECK(found_in("return part(x);") == "");
  const auto quotient =
      forbidden_call("S operator/(S a, S b) { return softmax(a); }", "operator/", {"softmax"});
  REQUIRE(quotient);
  CHECK(quotient->line == 1);
  CHECK_FALSE(forbidden_call("S operator/(S a, S b) { return softmax(a); }", "operator*", {"softmax"}));
}

TEST_CASE("which functions of the file a part calls is known, operators by the types that they are for",
          "[grader]") {
  const std::string file =
      "S operator/(const S& a, const S& b) { return a; }\n"
      "double half(double x) { return x / 2; }\n"
      "double quarter(double x) { return half(half(x)); }\n"
      "double fit(double x) { const S s(x); return quarter((s / s).value); }\n";
  using Names = std::set<std::string>;
  CHECK(own_calls(file, "half") == Names{});
  CHECK(own_calls(file, "quarter") == Names{"half"});
  CHECK(own_calls(file, "fit") == Names{"half", "quarter", "operator/"});
}

TEST_CASE("a file that is no whole C++ is read without harm", "[grader]") {
  for (const char* text : {"", "part(", "Tensor part() {", "}}}", "\"", "'", "/*", "R\"(", "part = ", "#"})
    CHECK_FALSE(forbidden_call(text, "part", {"softmax"}));
}
