// The forward pass in loops equals the library's, with and without edits.
#include "interpret/plain_forward.h"
#include "catch.h"
#include "headlight/interpret/hooks.h"
#include "nn/subject.h"

using namespace headlight;
using headlight::nn::Hooks;
using headlight::nn::NormKind;
using headlight::nn::NormPlace;
using headlight::nn::Subject;
using headlight::nn::TransformerConfig;

namespace {

struct PlainModel {
  std::string name;
  TransformerConfig config;
};

TransformerConfig plain_config(const std::string& positions,
                               const std::function<void(TransformerConfig&)>& put) {
  TransformerConfig config = Subject::usual(positions);
  config.n_heads = 4;
  put(config);
  return config;
}

// Models of every kind of positions, norm and MLP, and each part in some model.
std::vector<PlainModel> plain_models() {
  using C = TransformerConfig;
  std::vector<PlainModel> all{
      {"layer norm, gelu, biases", plain_config("learned", [](C&) {})},
      {"rotary, relu, no biases", plain_config("rotary", [](C& c) { c.bias = false, c.mlp = "relu"; })},
      {"attention only, no norm",
       plain_config("learned", [](C& c) { c.d_mlp = 0, c.norm = NormKind::none, c.d_head = 5; })},
      {"grouped heads, tied",
       plain_config("alibi", [](C& c) { c.n_kv_heads = 2, c.tied_embeddings = true; })},
      {"rms, swiglu", plain_config("learned-qk", [](C& c) { c.norm = NormKind::rms, c.mlp = "swiglu"; })},
      {"post-norm", plain_config("sinusoidal", [](C& c) { c.norm_place = NormPlace::post; })},
      {"post-norm, attention only, rms, positions of queries and keys",
       plain_config("learned-qk",
                    [](C& c) { c.d_mlp = 0, c.norm = NormKind::rms, c.norm_place = NormPlace::post; })},
      {"six heads, window", plain_config("alibi", [](C& c) { c.d_model = 18, c.n_heads = 6, c.window = 4; })},
      {"relative", plain_config("relative", [](C& c) { c.max_distance = 3; })},
      {"t5, fused projection", plain_config("t5", [](C& c) { c.max_distance = 7, c.fused_qkv = true; })},
      {"encoder, t5",
       plain_config("t5", [](C& c) { c.max_distance = 8, c.architecture = nn::Architecture::encoder; })},
      {"encoder, relative", plain_config("relative", [](C& c) {
         c.max_distance = 3, c.architecture = nn::Architecture::encoder;
       })}};
  for (const nn::Part& part : nn::parts()) all.push_back({part.name, Subject::with(part)});
  return all;
}

// The positions of the activations' tables: "rows" (B,n,d), "heads" (B,n,H,d), "patterns" (B,H,n,m).
enum class PlainAxes { rows, heads, patterns };

PlainTable plain_table(const Array& x, PlainAxes kind, std::size_t b, std::size_t h) {
  if (kind == PlainAxes::rows) return plain_rows(x, b);
  return kind == PlainAxes::heads ? plain_head(x, b, h) : plain_pattern(x, b, h);
}

// Changes one number of each row, so that a change in the wrong row, column or order is seen.
void change_rows(PlainTable& x) {
  for (std::size_t p = 0; p < x.size(); ++p) {
    const std::size_t c = (3 * p + 1) % (p + 1) % x[p].size();  // of a pattern, a key that the query sees
    x[p][c] = 0.5 * x[p][c] + 0.3 + 0.05 * static_cast<double>(p);
  }
}

// The same change of sequence 1 (and head 1) by a hook.
nn::Hook changing_one(PlainAxes kind) {
  return [kind](const Tensor& x) {
    Array y = x.array();
    PlainTable changed = plain_table(y, kind, 1, 1);
    change_rows(changed);
    for (std::size_t p = 0; p < changed.size(); ++p)
      for (std::size_t c = 0; c < changed[p].size(); ++c) {
        Real& number = kind == PlainAxes::rows    ? y(1, p, c)
                       : kind == PlainAxes::heads ? y(1, p, 1, c)
                                                  : y(1, 1, p, c);
        number = static_cast<Real>(changed[p][c]);
      }
    return Tensor(std::move(y));
  };
}

struct EditedHook {
  std::string hook;  // in block 1
  PlainAxes kind;
  PlainEdits::Layer PlainEdits::*layer = nullptr;
  PlainEdits::Head PlainEdits::*head = nullptr;
};
const std::vector<EditedHook> kEditedHooks{
    {"hook_resid_pre", PlainAxes::rows, &PlainEdits::resid_pre},
    {"hook_q_input", PlainAxes::heads, nullptr, &PlainEdits::q_input},
    {"hook_k_input", PlainAxes::heads, nullptr, &PlainEdits::k_input},
    {"hook_v_input", PlainAxes::heads, nullptr, &PlainEdits::v_input},
    {"attn.hook_q", PlainAxes::heads, nullptr, &PlainEdits::q},
    {"attn.hook_k", PlainAxes::heads, nullptr, &PlainEdits::k},
    {"attn.hook_v", PlainAxes::heads, nullptr, &PlainEdits::v},
    {"attn.hook_attn_scores", PlainAxes::patterns, nullptr, &PlainEdits::scores},
    {"attn.hook_pattern", PlainAxes::patterns, nullptr, &PlainEdits::pattern},
    {"attn.hook_z", PlainAxes::heads, nullptr, &PlainEdits::z},
    {"attn.hook_result", PlainAxes::heads, nullptr, &PlainEdits::result},
    {"hook_attn_out", PlainAxes::rows, &PlainEdits::attn_out},
    {"hook_resid_mid", PlainAxes::rows, &PlainEdits::resid_mid},
    {"hook_mlp_in", PlainAxes::rows, &PlainEdits::mlp_in},
    {"hook_mlp_out", PlainAxes::rows, &PlainEdits::mlp_out},
    {"hook_resid_post", PlainAxes::rows, &PlainEdits::resid_post}};

bool has_hook(const nn::Transformer& model, const std::string& hook) {
  const auto names = hook_names(model);
  return std::find(names.begin(), names.end(), hook) != names.end();
}

// Every head of an activation, against the library's array.
void compare_all_heads(const Array& x, PlainAxes kind, const PlainHeads& heads) {
  for (std::size_t h = 0; h < heads.size(); ++h)
    CHECK(plain_difference(plain_table(x, kind, 1, h), heads[h]) < kPlain);
}

}  // namespace

TEST_CASE("a forward pass in simple loops has the model's activations and logits", "[interpret][plain]") {
  for (const auto& [name, config] : plain_models()) {
    INFO(name);
    const Subject subject(config);
    const Plain plain = plain_forward(subject.model, plain_tokens(subject.tokens, 1));
    const auto run = interpret::run_with_cache(subject.model, subject.tokens);
    CHECK(plain_difference(plain_rows(run.logits, 1), plain.logits) < kPlain);
    for (std::size_t l = 0; l < 2; ++l) {
      const std::string block = "blocks." + std::to_string(l) + ".";
      const auto at = [&](const std::string& hook) -> const Array& { return run.cache[block + hook]; };
      CHECK(plain_difference(plain_rows(at("hook_resid_pre"), 1), plain.resid_pre[l]) < kPlain);
      CHECK(plain_difference(plain_rows(at("hook_attn_out"), 1), plain.attn_out[l]) < kPlain);
      CHECK(plain_difference(plain_rows(at("hook_resid_post"), 1), plain.resid_post[l]) < kPlain);
      compare_all_heads(at("attn.hook_attn_scores"), PlainAxes::patterns, plain.scores[l]);
      compare_all_heads(at("attn.hook_pattern"), PlainAxes::patterns, plain.pattern[l]);
      compare_all_heads(at("attn.hook_v"), PlainAxes::heads, plain.v[l]);
      compare_all_heads(at("attn.hook_z"), PlainAxes::heads, plain.z[l]);
      compare_all_heads(at("attn.hook_result"), PlainAxes::heads, plain.result[l]);
      CHECK(plain.result[l].size() == config.n_heads);
      if (config.positions == "rotary") {
        compare_all_heads(at("attn.hook_rot_q"), PlainAxes::heads, plain.q[l]);
        compare_all_heads(at("attn.hook_rot_k"), PlainAxes::heads, plain.k[l]);
      }
      if (config.d_mlp == 0) continue;
      CHECK(plain_difference(plain_rows(at("hook_resid_mid"), 1), plain.resid_mid[l]) < kPlain);
      CHECK(plain_difference(plain_rows(at("hook_mlp_out"), 1), plain.mlp_out[l]) < kPlain);
    }
  }
}

TEST_CASE("an edit of the simple loops is the hook of its name", "[interpret][plain]") {
  for (const auto& [name, config] : plain_models()) {
    const Subject subject(config);
    const PlainTable unchanged = plain_rows(subject.logits(), 1);
    for (const EditedHook& edited : kEditedHooks) {
      const std::string hook = "blocks.1." + edited.hook;
      if (!has_hook(subject.model, hook)) continue;
      INFO(name << ", " << hook);
      const bool of_keys = edited.hook == "hook_k_input" || edited.hook == "attn.hook_k" ||
                           edited.hook == "hook_v_input" || edited.hook == "attn.hook_v";
      if (of_keys && subject.model.blocks[1].attn.config().n_kv_heads < 2) continue;
      PlainEdits edits;
      if (edited.layer != nullptr)
        edits.*edited.layer = [](std::size_t l, PlainTable& x) { l == 1 ? change_rows(x) : void(); };
      else
        edits.*edited.head = [](std::size_t l, std::size_t h, PlainTable& x) {
          l == 1 && h == 1 ? change_rows(x) : void();
        };
      const PlainTable logits = plain_rows(subject.logits({{hook, changing_one(edited.kind)}}), 1);
      const Plain plain = plain_forward(subject.model, plain_tokens(subject.tokens, 1), edits);
      CHECK(plain_difference(logits, plain.logits) < kPlain);
      CHECK(plain_difference(unchanged, plain.logits) > 1e-4);
    }
  }
}

TEST_CASE("an edit of the embeddings is the hook of its name", "[interpret][plain]") {
  for (const std::string positions : {"learned", "learned-qk"}) {
    INFO(positions);
    const Subject subject(positions);
    const auto changed = [](const Tensor& x) {  // hook_pos_embed (n,d_model) belongs to all sequences
      Array one = x.array();
      one.reshape({std::size_t{1}, one.shape()[0], one.shape()[1]});
      PlainTable table = plain_rows(one, 0);
      change_rows(table);
      Array y = x.array();
      for (std::size_t p = 0; p < table.size(); ++p)
        for (std::size_t c = 0; c < table[p].size(); ++c) y(p, c) = static_cast<Real>(table[p][c]);
      return Tensor(std::move(y));
    };
    const Array logits =
        subject.logits({{"hook_embed", changing_one(PlainAxes::rows)}, {"hook_pos_embed", changed}});
    const Plain plain = plain_forward(subject.model, plain_tokens(subject.tokens, 1),
                                      {.embed = change_rows, .pos_embed = change_rows});
    CHECK(plain_difference(plain_rows(logits, 1), plain.logits) < kPlain);
  }
}

TEST_CASE("simple loops refuse a second sequence", "[interpret][plain]") {
  TransformerConfig config = Subject::usual();
  config.architecture = nn::Architecture::encoder_decoder;
  config.n_source = 6;
  const nn::Transformer model = Subject::made(config);
  CHECK(contains(error_of([&] { plain_forward(model, {1, 2}); }), "expected a decoder or an encoder"));
}

TEST_CASE("a difference of tables sees sizes, infinities and NaN", "[interpret][plain]") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(plain_difference({{1, 2}}, {{1, 2.5}}) == 0.25);
  CHECK(plain_difference({{-infinity, 1}}, {{-infinity, 1}}) == 0);
  CHECK(plain_difference({{-infinity}}, {{1}}) == HUGE_VAL);
  CHECK(plain_difference({{1}}, {{std::nan("")}}) == HUGE_VAL);
  CHECK(plain_difference({{1}, {1}}, {{1}}) == HUGE_VAL);
  CHECK(plain_difference({{1, 1}}, {{1}}) == HUGE_VAL);
}
