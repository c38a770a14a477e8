# What ./headlight does otherwise in an unpacked archive, where it reads this file: all is built, and nothing is installed.
export PATH="$build/tools:$PATH"  # ninja
install() { :; }
wants() { :; }
build() { :; }
build_engine() { :; }

case " $* " in
  " test "* | " mutants "* | " hunt "* | " fuzz "* | " install "* | " reference "* | " site "* | " package "* | " puzzle "* | " bench kernels "*)
    die "'$1' takes the sources: this is the archive, in which the programs are built already." ;;
  " start"*" --class"*) die "'start --class' takes the sources: this is an archive or a class's folder." ;;
esac

# The compiler of the learner's files. With another one, or another version, ninja compiles them anew.
find_compiler() {
  [ -w "$build" ] || die "'$1' writes into '$build', which it may not. Hint: work in a copy of your own: cp -r '$root' ~/headlight"
  for cxx in ${CXX:-} c++ g++ clang++; do
    have "$cxx" || continue
    version=$("$cxx" -dumpversion) of_compiler=
    case $("$cxx" --version) in
      *clang*) [ "${version%%.*}" -lt 19 ] ||
        of_compiler="-fno-relaxed-template-template-args -Wno-deprecated-no-relaxed-template-template-args"
        least=14 ;;
      *) least=12 ;;
    esac
    [ "${version%%.*}" -ge "$least" ] || continue
    found=$(printf '%s\n' "cxx = $cxx" "of_compiler = $of_compiler" "version = $version")
    [ "$found" = "$(cat "$build/compiler.ninja" 2>/dev/null)" ] || printf '%s\n' "$found" >"$build/compiler.ninja"
    return 0
  done
  die "'$1' compiles what you wrote, which takes g++ 12, clang++ 14 or a newer one: on Debian and Ubuntu, \`apt-get install g++\` as root. Without a compiler you can read (book, lesson), train (demo, train, lab) and look inside (report, heads, certify)."
}
# The program of a lesson is built already. Where its text was edited, which makes it newer, it is built anew.
build_edited() {
  for source in "$root/lessons/${1#0}"_*/lesson.cpp "$root/lessons/0${1#0}"_*/lesson.cpp; do
    lesson=${source%/lesson.cpp} lesson=${lesson##*/}
    [ "$source" -nt "$build/lessons/lesson_$lesson" ] || continue
    find_compiler lesson
    cd "$build"
    logged "head -n 60" "the lesson's program could not be built" ninja --quiet "lessons/edited_$lesson"
    cp "lessons/edited_$lesson" "lessons/lesson_$lesson"
    cd "$OLDPWD"
  done
}
case $help${1-} in
  check | watch | show | hint | class) find_compiler "$1" ;;
  lesson) build_edited "${2-}" ;;
esac
export HEADLIGHT_ARCHIVE=1  # the list of commands then leaves out those that are refused above
