import assert from "node:assert/strict";
import { test } from "node:test";

import { originIn, originOf, sameOrigin, withoutOrigin } from "./address.js";
import { halfRight, raceInWords } from "./curve.js";
import { ofShortPeriods } from "./watch.js";

const NOW = "new=model.n_layers=1,task.n_ctx=16&step=300";

test("an address names the settings of a new model", () => {
  assert.equal(originOf("model.n_layers=1,task.n_ctx=16", "300"), NOW);
  assert.equal(originOf("", null), "new=&step=0");
  assert.deepEqual(originIn(NOW), { settings: ["model.n_layers=1", "task.n_ctx=16"], step: 300 });
  assert.deepEqual(originIn(originOf("", "x")), { settings: [], step: 0 });
  assert.equal(originIn("").settings, null);
});

test("an address asks for the present model or for another one", () => {
  for (const same of [NOW, "step=300&new=task.n_ctx=16,model.n_layers=1"])
    assert.equal(sameOrigin(same, NOW), true, same);
  for (const other of [
    "",
    "new=model.n_layers=2,task.n_ctx=16&step=300",
    "new=model.n_layers=1&step=300",
    "new=model.n_layers=1,task.n_ctx=16&step=299",
  ])
    assert.equal(sameOrigin(other, NOW), false, other);
  assert.equal(sameOrigin("", ""), true); // of the run, or of what no link can make again
  assert.equal(sameOrigin("new=&step=0", ""), false);
});

test("the step at which half was right, and whose", () => {
  const curve = (formed) =>
    [0, 10, 20, 30].map((step) => ({ step, loss: 4, accuracy: step >= formed ? 0.5 : 0.49 }));
  assert.deepEqual(halfRight([curve(20)]), [{ step: 20, words: "half is right at step 20" }]);
  assert.deepEqual(halfRight([curve(40), curve(10)]), [
    null,
    { step: 10, words: "second: half is right at step 10" },
  ]);
  assert.deepEqual(halfRight([curve(0)]), [{ step: 0, words: "half is right already at step 0" }]);
  const seeds = " It is measured every 10 steps. That is one training of each: other seeds may change it.";
  assert.equal(raceInWords([curve(20)]), "");
  assert.equal(raceInWords([curve(40), curve(40)]), "");
  assert.equal(
    raceInWords([curve(40), curve(10)]),
    "The second is ahead: half is right in it since step 10, and not in the other so far.",
  );
  assert.equal(raceInWords([curve(30), curve(10)]), "Half was right 20 steps sooner in the second." + seeds);
  assert.equal(raceInWords([curve(10), curve(20)]), "Half was right 10 steps sooner in the first." + seeds);
  assert.equal(raceInWords([curve(20), curve(20)]), "Half was right in both at step 20." + seeds);
});

test("a repeat run says from where on it can be sure", () => {
  const train = { steps: 700 };
  assert.match(
    ofShortPeriods({ task: { name: "repeat", n_ctx: 64 }, train }),
    /no segment was shorter than 16 tokens, so none came again within the first 16\./, // a token may
  );
  const said = ofShortPeriods({ task: { name: "repeat" }, train });
  assert.doesNotMatch(said, /probability/); // nothing was measured on one
  assert.match(
    ofShortPeriods({ task: { name: "repeat", n_ctx: 64, min_segment: 5 }, train }),
    /shorter than 5 tokens/,
  );
  assert.equal(ofShortPeriods({ task: { name: "markov" }, train }), "");
  assert.equal(ofShortPeriods({ task: { name: "repeat", n_ctx: 64 }, train: { steps: 1 } }), ""); // untrained
});

test("a page that holds the model asks for no other", () => {
  const address = "#heads&tokens=1,2&new=train.seed=7,model.n_layers=1&step=30&off=L0H1";
  assert.equal(withoutOrigin(address), "#heads&tokens=1,2&off=L0H1");
  assert.equal(withoutOrigin("#lab"), "#lab");
});
