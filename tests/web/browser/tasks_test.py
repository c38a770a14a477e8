"""Reports of other tasks and models: an encoder-decoder, labels instead of next tokens, levels of losses, a text."""

import unittest

from page import REPORTS, PageTest

CROSSED, COUNTS = REPORTS / "crossed" / "report.html", REPORTS / "counts" / "report.html"
MARKOV, TEXT = REPORTS / "markov" / "report.html", REPORTS / "text" / "report.html"
OWN = REPORTS / "crossed_own.html"


class Test(PageTest):
    # The texts of what is seen of these.
    def shown(self, selector):
        return self.script("return [...document.querySelectorAll(arguments[0])].filter((one) => one.getClientRects().length > 0).map((one) => one.innerText)", selector)

    def choose(self, head):
        self.script("headlight.app.selection.chooseHead(arguments[0])", head)

    def fits(self):
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), self.script("return innerWidth"))

    def test_the_heads_of_all_stacks(self):
        self.open(CROSSED)
        self.assertEqual(len(self.all("#heads-grid button")), 3 * 2 * 2)
        titles = self.shown("#heads-grid h4, #heads-grid .stack, #heads-grid p")
        self.assertIn("Cross-attention: from the tokens to the source", " ".join(titles))
        for head, seen in ((0, "itself and those before it"), (5, "any token of the sequence"), (11, "any token of the other sequence")):
            self.choose(head)
            self.assertEqual(self.shown("#part-heads .seen"), ["for the chosen head, " + seen])
        self.assertEqual(self.text("heads-name"), "Layer 1, head 1 of cross-attention")

    def test_the_source_is_shown_with_every_stack(self):
        self.open(OWN)
        for part in ("heads", "predictions"):
            self.tab(part)
            for head, tokens, keys in ((0, "|DC", "ABCD"), (4, "ABCD", ""), (8, "|DC", "ABCD")):
                self.choose(head)
                self.assertEqual("".join(self.shown(f"#{part}-tokens .token")), tokens)
                self.assertEqual("".join(self.shown(f"#{part}-keys .token")), keys)
        self.assertEqual(self.shown("#part-predictions .keys-note"), ["Keys, the tokens attended to:"])
        self.choose(0)
        self.assertEqual(self.shown("#part-predictions .keys-note"), ["The source, which the encoder reads:"])
        self.tab("heads")  # a source that is no key cannot be chosen
        self.script("headlight.app.store.change({ query: 2, key: 0, locked: true })")
        self.all("#heads-keys .token")[3].click()
        self.assertEqual(self.script("return headlight.app.store.state.key"), 0)
        self.assertEqual(self.shown("#heads-keys .token.chosen"), [])

    def test_a_rectangular_pattern_along_training(self):
        self.open(OWN, "training")
        self.choose(8)
        size = "const c = headlight.app.parts.training.grid.buttons[8].firstChild; return [c.width, c.height]"
        self.assertEqual(self.script(size), [4, 3])
        for snapshot in (0, 1):
            self.slide(snapshot)
            self.point("training", 2, 3).perform()
            self.assertRegex(self.text("training-readout"), "^query 2 ‘C’ → key 3 ‘D’: attention weight 0")

    def test_labels_are_no_next_tokens(self):
        self.open(COUNTS, "predictions")
        words = self.text("part-predictions")
        self.assertIn("the answer that the task asks for", words)
        self.assertIn("What the model answers", words)
        self.assertRegex(self.text("predictions-guesses"), "the answer")
        self.assertRegex(self.text("predictions-count"), r"^Right: \d+ of 12\. seen$")
        for word in ("comes next", "next token", "random", "luck", "read that far"):
            self.assertNotIn(word, words)
        self.check_no_scores()

    def check_no_scores(self):
        self.tab("training")
        self.assertFalse(self.one("#training-layers").is_displayed())
        self.assertFalse(self.one("#training-periods").is_displayed())
        self.assertNotIn("Head scores", self.text("part-training"))
        self.assertTrue(self.shown(".chart h4")[0].startswith("Loss"))
        self.tab("about")
        for word in ("segment", "repeated random tokens", "period", "No known kind", "copy"):
            self.assertNotIn(word, self.text("part-about").split("Settings")[0])
        self.fits()

    def test_levels_are_dashed_and_named(self):
        levels = "return headlight.app.parts.training.charts[0].series.filter((s) => s.dashed).map((s) => [s.brief, s.name])"
        measured = "return headlight.app.parts.training.charts[0].series.filter((s) => !s.dashed).map((s) => s.brief)"
        best = lambda values: [float(f"{v:.4f}") for v in values]
        self.open(MARKOV, "training")
        self.assertEqual(self.script(levels), [["uniform", "uniform"], ["unigrams", "unigrams"], ["best possible", "best possible"]])
        self.assertEqual(self.script(measured), ["unpredictable"])
        heights = self.script("const [c] = headlight.app.parts.training.charts; return c.series.filter((s) => s.dashed).map((s) => s.points.map((p) => p[1]))")
        summary = self.summary("markov")
        losses = [r["all"] for r in summary["reference_losses"]] + [summary["best_possible_loss"]["all"]]
        self.assertEqual([best(set(line)) for line in heights], [best([loss]) for loss in losses])
        drawn = self.all(".chart:not([hidden]) .curve.dashed")
        self.assertEqual(len(drawn), 3)
        self.assertNotIn("best", self.shown(".chart p")[0])
        self.check_no_scores()

    def test_a_text_with_spaces_and_line_feeds(self):
        self.open(TEXT, "predictions")
        tokens = self.shown("#predictions-tokens .token")
        self.assertEqual(len(tokens), 128)
        self.assertTrue({"␣", "↵", "*"} <= set(tokens))
        self.assertRegex(self.text("predictions-count"), r"On the others: \d+ of \d+ right\. seen$")
        self.fits()
        self.script("headlight.app.store.change({ off: '0' })")
        said = self.text("part-predictions")
        self.assertIn("If this is copied, ✓ marks a right guess", said)
        self.assertRegex(said, r"Without L0H0: accuracy .* on the \d+ copied tokens of this sequence")
        self.assertNotIn("predictable", said)

    def test_the_map_of_a_long_context(self):
        self.open(TEXT)
        text = self.script("return headlight.app.run.sequences[0].tokens.map((id) => headlight.app.run.tokenText(id))")
        for part in ("heads", "training"):
            self.tab(part)
            self.assertGreater(self.script("return headlight.app.parts[arguments[0]].map.unit", part), 2)
            for query, key in ((127, 0), (64, 31)):
                self.point(part, query, key).perform()
                self.assertIn(f"query {query} ‘{text[query]}’ → key {key} ‘{text[key]}’", self.text(part + "-readout"))
            self.assertTrue(self.one(".tip").is_displayed())
        briefs = self.script("return headlight.app.parts.training.charts[0].series.filter((s) => s.dashed).map((s) => s.brief)")
        self.assertIn("pairs", briefs)
        self.fits()


if __name__ == "__main__":
    unittest.main()
