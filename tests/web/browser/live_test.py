"""Heads and Predictions of a page with the engine, beside those of a page of the same run with stored numbers."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from page import DEMO, REPORTS, PageTest

LAB = REPORTS / "lab.html"


class Test(PageTest):
    def after(self, file, part, *changes):
        """What the line says of the heads that are off, and the guesses, when it has come."""
        self.open(file, part)
        for change in changes:
            self.script("headlight.app.store.change(arguments[0])", change)
        line = lambda: self.text(f"{part}-without").split("\n")[0]
        WebDriverWait(self.page, 20, 0.02).until(lambda _: line().startswith("Without"), f"{file} {part}")
        self.page.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        return line()

    def test_the_engine_says_what_the_stored_numbers_say(self):
        for changes in ({"off": "1"}, {"off": "4,7", "sequence": 5}, {"off": "1", "way": 1, "sequence": 2}):
            for part in ("heads", "predictions"):
                with self.subTest(changes=changes, part=part):
                    self.assertEqual(self.after(LAB, part, changes), self.after(DEMO, part, changes))

    def test_patterns_follow_and_come_back(self):
        self.open(LAB)
        weight = "const { selection, run } = headlight.app; return selection.patternNow(4).weight(40, arguments[0])"
        key = self.script("const row = headlight.app.selection.patternNow(4).row(40); return row.indexOf(Math.max(...row))")
        whole = self.script(weight, key)
        self.script("headlight.app.without.switchOff([1])")
        WebDriverWait(self.page, 20, 0.02).until(lambda _: self.script(weight, key) < whole / 2)
        self.assertEqual(self.text("heads-whole"), "without L0H1")
        self.assertIn("All patterns and predictions", self.text("part-heads"))
        drawn = "return document.querySelector('#heads-map canvas').toDataURL()"
        before = self.script(drawn)
        self.script("headlight.app.without.switchOff([])")
        self.assertEqual(self.script(weight, key), whole)
        self.assertNotEqual(self.script(drawn), before)

    def test_every_probability_is_listed(self):
        self.after(LAB, "predictions", {"off": "1", "query": 40, "locked": True})
        rows = self.page.find_elements(By.CSS_SELECTOR, "#predictions-guesses tr")
        self.assertGreaterEqual(len(rows), 5)
        self.assertEqual(self.text("predictions-rounded"), "")

    def test_a_sequence_whose_parts_are_not_in_the_page(self):
        reasons = []
        for file in (DEMO, LAB):
            self.open(file)
            self.script("headlight.app.selection.chooseHead(4); headlight.app.store.change({ sequence: 1 });"
                        "headlight.app.store.change({ query: 40, key: 17, locked: true })")
            WebDriverWait(self.page, 20, 0.02).until(lambda _: "attention logit" in self.text("heads-why"))
            WebDriverWait(self.page, 20, 0.02).until(lambda _: "Softmax over" in self.text("heads-why"))
            reasons.append(self.text("heads-why"))
            self.tab("predictions")
            self.script("headlight.app.store.change({ query: 40, locked: true })")
            WebDriverWait(self.page, 20, 0.02).until(lambda _: "The logit of" in self.text("predictions-why"))
            reasons.append(self.text("predictions-why"))
        self.assertEqual(reasons[:2], reasons[2:])
        self.assertEqual([one for one in self.script("return headlight.app.run.sequences.map(({ terms }) => terms !== undefined)")], [True] + [False] * 5)

    def test_without_an_engine_it_says_so(self):
        self.open(LAB)
        self.script("headlight.app.live.failed = 'this browser has no WebAssembly'; headlight.app.without.switchOff([1])")
        self.assertIn("Without L0H1: the engine does not run here (this browser has no WebAssembly). "
                      "What is shown is with all heads.", self.text("heads-without"))


if __name__ == "__main__":
    unittest.main()
