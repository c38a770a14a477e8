#include "course_map.h"

#include <fmt/core.h>

#include "headlight/draw/dark.h"
#include "headlight/system/text.h"

namespace headlight::course {
namespace {

// In pixels. A column is as wide as a box and the way to the next column.
constexpr int kBoxWidth = 236, kBoxHeight = 76, kColumn = 330, kRow = 112, kLeft = 48, kTop = 96,
              kLegendRow = 26;

struct Place {
  int column, row;

  int left() const { return kLeft + column * kColumn; }
  int right() const { return left() + kBoxWidth; }
  int top() const { return kTop + row * kRow; }
  int middle() const { return top() + kBoxHeight / 2; }
};

std::string text_at(int x, int y, int size, const std::string& weight, const std::string& color,
                    const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"{}\" fill=\"{}\">{}</text>\n", x,
                     y, size, weight, color, escaped(text));
}

std::string box(const Lesson& lesson, const Place& at, const Progress& progress) {
  const LessonProgress& done = progress.of(lesson.folder);
  const bool solved = done.all_solved();
  std::string out = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{}\" stroke=\"{}\" "
      "stroke-width=\"1.5\"/>\n",
      at.left(), at.top(), kBoxWidth, kBoxHeight, solved ? "#fff1e0" : "#f4f7fb",
      solved ? "#b35400" : "#5c6675");
  const std::vector<std::string> title = wrapped(lesson.title, 20);
  out += text_at(at.left() + 14, at.top() + 28, 17, "600", "#b35400", lesson.number);
  for (std::size_t i = 0; i < title.size() && i < 2; ++i)
    out += text_at(at.left() + 46, at.top() + 28 + static_cast<int>(i) * 18, 15, "600", "#1d1d28", title[i]);
  std::string note = fmt::format("{} min", minutes_in_all(lesson));
  if (!done.solved.empty())
    note += fmt::format(" · {}/{} solved{}", done.count(), done.solved.size(), solved ? " ✓" : "");
  return out + text_at(at.left() + 46, at.top() + kBoxHeight - 10, 13, "400", "#414a58", note);
}

// A road's mark: on the left edge of each of its boxes, and before its name below the map.
std::string mark(int left, int top, int height, std::size_t road) {
  constexpr const char* kColors[] = {"#1f5fb0", "#2a7a3c", "#7a3e9d"};
  return fmt::format("<path class=\"road\" d=\"M{} {}v{}\" stroke=\"{}\" stroke-width=\"6\"/>\n", left, top,
                     height, kColors[road % std::size(kColors)]);
}

std::string legend(std::vector<Road> roads, const std::vector<Lesson>& lessons, int top) {
  const std::size_t marked = roads.size();
  roads.push_back({"Everything", lessons});
  std::string out;
  for (std::size_t i = 0; i < roads.size(); ++i) {
    const int y = top + static_cast<int>(i) * kLegendRow;
    if (i < marked) out += mark(kLeft + 3, y - 14, 18, i);
    out += text_at(kLeft + 16, y, 15, "600", "#1d1d28", roads[i].name) +
           text_at(kLeft + kColumn, y, 15, "400", "#1d1d28",
                   fmt::format("{} · {}", numbers_of(roads[i]), time_of(roads[i])));
  }
  return out;
}

// Down to the next box, around those between, or across to another column.
std::string arrow(const Place& from, const Place& to) {
  std::string path;
  if (from.column == to.column && to.row == from.row + 1)
    path = fmt::format("M{} {}V{}", from.left() + kBoxWidth / 2, from.top() + kBoxHeight, to.top() - 2);
  else if (from.column == to.column)
    path = fmt::format("M{} {}C{} {} {} {} {} {}", from.left(), from.middle() + 18, from.left() - 34,
                       from.middle() + 38, to.left() - 34, to.middle() - 38, to.left() - 2, to.middle() - 18);
  else
    path = fmt::format("M{} {}C{} {} {} {} {} {}", from.right(), from.middle(), from.right() + 50,
                       from.middle(), to.left() - 50, to.middle(), to.left() - 2, to.middle());
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"#5c6675\" stroke-width=\"1.5\" marker-end=\"url(#to)\"/>\n",
      path);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string course_map(const std::vector<CoursePart>& parts, const std::vector<Road>& roads,
                       const Progress& progress) {
  std::vector<Lesson> lessons;
  std::map<std::string, Place> places;
  std::size_t rows = 0;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t i = 0; i < parts[p].lessons.size(); ++i) {
      lessons.push_back(parts[p].lessons[i]);
      places[lessons.back().number] = {static_cast<int>(p), static_cast<int>(i)};
      rows = std::max(rows, i + 1);
    }
  std::string boxes, arrows, titles;
  const std::vector<std::vector<std::string>> needs = direct_needs(lessons);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    boxes += box(lessons[i], places[lessons[i].number], progress);
    for (const std::string& need : needs[i])
      if (places.contains(need)) arrows += arrow(places[need], places[lessons[i].number]);
  }
  for (std::size_t p = 0; p < parts.size(); ++p)
    titles += text_at(kLeft + static_cast<int>(p) * kColumn, kTop - 24, 15, "600", "#1d1d28", parts[p].title);
  const int width = kLeft + static_cast<int>(parts.size()) * kColumn - (kColumn - kBoxWidth) + 24;
  for (std::size_t i = 0; i < roads.size(); ++i)
    for (const Lesson& lesson : roads[i].lessons)
      if (const auto at = places.find(lesson.number); at != places.end())
        boxes += mark(at->second.left() + 3, at->second.top() + 12, kBoxHeight - 24, i);
  const int bottom = kTop + static_cast<int>(rows) * kRow - (kRow - kBoxHeight) + 24;
  const int height = bottom + static_cast<int>(roads.size() + 1) * kLegendRow + 16;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, "
             "sans-serif\">\n<title>The lessons, and what leads to what</title>\n{2}"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
             "<defs><marker id=\"to\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" "
             "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 1L10 5L0 9z\" fill=\"#5c6675\"/></marker>"
             "</defs>\n",
             width, height, draw::kDarkStyle) +
         text_at(kLeft, 36, 20, "600", "#1d1d28", "The lessons, and what leads to what") + titles + arrows +
         boxes + legend(roads, lessons, bottom + 20) + "</svg>\n";
}

}  // namespace headlight::course
