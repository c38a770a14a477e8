#include "layered_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headlight::draw {
namespace {

constexpr int kSweeps = 24;
constexpr double kBendWidth = 8;

// A node, or the point where a long edge passes a layer.
struct Item {
  double width = 0, x = 0;
  std::vector<std::size_t> above = {}, below = {};
};

std::vector<std::size_t> layers_of(const std::vector<LayeredNode>& nodes) {
  std::vector<std::size_t> layer(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t input : nodes[i].inputs) layer[i] = std::max(layer[i], layer[input] + 1);
  std::vector<std::size_t> first_use(nodes.size(), SIZE_MAX);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t input : nodes[i].inputs) first_use[input] = std::min(first_use[input], layer[i]);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].inputs.empty() && first_use[i] != SIZE_MAX) layer[i] = first_use[i] - 1;
  return layer;
}

double mean_place(const std::vector<Item>& items, const std::vector<std::size_t>& neighbours,
                  double otherwise) {
  if (neighbours.empty()) return otherwise;
  double sum = 0;
  for (std::size_t i : neighbours) sum += items[i].x;
  return sum / static_cast<double>(neighbours.size());
}

// Moves the items of a layer, in their order, as near to their wishes as the gaps allow: least squares, by
// joining neighbours that would overlap into blocks that move as one.
void place_row(std::vector<Item>& items, const std::vector<std::size_t>& row,
               const std::vector<double>& wishes, double gap) {
  struct Block {
    double sum, count;
    std::size_t items;
    double mean() const { return sum / count; }
  };
  std::vector<Block> blocks;
  std::vector<double> offset(row.size(), 0);
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (k > 0) offset[k] = offset[k - 1] + (items[row[k - 1]].width + items[row[k]].width) / 2 + gap;
    blocks.push_back({wishes[k] - offset[k], 1, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
      blocks.back().items += last.items;
    }
  }
  std::size_t k = 0;
  for (const Block& block : blocks)
    for (std::size_t i = 0; i < block.items; ++i, ++k) items[row[k]].x = block.mean() + offset[k];
}

// What stands in the layers, from above; the first items are the nodes.
struct Layers {
  std::vector<Item> items;
  std::vector<std::vector<std::size_t>> rows;
  std::vector<std::vector<std::size_t>> bends;  // the items that each edge passes

  Layers(const std::vector<LayeredNode>& nodes, const std::vector<std::size_t>& layer, std::size_t count)
      : rows(count) {
    for (std::size_t i = 0; i < nodes.size(); ++i) add(nodes[i].width, layer[i]);
    for (std::size_t to = 0; to < nodes.size(); ++to)
      for (std::size_t from : nodes[to].inputs) {
        bends.emplace_back();
        std::size_t last = from;
        for (std::size_t l = layer[from] + 1; l < layer[to]; ++l) {
          bends.back().push_back(add(kBendWidth, l));
          join(last, bends.back().back());
          last = bends.back().back();
        }
        join(last, to);
      }
    for (auto& row : rows)
      for (std::size_t k = 0; k < row.size(); ++k) items[row[k]].x = static_cast<double>(k);
  }

 private:
  std::size_t add(double width, std::size_t layer) {
    items.push_back({.width = width});
    rows[layer].push_back(items.size() - 1);
    return items.size() - 1;
  }
  void join(std::size_t upper, std::size_t lower) {
    items[upper].below.push_back(lower);
    items[lower].above.push_back(upper);
  }
};

// Moves the items of a row towards those that they are joined to in the row above (or below, on the way up),
// and if it `sorts`, past each other.
void align_row(std::vector<Item>& items, std::vector<std::size_t>& row, bool down, bool sorts, double gap) {
  const auto wish = [&](std::size_t i) {
    const Item& item = items[i];
    return mean_place(items, down ? item.above : item.below,
                      mean_place(items, down ? item.below : item.above, item.x));
  };
  if (sorts) {
    std::vector<std::pair<double, std::size_t>> keys;
    for (std::size_t i : row) keys.emplace_back(wish(i), i);
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(keys.begin(), keys.end(), row.begin(), [](const auto& key) { return key.second; });
  }
  std::vector<double> wishes;
  for (std::size_t i : row) wishes.push_back(wish(i));
  place_row(items, row, wishes, gap);
}

}  // namespace

LayeredLayout layered_layout(const std::vector<LayeredNode>& nodes, double gap) {
  LayeredLayout layout;
  const std::vector<std::size_t> layer = layers_of(nodes);
  for (std::size_t l : layer) layout.layers = std::max(layout.layers, l + 1);
  Layers layers(nodes, layer, layout.layers);
  for (int sweep = 0; sweep < 2 * kSweeps; ++sweep) {
    const bool down = sweep % 2 == 0, sorts = sweep < kSweeps;
    for (std::size_t step = 0; step < layers.rows.size(); ++step)
      align_row(layers.items, layers.rows[down ? step : layers.rows.size() - 1 - step], down, sorts, gap);
  }
  double left = HUGE_VAL;
  for (const Item& item : layers.items) left = std::min(left, item.x - item.width / 2);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    layout.places.push_back({layer[i], layers.items[i].x - left});
  for (std::size_t to = 0; to < nodes.size(); ++to)
    for (std::size_t from : nodes[to].inputs) {
      layout.edges.push_back({from, to});
      for (std::size_t bend : layers.bends[layout.edges.size() - 1])
        layout.edges.back().bends.push_back(layers.items[bend].x - left);
    }
  return layout;
}

}  // namespace headlight::draw
