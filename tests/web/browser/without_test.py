"""Heads switched off: the page's words against the numbers in its file."""

import unittest

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from page import DEMO, LARGE, REPORTS, PageTest, data_of, expanded


class Test(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = data_of(DEMO)

    # The bytes of a set of heads of the demo, position by position: tokens, likeliest, targets.
    def numbers(self, heads, sequence=0, way=0):
        packed, n = self.data["without"]["sequences"][sequence][way], len(self.data["sequences"][sequence]["tokens"])
        index = sum(2 ** head for head in heads)
        parts = [expanded(packed[key])[index * n:(index + 1) * n] for key in ("tokens", "likeliest", "targets")]
        return [*map(list, parts), packed["losses"][index]]

    def accuracy(self, heads, sequence=0, way=0):
        s, tokens = self.data["sequences"][sequence], self.numbers(heads, sequence, way)[0]
        known = [t for t, predictable in enumerate(s["predictable"]) if predictable]
        return sum(tokens[t] == s["targets"][t] for t in known) / len(known)

    def words(self, heads, sequence=0, way=0):
        codes = ", ".join(f"L{head // 4}H{head % 4}" for head in heads)
        known = sum(self.data["sequences"][sequence]["predictable"])
        loss, intact = self.numbers(heads, sequence, way)[3], self.numbers([], sequence, way)[3]
        return (f"Without {codes}: accuracy {self.accuracy(heads, sequence, way):.2f} instead of {self.accuracy([], sequence, way):.2f}, "
                f"loss {loss:.2f} instead of {intact:.2f} on the {known} predictable tokens of this sequence. The certificate's numbers are of other sequences. tried")

    def line(self, part):
        return self.one(f"#{part}-without [role=status]").text

    def switches(self, part):
        return self.all(f"#part-{part} .power")

    def click(self, element):
        self.script("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def struck(self):
        return self.script("return [...document.querySelectorAll('#heads-grid .switched')].flatMap((c, i) => c.classList.contains('off') ? [i] : [])")

    def test_switches_show_what_is_lost(self):
        for width, height in ((390, 844), (1400, 1000)):
            with self.screen(width, height):
                self.open()
                self.assertIn("What is lost without a head?", self.line("heads"))
                off = []
                for head in (self.data["certificate"]["induction_heads"][0], 1, 0):
                    before = self.switches("heads")[head].rect
                    self.click(self.switches("heads")[head])
                    off = sorted([*off, head])
                    self.assertEqual(self.line("heads"), self.words(off))
                    self.assertEqual(self.struck(), off)
                    self.assertTrue(self.one("#heads-whole").is_displayed())
                    self.assertEqual(self.switches("heads")[head].rect, before)  # it stays under the pointer
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
                self.click(self.switches("heads")[1])
                self.assertEqual(self.line("heads"), self.words(sorted({*off} - {1})))
                self.click(self.one("#heads-without button"))
                self.assertEqual(self.struck(), [])
                self.assertIn("What is lost without a head?", self.line("heads"))
        self.assertLess(self.accuracy([1]), 0.6)  # the demo does lose something

    def test_the_predictions_are_those_without_the_heads(self):
        self.open(part="predictions")
        s, off = self.data["sequences"][0], [1, 4]
        marks = lambda: self.script("return [...document.querySelectorAll('#predictions-tokens .mark')].map((mark) => mark.innerText)")
        intact = marks()
        for head in off:
            self.click(self.switches("predictions")[head])
        tokens, likeliest, targets, _ = self.numbers(off)
        self.assertEqual(self.line("predictions"), self.words(off))
        expected = []
        for t, target in enumerate(s["targets"]):
            right, known = tokens[t] == target, s["predictable"][t]
            expected.append("?" if target < 0 else "✓" if right else "✗" if known else "·")
        self.assertNotEqual(expected, intact)
        self.assertEqual(marks(), expected)
        wrong = next(t for t, mark in enumerate(expected) if mark == "✗")
        self.script("headlight.app.store.change({ query: arguments[0], locked: true })", wrong)
        rows = self.script("return [...document.querySelectorAll('#predictions-guesses tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")
        shown = lambda p: "< 0.001" if p < 0.0005 else f"{p:.3f}"
        text = lambda token: self.data["vocabulary"][token]
        self.assertEqual([[row[0], row[2], row[3]] for row in rows],
                         [[text(tokens[wrong]), shown(likeliest[wrong] / 255), ""],
                          [text(s["targets"][wrong]), shown(targets[wrong] / 255), "comes next"]])
        self.assertIn("rounded by up to 0.002", self.text("predictions-rounded"))
        right = sum(mark == "✓" and s["predictable"][t] for t, mark in enumerate(expected))
        self.assertIn(f"On predictable tokens: {right} of {sum(s['predictable'])} right.", self.text("predictions-count"))
        self.assertIn("predictions without L0H1, L1H0", self.script("return headlight.app.parts.predictions.picture().outerHTML"))
        for head in off:
            self.click(self.switches("predictions")[head])
        self.assertEqual(marks(), intact)
        self.assertEqual(self.text("predictions-rounded"), "")

    def test_zero_can_take_the_place_of_the_mean_and_each_sequence_has_its_own_numbers(self):
        self.open()
        self.click(self.switches("heads")[1])
        choice = Select(self.one("#heads-without select"))
        self.assertEqual([o.text for o in choice.options], ["its mean over 64 other sequences", "zero"])
        choice.select_by_index(1)
        self.assertNotEqual(self.words([1], way=1), self.words([1]))
        self.assertEqual(self.line("heads"), self.words([1], way=1))
        self.tab("predictions")
        self.assertEqual(self.line("predictions"), self.words([1], way=1))
        last = len(self.data["without"]["sequences"]) - 1
        self.assertEqual(last + 1, len(self.data["sequences"]))
        Select(self.one("#part-predictions .sequence")).select_by_index(last)
        self.assertEqual(self.line("predictions"), self.words([1], sequence=last, way=1))

    def test_a_sequence_without_numbers_says_so_and_offers_one_that_has_them(self):
        self.open()
        self.spoil()
        self.script("const { run, store } = headlight.app; run.without.sequences.length = 2; store.change({ sequence: 4 })")
        self.click(self.switches("heads")[1])
        self.assertEqual(self.line("heads"), "Without L0H1: this sequence has no such numbers; the first 2 sequences have. "
                                             "The predictions are those with all heads.")
        self.click(self.one("#heads-without .go"))
        self.assertEqual(self.script("return headlight.app.store.state.sequence"), 0)
        self.assertEqual(self.line("heads"), self.words([1]))
        self.assertEqual(self.all("#heads-without .go"), [])

    def test_by_keyboard(self):
        self.open()
        self.script("arguments[0].focus()", self.all("#heads-grid button")[4])
        self.keys("x")
        self.assertEqual((self.struck(), self.line("heads")), ([4], self.words([4])))
        self.keys("x")
        self.assertEqual(self.struck(), [])
        self.keys(Keys.TAB)
        switch = self.page.switch_to.active_element
        self.assertEqual(switch.get_attribute("aria-label"), "L1H0 is on")
        self.keys(Keys.SPACE)
        self.assertEqual((self.struck(), switch.is_selected()), ([4], False))
        self.script("document.getElementById('heads-map').focus()")
        self.keys("x")
        self.assertEqual(self.struck(), [4])

    def test_tokens_whose_prediction_is_lost_are_framed(self):
        self.open()
        framed = "return [...document.querySelectorAll('#heads-tokens .token')].flatMap((t, i) => t.classList.contains('lost') ? [i] : [])"
        self.assertEqual(self.script(framed), [])
        self.click(self.switches("heads")[1])
        s, before, now = self.data["sequences"][0], self.numbers([])[0], self.numbers([1])[0]
        lost = [t for t, target in enumerate(s["targets"]) if s["predictable"][t] and before[t] == target != now[t]]
        self.assertGreater(len(lost), 0)
        self.assertEqual(self.script(framed), lost)

    def test_other_models(self):
        self.open(LARGE)
        self.assertIn(self.script("return headlight.app.run.without.most"), (1, 2))
        for off, said in (([3], "accuracy 0"), ([3, 7, 9], "this page has numbers for (one head|one or two heads) switched off")):
            self.script("headlight.app.without.switchOff(arguments[0])", off)
            self.assertRegex(self.line("heads"), "^Without L0H3(, L0H7, L1H1)?: " + said)
        self.open(REPORTS / "crossed" / "report.html")
        self.click(self.switches("heads")[-1])
        self.assertRegex(self.line("heads"), "^Without C1H1: accuracy 0")
        self.open(REPORTS / "hostile.html")  # without such numbers
        self.assertFalse(self.one("#heads-without").is_displayed())
        for part in ("heads", "predictions"):
            self.tab(part)
            self.assertFalse(any(s.is_displayed() for s in self.switches(part)))


if __name__ == "__main__":
    unittest.main()
