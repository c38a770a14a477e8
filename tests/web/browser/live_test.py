"""Heads and Predictions of a page with the engine, beside those of a page of the same run with stored numbers."""

import unittest

from selenium.webdriver.support.ui import WebDriverWait

from page import DEMO, REPORTS, PageTest

LAB = REPORTS / "lab.html"


class Test(PageTest):
    def until(self, condition):
        WebDriverWait(self.page, 20, 0.02).until(lambda _: condition())

    # What the line says of the heads that are off, when it has come.
    def after(self, part, changes):
        self.script("headlight.app.store.change({ off: '', way: 0, sequence: 0 })")
        self.until(lambda: not self.text(f"{part}-without").startswith("Without"))
        self.script("headlight.app.store.change(arguments[0])", changes)
        line = lambda: self.text(f"{part}-without").split("\n")[0]
        self.until(lambda: line().startswith("Without"))
        self.frames()
        return line()

    # The reasons of a cell and of a prediction, on a sequence whose parts are not in the page.
    def reasons(self):
        self.script("headlight.app.selection.chooseHead(4); headlight.app.store.change({ off: '', way: 0, sequence: 1, tab: 'heads' });"
                    "headlight.app.store.change({ query: 40, key: 17, locked: true })")
        self.until(lambda: all(words in self.text("heads-why") for words in ("attention logit", "Softmax over")))
        cell = self.text("heads-why")
        self.tab("predictions")
        self.script("headlight.app.store.change({ query: 40, locked: true })")
        self.until(lambda: "The logit of" in self.text("predictions-why"))
        return cell, self.text("predictions-why")

    def test_the_engine_says_what_the_stored_numbers_say(self):
        said = {}
        for file in (DEMO, LAB):
            self.open(file)
            for changes in ({"off": "1"}, {"off": "4,7", "sequence": 5}, {"off": "1", "way": 1, "sequence": 2}):
                said.setdefault(("heads", str(changes)), []).append(self.after("heads", changes))
            self.tab("predictions")
            said.setdefault("predictions", []).append(self.after("predictions", {"off": "1", "way": 1, "sequence": 2}))
            said.setdefault("reasons", []).append(self.reasons())
        for what, (stored, live) in said.items():
            self.assertEqual(live, stored, what)
        self.assertEqual(self.script("return headlight.app.run.sequences.map(({ terms }) => terms !== undefined)"), [True] + [False] * 5)

    def test_patterns_follow_and_come_back(self):
        self.open(LAB)
        weight = "const { selection, run } = headlight.app; return selection.patternNow(4).weight(40, arguments[0])"
        key = self.script("const row = headlight.app.selection.patternNow(4).row(40); return row.indexOf(Math.max(...row))")
        whole = self.script(weight, key)
        self.script("headlight.app.without.switchOff([1])")
        self.until(lambda: self.script(weight, key) < whole / 2)
        self.assertEqual(self.text("heads-whole"), "without L0H1")
        self.assertIn("All patterns and predictions", self.text("part-heads"))
        drawn = "return document.querySelector('#heads-map canvas').toDataURL()"
        before = self.script(drawn)
        self.script("headlight.app.without.switchOff([])")
        self.assertEqual(self.script(weight, key), whole)
        self.assertNotEqual(self.script(drawn), before)

    def test_every_probability_is_listed(self):
        self.open(LAB, "predictions")
        self.after("predictions", {"off": "1", "query": 40, "locked": True})
        self.assertGreaterEqual(len(self.all("#predictions-guesses tr")), 5)
        self.assertEqual(self.text("predictions-rounded"), "")

    def test_without_an_engine_it_says_so(self):
        self.open(LAB)
        self.spoil()
        self.script("headlight.app.live.failed = 'this browser has no WebAssembly'; headlight.app.without.switchOff([1])")
        self.assertIn("Without L0H1: the engine does not run here (this browser has no WebAssembly). "
                      "What is shown is with all heads.", self.text("heads-without"))


if __name__ == "__main__":
    unittest.main()
