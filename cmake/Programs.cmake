# Further dependencies of programs and tests.
find_package(CLI11 2 REQUIRED)
