# What programs and tests take from elsewhere besides.
find_package(CLI11 2 REQUIRED)
