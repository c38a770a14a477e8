#include <cstring>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/weights.h"
#include "run/small_config.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::train;

TEST_CASE("weights that the model has no place for are refused", "[train]") {
  const auto model = run::make_model(run::small_config());
  Weights weights = weights_of(*model);
  weights.emplace("blocks.9.attn.W_Q", full_array({1}, 0));
  CHECK(contains(error_of([&] { set_weights(*model, weights, "file"); }),
                 "'file' has 'blocks.9.attn.W_Q', which the model does not"));
}

TEST_CASE("the numbers of a safetensors file start at a multiple of eight", "[train]") {
  const TemporaryFolder folder;
  const Array three = full_array({3}, 1);
  for (const char* name : {"a", "ab", "abc", "abcd"}) {
    const auto path = folder.path() / name;
    save_safetensors(path, {{name, &three}});
    const auto header = static_cast<unsigned char>(read_file(path).at(0));
    CHECK(header % 8 == 0);
  }
}

namespace {

std::string safetensors_bytes(const std::string& header, const std::string& buffer) {
  const std::uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), 8) + header + buffer;
}

}  // namespace

TEST_CASE("safetensors files are checked to the last byte", "[train]") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.safetensors";
  const std::string four(16, '\0');
  const auto refused = [&](const std::string& header, const std::string& buffer) {
    write_file(path, safetensors_bytes(header, buffer));
    return error_of([&] { load_safetensors(path); });
  };
  const std::string x = R"("x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  CHECK(contains(refused("{" + x + "," + x + "}", four), "repeats the key 'x'"));
  CHECK(contains(refused("{" + x + R"(,"y":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", four),
                 "overlap"));
  CHECK(contains(refused("{" + x + R"(,"y":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})", four),
                 "have a hole"));
  CHECK(contains(refused(R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", four),
                 "its shape needs 12"));
  CHECK(
      contains(refused(R"({"x":{"dtype":"I8","shape":[8],"data_offsets":[0,8]}})", four), "number type I8"));
  CHECK(
      contains(refused(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}})", four), "whole number"));
  CHECK(
      contains(refused(R"({"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})", four),
               "impossible shape"));
  CHECK(contains(refused(R"({"x":3})", four), "lacks dtype"));
  CHECK(contains(refused("[]", four), "the header is not JSON"));

  write_file(
      path,
      safetensors_bytes(
          R"({"__metadata__":{"a":"b"},"x":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]}})", four));
  const auto file = load_safetensors(path);
  CHECK(file.arrays.at("x").shape() == Shape{1, 2});
  CHECK(file.metadata.at("a") == "b");
}

TEST_CASE("names that JSON cannot hold are refused before anything is written", "[train]") {
  const TemporaryFolder folder;
  const Array a = full_array({2}, 1);
  CHECK(contains(error_of([&] {
                   save_safetensors(folder.path() / "x", {{"\xff\xfe", &a}});
                 }),
                 "expected a name in UTF-8"));
  CHECK(contains(error_of([&] {
                   save_safetensors(folder.path() / "x", {{"a", &a}}, {{"key", "\xff"}});
                 }),
                 "expected metadata in UTF-8, got 'key'"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "x"));
}
