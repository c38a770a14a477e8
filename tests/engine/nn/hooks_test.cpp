// Every activation of a model, read and replaced by hooks.
#include <set>
#include <thread>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "subject.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

Tensor nothing(const Tensor&) { return Tensor(); }
Tensor itself(const Tensor& x) { return parameter(Array(x.array())); }
Tensor zero(const Tensor& x) { return zeros(x.shape()); }
Tensor doubled(const Tensor& x) { return x * 2; }

Hooks all(const Transformer& model, Hook hook) {
  Hooks hooks;
  for (const std::string& name : hook_names(model)) hooks.add(name, hook);
  return hooks;
}

const std::vector<std::string> kAllPositions = positions().names();

}  // namespace

TEST_CASE("hook points carry TransformerLens's names", "[nn][hooks]") {
  const Subject s("rotary");
  std::set<std::string> expected{"hook_embed", "ln_final.hook_scale", "ln_final.hook_normalized"};
  for (const std::string block : {"blocks.0.", "blocks.1."})
    for (const char* name :
         {"hook_resid_pre",        "hook_attn_in",      "hook_q_input",        "hook_k_input",
          "hook_v_input",          "ln1.hook_scale",    "ln1.hook_normalized", "attn.hook_q",
          "attn.hook_k",           "attn.hook_v",       "attn.hook_rot_q",     "attn.hook_rot_k",
          "attn.hook_attn_scores", "attn.hook_pattern", "attn.hook_z",         "attn.hook_result",
          "hook_attn_out",         "hook_resid_mid",    "hook_mlp_in",         "ln2.hook_scale",
          "ln2.hook_normalized",   "mlp.hook_pre",      "mlp.hook_post",       "hook_mlp_out",
          "hook_resid_post"})
      expected.insert(block + name);
  const auto names = hook_names(s.model);
  CHECK(names.size() == expected.size());
  CHECK(std::set<std::string>(names.begin(), names.end()) == expected);
  const auto learned = hook_names(Subject("learned").model);
  CHECK(std::count(learned.begin(), learned.end(), "hook_pos_embed") == 1);
  CHECK(std::count(learned.begin(), learned.end(), "blocks.0.attn.hook_rot_q") == 0);
}

TEST_CASE("every activation has the shape that it has in TransformerLens", "[nn][hooks]") {
  const Subject s("rotary");
  std::map<std::string, Shape> shapes;
  Hooks hooks;
  for (const std::string& name : hook_names(s.model))
    hooks.add(name, [&shapes, name](const Tensor& x) {
      shapes[name] = x.shape();
      return Tensor();
    });
  s.logits(hooks);
  CHECK(shapes.size() == hook_names(s.model).size());
  const std::map<std::string, Shape> some{
      {"blocks.1.hook_attn_in", {2, 9, 2, 16}},     {"blocks.1.hook_q_input", {2, 9, 2, 16}},
      {"blocks.1.attn.hook_q", {2, 9, 2, 8}},       {"blocks.1.attn.hook_attn_scores", {2, 2, 9, 9}},
      {"blocks.1.attn.hook_result", {2, 9, 2, 16}}, {"blocks.1.hook_mlp_in", {2, 9, 16}},
      {"blocks.1.mlp.hook_post", {2, 9, 8}},        {"ln_final.hook_scale", {2, 9, 1}}};
  for (const auto& [name, shape] : some) {
    INFO(name);
    CHECK(shapes[name] == shape);
  }
}

TEST_CASE("reading an activation, or putting it back, changes no bit of the logits", "[nn][hooks][long]") {
  const auto check = [](const Subject& s) {
    const Array plain = s.logits();
    for (const bool recorded : {true, false}) {
      const RecordingScope scope(recorded);
      for (const std::string& name : hook_names(s.model)) {
        INFO(name);
        CHECK(same_bits(plain, s.logits({{name, nothing}})));
        CHECK(same_bits(plain, s.logits({{name, itself}})));
      }
      CHECK(same_bits(plain, s.logits(all(s.model, nothing))));
      CHECK(same_bits(plain, s.logits(all(s.model, itself))));
    }
  };
  SECTION("with every kind of positions") {
    const std::string kind = GENERATE(from_range(kAllPositions));
    INFO(kind);
    check(Subject(kind));
  }
  SECTION("with every part") {
    const Part part = GENERATE(from_range(parts()));
    INFO(part);
    check(Subject(part));
  }
}

TEST_CASE("replacing an activation by zeros changes the logits", "[nn][hooks]") {
  const bool by_part = GENERATE(false, true);
  const std::size_t number = GENERATE(range(std::size_t(0), std::max(kAllPositions.size(), parts().size())));
  if (number >= (by_part ? parts().size() : kAllPositions.size())) return;
  const Subject s = by_part ? Subject(parts()[number]) : Subject(kAllPositions[number]);
  INFO((by_part ? parts()[number].name : kAllPositions[number]));
  const Array plain = s.logits();
  for (const std::string& name : hook_names(s.model)) {
    INFO(name);
    // Zero scores are uniform attention; a norm's scale of 0 gives infinities.
    CHECK(difference(plain, s.logits({{name, name.ends_with("scale") ? doubled : zero}})) > 1e-4);
  }
}

TEST_CASE("reading changes nothing while other activations are replaced", "[nn][hooks]") {
  const Subject s("rotary");
  for (const char* replaced :
       {"blocks.0.ln1.hook_normalized", "blocks.0.ln1.hook_scale", "blocks.0.hook_q_input",
        "blocks.1.attn.hook_pattern", "blocks.1.attn.hook_result"}) {
    INFO(replaced);
    const NoGrad no_grad;
    Hooks alone{{replaced, doubled}}, among_readers = all(s.model, nothing),
                                      among_writers = all(s.model, itself);
    among_readers.add(replaced, doubled);
    among_writers.add(replaced, doubled);
    const Array expected = s.logits(alone);
    CHECK(same_bits(expected, s.logits(among_readers)));
    CHECK(same_bits(expected, s.logits(among_writers)));
  }
}

TEST_CASE("gradients flow through what hooks see and through what they put in place", "[nn][hooks]") {
  const Subject s("learned-qk");
  for (const std::string& name : hook_names(s.model)) {
    INFO(name);
    Tensor seen, leaf;
    const auto loss = [&](const Hooks& hooks) { return cross_entropy(s.model(s.tokens, hooks), s.tokens); };
    const Tensor read = loss({{name, [&](const Tensor& x) { return seen = x, Tensor(); }}});
    const Array of_seen = grad(read, {seen})[0].array();
    const Tensor replaced = loss({{name, [&](const Tensor& x) { return leaf = itself(x); }}});
    const Array of_leaf = grad(replaced, {leaf})[0].array();
    CHECK(difference(of_seen, of_leaf) < 10 * kRounding);

    if (!kDouble) continue;
    // Along a random direction the leaf's gradient is the difference of the losses, on the path of a change.
    Rng rng(3);
    const Array direction = rng.normal_array(leaf.shape());
    const auto moved = [&](double step) {
      Array there = leaf.array();
      for (std::size_t i = 0; i < there.size(); ++i)
        there.data()[i] += static_cast<Real>(step) * direction.data()[i];
      return static_cast<double>(loss({{name, [&](const Tensor&) { return Tensor(there); }}}).item());
    };
    double slope = 0;
    for (std::size_t i = 0; i < direction.size(); ++i)
      if (std::isfinite(leaf.array().data()[i]))
        slope += double(of_leaf.data()[i]) * double(direction.data()[i]);
    constexpr double step = 1e-5;
    CHECK(std::abs(slope) > 1e-6);
    CHECK(std::abs((moved(step) - moved(-step)) / (2 * step) - slope) < 1e-7 * (1 + std::abs(slope)));
  }
}

TEST_CASE("the inputs of queries, keys and values have gradients apart", "[nn][hooks]") {
  const Subject s("rotary");
  Tensor all_three, q, k, v;
  const auto into = [](Tensor& seen) { return [&seen](const Tensor& x) { return seen = x, Tensor(); }; };
  const Tensor logits = s.model(s.tokens, Hooks{{"blocks.1.hook_attn_in", into(all_three)},
                                                {"blocks.1.hook_q_input", into(q)},
                                                {"blocks.1.hook_k_input", into(k)},
                                                {"blocks.1.hook_v_input", into(v)}});
  const auto g = grad(cross_entropy(logits, s.tokens), {all_three, q, k, v});
  CHECK(difference(g[0].array(), (g[1] + g[2] + g[3]).array()) < kRounding);
  CHECK(difference(g[1].array(), g[2].array()) > 1e-4);
  CHECK(difference(g[2].array(), g[3].array()) > 1e-4);
}

TEST_CASE("a changed input of one head changes that head alone", "[nn][hooks]") {
  const Subject s("rotary");
  const auto first_head = [](const Tensor& x) {  // (B,n,H,d_model)
    Array changed = x.array();
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 0; i < 9; ++i) changed(b, i, 0, 3) += 1;
    return Tensor(changed);
  };
  const auto z_after = [&](const char* name) {
    Array z;
    s.logits({{name, first_head}, {"blocks.0.attn.hook_z", [&](const Tensor& x) {
                                     z = x.array();
                                     return Tensor();
                                   }}});
    return z;
  };
  Array plain;
  s.logits({{"blocks.0.attn.hook_z", [&](const Tensor& x) { return plain = x.array(), Tensor(); }}});
  for (const char* name :
       {"blocks.0.hook_attn_in", "blocks.0.hook_q_input", "blocks.0.hook_k_input", "blocks.0.hook_v_input"}) {
    INFO(name);
    const Tensor z(z_after(name)), before(plain);
    CHECK(difference(slice(z, 2, 0, 1).array(), slice(before, 2, 0, 1).array()) > 1e-3);
    CHECK(difference(slice(z, 2, 1, 2).array(), slice(before, 2, 1, 2).array()) < kRounding);
  }
}

TEST_CASE("the results of the heads and the bias make up what attention adds", "[nn][hooks]") {
  const Subject s("rotary");
  Tensor result, out;
  s.logits({{"blocks.0.attn.hook_result", [&](const Tensor& x) { return result = x, Tensor(); }},
            {"blocks.0.hook_attn_out", [&](const Tensor& x) { return out = x, Tensor(); }}});
  CHECK(difference((sum(result, {2}) + s.model.blocks[0].attn.b_O).array(), out.array()) < kRounding);
}

TEST_CASE("hooks on one activation run in their order, each on what the one before returned", "[nn][hooks]") {
  const Subject s("rotary");
  Array seen;
  const Hook read = [&](const Tensor& x) { return seen = x.array(), Tensor(); };
  s.logits(Hooks{{"hook_embed", doubled}}.add("hook_embed", doubled).add("hook_embed", read));
  const Array four_times = seen;
  s.logits({{"hook_embed", read}});
  CHECK(same_bits(four_times, (Tensor(seen) * 4).array()));
}

TEST_CASE("two threads run one model with hooks of their own", "[nn][hooks]") {
  const Subject s("rotary");
  const Hooks silent{{"blocks.0.hook_attn_out", zero}}, uniform{{"blocks.1.attn.hook_attn_scores", zero}};
  const Array plain = s.logits(), expected_silent = s.logits(silent), expected_uniform = s.logits(uniform);
  int wrong[3] = {0, 0, 0};
  const auto work = [&](int& mistakes, const Hooks& hooks, const Array& expected) {
    for (int i = 0; i < 50; ++i) mistakes += same_bits(s.logits(hooks), expected) ? 0 : 1;
  };
  std::thread a([&] { work(wrong[0], silent, expected_silent); });
  std::thread b([&] { work(wrong[1], uniform, expected_uniform); });
  work(wrong[2], {}, plain);
  a.join();
  b.join();
  CHECK(wrong[0] + wrong[1] + wrong[2] == 0);
  CHECK_FALSE(same_bits(expected_silent, expected_uniform));
}

TEST_CASE("hooks that cannot be are refused", "[nn][hooks]") {
  const Subject s("rotary");
  CHECK(contains(error_of([&] {
                   s.logits({{"blocks.0.hook_resid_prae", nothing}});
                 }),
                 "no hook point 'blocks.0.hook_resid_prae'. Did you mean 'blocks.0.hook_resid_pre'?"));
  CHECK(contains(error_of([&] { s.logits({{"blocks.7.hook_resid_pre", nothing}}); }), "no hook point"));
  CHECK(contains(error_of([&] {
                   s.logits({{"hook_embed", [](const Tensor&) { return ones({3}); }}});
                 }),
                 "the hook on 'hook_embed' expected to return shape (2,9,16), got (3)"));
  CHECK(contains(error_of([] { Hooks().add("hook_embed", {}); }), "the hook on 'hook_embed' is an empty"));
  const MultiHeadAttention& attn = s.model.blocks[0].attn;
  CHECK(contains(error_of([&] {
                   attn(zeros({1, 3, 16}), {}, Hooks{{"attn.hook_z", nothing}});
                 }),
                 "Did you mean 'hook_z'?"));
  CHECK(contains(error_of([&] { attn(zeros({1, 3, 5, 16})); }), "(batch, positions, 2 heads, width)"));
}

TEST_CASE("a hook may add hooks to its own activation, which run from the next pass on", "[nn][hooks]") {
  const Subject s("rotary");
  int first = 0, second = 0, added = 0;
  Hooks hooks;
  hooks.add("hook_embed", [&](const Tensor&) {
    ++first;
    for (int i = 0; i < 100; ++i)
      hooks.add("hook_embed", [&](const Tensor&) {
        ++added;
        return Tensor();
      });
    return Tensor();
  });
  hooks.add("hook_embed", [&](const Tensor&) {
    ++second;
    return Tensor();
  });
  s.model(s.tokens, hooks);
  CHECK(first == 1);
  CHECK(second == 1);
  CHECK(added == 0);
  s.model(s.tokens, hooks);
  CHECK(added == 100);
}
