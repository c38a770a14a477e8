"""Numbers and places of the page, from the run's own files."""

import json
import unittest

from page import DEMO, REPORTS, PageTest, data_of

CROSSED = REPORTS / "crossed" / "report.html"


class Test(PageTest):
    def test_scores_along_training_are_those_of_their_step(self):
        self.open(part="training")
        measured = {}
        for line in (REPORTS / "demo" / "metrics.jsonl").read_text().splitlines():
            record = json.loads(line)
            measured[record["step"]] = record["heads"]
        steps = self.script("return headlight.app.run.snapshots.map(({ step }) => step)")
        for at, head in ((0, 4), (len(steps) // 2, 1), (len(steps) // 3, 7)):
            self.script("const { store, selection } = headlight.app; store.change({ snapshot: arguments[0] }); selection.chooseHead(arguments[1])", at, head)
            scores = measured[steps[at]][head]
            shown = self.text("training-scores").replace("\u00a0", " ")
            for key, name in (("previous_token", "previous token"), ("induction", "induction"), ("self", "self")):
                self.assertIn(f"{name} {scores[key]:.2f}", shown)

    def test_curves_carry_the_name_of_what_they_show(self):
        self.open(part="training")
        last = json.loads((REPORTS / "demo" / "metrics.jsonl").read_text().splitlines()[-1])
        charts = self.script("return headlight.app.run.charts.map(({ title, curves }) => [title, curves.map(({ key, name }) => [key, name])])")
        metrics = self.script("return headlight.app.run.metrics.at(-1).values")
        named = {name: metrics[key] for _, curves in charts for key, name in curves if key in metrics}
        for name, value in named.items():
            if name in ("predictable", "predictable tokens"):
                self.assertAlmostEqual(value, last["loss_predictable"], delta=0.3)
                self.assertLess(value, 1)
            if name in ("unpredictable", "unpredictable tokens"):
                self.assertGreater(value, 3)

    # The keys of cross-attention are places of the source.
    def test_places_are_named_by_their_own_sequence(self):
        self.open(CROSSED)
        data = data_of(CROSSED)
        stack = [one["letter"] for one in data["stacks"]].index("C")
        tokens = data["sequences"][0]["tokens"]
        source = self.script("return headlight.app.run.sequences[0].views[arguments[0]].keys", stack)
        self.assertNotEqual(source, tokens)
        text = lambda token: self.script("return headlight.app.run.tokenText(arguments[0])", token)
        self.script("const { run, selection } = headlight.app; selection.chooseHead(arguments[0] * run.n_heads * run.layers / run.stacks.length)", stack)
        self.script("headlight.app.store.change({ sequence: 0, query: 1, key: 2, locked: true })")
        shown = self.text("heads-readout")
        self.assertIn(f"query 1 ‘{text(tokens[1])}’", shown)
        self.assertIn(f"key 2 ‘{text(source[2])}’", shown)


if __name__ == "__main__":
    unittest.main()
