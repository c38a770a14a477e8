// What a learner is shown of what the compilers print.
#include "course/check/compile_error.h"

#include "catch.h"
#include "course/check/plain_types.h"

using namespace headlight;
using namespace headlight::course;

namespace {

constexpr const char* kFile = "my/01_tensors.cpp";

CompileError found(const std::string& log) {
  const auto error = first_error(log, kFile);
  REQUIRE(error);
  return *error;
}

}  // namespace

TEST_CASE("the first error of the learner's file is shown, not one after it", "[course]") {
  const CompileError e = found(
      "[1/3] Building CXX object my/01_tensors.cpp.o\nFAILED: x.o\n/usr/bin/c++ -c "
      "/home/me/my/01_tensors.cpp\n"
      "/home/me/my/01_tensors.cpp: In function ‘double f()’:\n"
      "/home/me/my/01_tensors.cpp:12:9: warning: unused variable ‘y’\n"
      "/home/me/my/01_tensors.cpp:14:5: error: ‘x’ was not declared in this scope\n"
      "/home/me/my/01_tensors.cpp:15:5: error: expected ‘;’ before ‘return’\n");
  CHECK(e.line == 14);
  CHECK(e.column == 5);
  CHECK(e.message == "'x' was not declared in this scope");
  CHECK(contains(e.explanation, "does not know this name"));
}

TEST_CASE("an error in a header is one of the learner's line that led there", "[course]") {
  const CompileError g = found(
      "In file included from /lib/a.h:3,\n                 from /home/me/my/01_tensors.cpp:1:\n"
      "/lib/a.h: In instantiation of ‘T g(T) [with T = int]’:\n"
      "/home/me/my/01_tensors.cpp:21:8:   required from here\n"
      "/lib/a.h:99:3: error: no match for ‘operator*’ (operand types are ‘A’ and ‘B’)\n");
  CHECK(g.line == 21);
  CHECK(contains(g.explanation, "no such operator"));
  const CompileError clang = found(
      "/lib/a.h:99:3: error: invalid operands to binary expression ('A' and 'B')\n"
      "/home/me/my/01_tensors.cpp:22:8: note: in instantiation of function template specialization "
      "'g<int>'\n");
  CHECK(clang.line == 22);
}

TEST_CASE("common messages of g++ and clang are explained", "[course]") {
  const auto explained = [](const std::string& message) {
    return found("/home/me/my/01_tensors.cpp:1:1: error: " + message + "\n").explanation;
  };
  CHECK(contains(explained("expected ‘;’ before ‘}’ token"), "semicolon"));
  CHECK(contains(explained("expected ';' after return statement"), "semicolon"));
  CHECK(contains(explained("‘vector’ was not declared in this scope; did you mean ‘std::vector’?"), "std::"));
  CHECK(contains(explained("use of undeclared identifier 'max'"), "std::"));
  CHECK(contains(explained("could not convert ‘x’ from ‘headlight::f64::Tensor’ to "
                           "‘headlight::f64::Array’ {aka ‘xt::xarray_container<double>’}"),
                 "t.array()"));
  CHECK(contains(
      explained("could not convert ‘a’ from ‘Array’ {aka ‘xt::xarray<double>’} to ‘headlight::f64::Tensor’"),
      "A Tensor is needed"));
  CHECK(contains(explained("too few arguments to function ‘double f(int)’"), "another number of arguments"));
  CHECK(contains(explained("no return statement in function returning non-void [-Werror=return-type]"),
                 "return"));
  CHECK(contains(explained("expected ‘}’ at end of input"), "no matching }"));
  CHECK(contains(explained("narrowing conversion of ‘-1’ from ‘int’ to ‘std::size_t’"), "static_cast"));
  CHECK(contains(explained("‘struct Scalar’ has no member named ‘grad’"), "no such member"));
  CHECK(explained("something new").empty());
}

TEST_CASE("a part that the linker misses has another name or signature", "[course]") {
  const CompileError e =
      found("/usr/bin/ld: check.o: undefined reference to `sum_back(int)'\ncollect2: error: ld returned 1\n");
  CHECK(e.line == 0);
  CHECK(contains(e.message, "'sum_back(int)' is missing"));
  CHECK(contains(e.explanation, "signature"));
  const CompileError ours = found("ld: mine.o: undefined reference to `solution::sum_back(int)'\n");
  CHECK(ours.message == "our solution cannot be called: 'solution::sum_back(int)'");
  CHECK(ours.explanation == "Write the part yourself.");
}

TEST_CASE("a name that the checker has too is explained", "[course]") {
  const CompileError e = found(
      "/usr/bin/ld: x/my/01_tensors.cpp.o: in function `main':\n/home/me/build/../my/01_tensors.cpp:63: "
      "multiple definition of `main'; check.cpp.o:check.cpp:(.text+0x2cee): first defined here\n");
  CHECK(e.line == 63);
  CHECK(e.message == "defined twice: 'main'");
  CHECK(contains(e.explanation, "give yours another"));
  const CompileError without_line = found(
      "/usr/bin/ld: x/my/01_tensors.cpp.o:01_tensors.cpp:(.text+0x0): multiple definition of "
      "`solution::f(int)'; check.cpp.o:check.cpp:(.text+0x2c): first defined here\n");
  CHECK(without_line.line == 0);
  CHECK(without_line.message == "defined twice: 'solution::f(int)'");
  CHECK(found("ld.lld: error: duplicate symbol: main\n>>> defined at check.cpp\n").message ==
        "defined twice: 'main'");
}

TEST_CASE("a line of any length is read", "[course]") {
  const std::string many(1'000'000, 'y');
  const std::string place = "/home/me/my/01_tensors.cpp:3:7: ";
  const CompileError error = found(place + "error: ‘" + many + "’ does not name a type\n");
  CHECK(error.line == 3);
  CHECK(contains(error.message, "'yyy"));
  CHECK(contains(found(place + "error: could not convert ‘Tensor’ to ‘Array" + many + "’\n").explanation,
                 "t.array()"));
  CHECK(contains(found("ld: undefined reference to `" + many + "'\n").message, many));
  CHECK_FALSE(first_error("3 | " + many + "\n", kFile));
}

TEST_CASE("what a line of code would do to a terminal is not done", "[course]") {
  const std::string text = error_text({1, 1, "stray '\x1b' \xff", ""}, kFile, "int \x1b[2J\xff;\n", 60);
  CHECK_FALSE(contains(text, "\x1b"));
  CHECK(contains(text, "    1 | int ␛[2J�;\n"));
}

TEST_CASE("a log without an error of code has none", "[course]") {
  CHECK_FALSE(first_error("ninja: error: loading 'build.ninja': No such file or directory\n", kFile));
}

TEST_CASE("an error takes ten lines of the width at most, with a caret under its column", "[course]") {
  const std::string source = "int a;\n  retrun 1; // " + std::string(200, 'x') + "\n";
  const std::string text = error_text({2, 3, std::string(300, 'm'), "Because."}, kFile, source, 60);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 10);
  std::istringstream lines(text);
  std::string line, before;
  bool caret = false;
  while (std::getline(lines, line)) {
    CHECK(line.size() <= 62);  // "…" is three bytes of one column
    if (line.ends_with('^')) caret = line.size() == before.find("retrun") + 1;
    before = line;
  }
  CHECK(caret);
  CHECK(text.starts_with("my/01_tensors.cpp:2:3: it does not compile.\n"));
}

TEST_CASE("types are shown as a learner writes them", "[course]") {
  CHECK(plain_types("no match for call to '(const loss_rise(const headlight::f64::nn::Transformer&, const "
                    "headlight::f64::tasks::Batch&, const std::vector<headlight::f64::interpret::HeadAt>&)::"
                    "<lambda(const headlight::f64::Tensor&)>) (int, headlight::f64::Tensor)'") ==
        "no match for a call of 'const lambda(const Tensor&)' with '(int, Tensor)'");
  CHECK(plain_types("could not convert 'a' from 'headlight_f64::Array' {aka "
                    "'xt::xarray_container<xt::uvector<double, headlight_f64::PoolAllocator<double> >, "
                    "(xt::layout_type)1, xt::svector<long unsigned int, 4> >'} to 'int'") ==
        "could not convert 'a' from 'Array' to 'int'");
  CHECK(
      plain_types("'std::vector<std::vector<long unsigned int, std::allocator<long unsigned int> >, "
                  "std::allocator<std::vector<long unsigned int, std::allocator<long unsigned int> > > >'") ==
      "'std::vector<std::vector<std::size_t>>'");
  CHECK(plain_types(
            "'xt::xarray_container<xt::uvector<int, std::allocator<int> >, (xt::layout_type)1>' and "
            "'xt::xfunction<xt::detail::plus, const double&>' and 'xt::svector<long unsigned int, 4>'") ==
        "'IntArray' and 'an expression of arrays' and 'Shape'");
  CHECK(plain_types(
            "no matching function for call to 'f(std::__cxx11::basic_string<char>)' [with T = A<int>]") ==
        "no matching function for call to 'f(std::string)'");
  for (const char* open : {"xt::svector<int", "f(int)::<lambda(", "no match for call to '(f", "'a' {aka 'b"})
    CHECK(plain_types(open) == open);
}

TEST_CASE("a long message is shown with its arguments, in at most four lines", "[course]") {
  const CompileError e = found(
      "/home/me/my/01_tensors.cpp:9:3: error: no match for call to ‘(const loss_rise(const "
      "headlight::f64::nn::Transformer&)::<lambda(const headlight::f64::Tensor&)>) (int)’\n");
  const std::string text = error_text(e, kFile, "", 60);
  CHECK(contains(text, "  no match for a call of 'const lambda(const Tensor&)' with\n  '(int)'\n"));
  CHECK(contains(text, "does not take these arguments"));
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word ";
  CHECK(contains(error_text({0, 0, words, ""}, kFile, "", 60), " …\n"));
}
