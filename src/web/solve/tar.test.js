import assert from "node:assert/strict";
import { test } from "node:test";
import { tarOf, treeOf } from "./tar.js";

const bytes = (text) => new TextEncoder().encode(text);

test("a tree comes back from a tar", () => {
  const tree = {
    my: { "02_derivatives.cpp": bytes("// ★\n"), ".solved": { "a.cpp": bytes("x".repeat(512)) }, empty: {} },
    b: bytes(""),
  };
  assert.deepEqual(treeOf(tarOf(tree)), tree);
});

test("tar itself reads it", async () => {
  const { execFileSync } = await import("node:child_process");
  const listed = execFileSync("tar", ["-tf", "-"], {
    input: tarOf({ my: { "a.cpp": bytes("1"), deep: { "b.cpp": bytes("2") } } }),
    encoding: "utf8",
  });
  assert.deepEqual(listed.trim().split("\n"), ["my", "my/a.cpp", "my/deep", "my/deep/b.cpp"]);
});

test("a name that does not fit is refused", () => {
  assert.throws(() => tarOf({ ["x".repeat(100)]: bytes("") }), /too long for a tar: xxx/);
});
