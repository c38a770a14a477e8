# Doxygen's input filter: reads a header of Headlight with its plain comments, and prints it with Doxygen's.
#   // before a declaration     becomes  /** */ and is repeated for the declarations that follow without a blank line,
#                                              also behind the last line of a struct or of a body
#   // behind a declaration     becomes  ///<
#   // in the file's first line documents the file, whose names join the group of its component
# Lines that are indented or set in columns stay as they are. No line moves, so warnings name the right one.

function escaped(s) {
  gsub(/[\\@<>&#%]/, "\\\\&", s)
  gsub(/\/\*/, "/\\&lowast;", s)
  while (match(s, /`[^`]+`/)) s = substr(s, 1, RSTART - 1) "<tt>" substr(s, RSTART + 1, RLENGTH - 2) "</tt>" substr(s, RSTART + RLENGTH)
  return s
}
function in_columns(s) { return s ~ /^ / || s ~ /[^ ]   +[^ ]/ }

# Prints the comment that is held, as documentation or unchanged, and keeps it for the declarations that follow.
function print_held(as_docs,    i, line, joined) {
  for (i = 1; i <= held; ++i) {
    if (!as_docs) { print indent "//" (text[i] == "" ? "" : " ") text[i]; continue }
    joined = joined " " escaped(text[i])
    line = in_columns(text[i]) ? text[i] : escaped(text[i])
    if (i == 1) line = "/** " prefix (in_columns(text[1]) ? "\\verbatim " : "") line
    if (i < held && !in_columns(text[i]) && in_columns(text[i + 1])) line = line " \\verbatim"
    if (in_columns(text[i]) && (i == held || !in_columns(text[i + 1]))) line = line " \\endverbatim"
    print indent line (i == held ? joins " */" : "")
  }
  shared = as_docs ? joined joins : ""
  held = 0; prefix = ""
}

BEGIN {
  split("core engine system engine autograd engine ops ops nn layers optim training tasks training train training " \
        "interpret interpretation studies interpretation run runs lab runs page runs sweep runs app runs draw drawing", words, " ")
  for (i = 1; i in words; i += 2) group_of[words[i]] = words[i + 1]
}
FNR == 1 {
  parts = split(FILENAME, path, "/")
  group = group_of[path[parts - 1]]
  prefix = "\\file\n"
}
body != "" {  # of a function
  if (index($0, body) == 1) { body = ""; shared = outer[begin] }
  print
  next
}
/^ *\/\// {
  at = index($0, "//")
  line = substr($0, at + 2); sub(/^ /, "", line)
  if (behind && at == behind) { print substr($0, 1, at - 1) "///< " escaped(line); next }
  if (!held) indent = substr($0, 1, at - 1)
  text[++held] = line
  next
}
{
  behind = 0
  documented = held
  if ($0 ~ /^namespace reference/) group = ""  # it has the same names
  joins = group && $0 ~ /^[^ #}]/ && $0 !~ /^namespace/ ? " \\ingroup " group : ""
  if (held) print_held($0 != "")
  if ($0 == "") shared = ""
  code = $0
  if (code !~ /^}/ && match(code, /[;,{})] +\/\/ /)) {
    behind = index(code, "// ")
    code = substr($0, 1, behind - 1) "///< " escaped(substr($0, behind + 3)) joins
    bare = substr($0, 1, behind - 1); sub(/ +$/, "", bare)
  } else bare = code
  if (!inside) {
    match(bare, /^ */); begin = substr(bare, 1, RLENGTH)
    if (shared != "" && !documented && bare !~ /^ *[}#]/ && !behind) code = begin "/** " shared "*/ " substr(code, RLENGTH + 1)
  }
  inside = bare !~ /[;{}:]$/ && bare != ""
  if (bare ~ /\)[^()]*\{$/) body = begin "}"
  if (bare ~ /\{$/ && bare !~ /^namespace /) { outer[begin] = shared; shared = "" }
  if (bare ~ /^ *\};$/) shared = outer[begin]  # a function that follows at once
  if (joins && !documented && code !~ /^\/\*\*/ && bare ~ /^(struct|class|enum|using) .*[{=]/) code = "/**" joins " */ " code
  print code
}
