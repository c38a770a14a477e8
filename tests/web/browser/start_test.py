"""The part that opens first: the first minute of a run with an induction circuit, and one true sentence of any other."""

import unittest

from selenium.webdriver.common.keys import Keys

from page import DEMO, REPORTS, PageTest, data_of, expanded

M = "const m = headlight.app.parts.start.minute; "
NARROW_TO_WIDE = range(320, 1601, 80)


class Test(PageTest):
    def go(self, step):
        self.script(M + "m.go(arguments[0], true)", step)
        self.frames()

    def state(self, *names):
        return self.script("return arguments[0].map((name) => headlight.app.store.state[name])", list(names))

    def say(self):
        return self.script(
            "const caption = document.getElementById('minute-caption').cloneNode(true);"
            "caption.querySelectorAll('.known').forEach((mark) => mark.remove());"
            "return caption.textContent.trim()"
        )

    def count(self):
        return self.text("minute-count")

    # The numbers of the page, read by other code: guesses above the letters in a state of the lamps, and how many are right.
    def stored(self, minute, frame, state):
        n, data = len(minute["tokens"]), expanded(minute["frames"])
        size = n + 5 * n * (n + 1) // 2 + 9 * n * 4
        at = frame * size + n + 5 * n * (n + 1) // 2 + state * n * 4
        tokens = [data[at + 4 * t] + 256 * data[at + 4 * t + 1] for t in range(n)]
        asked = [t for t in range(minute["ask"], n - 1) if minute["predictable"][t]]
        return [tokens[t] for t in asked], sum(tokens[t] == minute["tokens"][t + 1] for t in asked), len(asked)

    def shown_guesses(self):
        return self.script("return [...document.querySelectorAll('#minute-strip .guess-of')].filter((g) => g.getAttribute('opacity') === '1')"
                           ".map((g) => g.lastElementChild.textContent)")

    def test_what_is_shown_is_what_the_data_say(self):
        data = data_of(DEMO)
        minute, vocabulary = data["minute"], data["vocabulary"]
        self.open(part="start")
        last = len(minute["steps"]) - 1
        for snapshot in (0, last // 2, last):
            self.script(M + "m.go(7); m.dragged = true; m.snapshot = arguments[0]; m.share = 1; m.draw()", snapshot)
            for state in range(9):
                self.script(M + "m.state = arguments[0]; m.draw()", state)
                guesses, right, all_asked = self.stored(minute, snapshot, state)
                self.assertEqual(self.shown_guesses(), [vocabulary[token] for token in guesses], (snapshot, state))
                self.assertEqual(self.count(), f"{right} of {all_asked} right")
                self.assertIn(f"{right} of {all_asked} right.", self.say())
        self.assertEqual(minute["steps"][-1], data["history"]["steps"][-1])

    def test_a_visitor_goes_through_the_steps(self):
        with self.screen(1400, 900):
            self.open(part="start")
            self.script(M + "m.go(0)")
            self.assertEqual(self.state("tab"), ["start"])
            answer = self.script(M + "return m.text(m.line.tokens[m.line.ask + 1])")
            next(b for b in self.all("#minute-answers button") if b.text == answer).click()
            self.assertIn("the note-writer notes under each letter", self.say())
            self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "minute-next")
            self.go(3)
            self.assertIn(f"You said {answer} too.", self.text("minute-detail"))
            self.go(4)
            whole = self.count()
            self.go(5)
            self.assertEqual(self.say(), "Now switch the note-writer off.")
            lamp = self.one("#minute-note-writer")
            self.assertEqual((lamp.get_attribute("role"), lamp.get_attribute("aria-checked")), ("switch", "true"))
            lamp.click()
            self.script(M + "m.share = 1; m.draw()")
            self.assertEqual(lamp.get_attribute("aria-checked"), "false")
            self.assertNotEqual(self.count(), whole)
            self.assertRegex(self.say(), "^Without notes the finder looks mostly elsewhere")
            lamp.click()
            self.one("#minute-control").click()
            self.script(M + "m.share = 1; m.draw()")
            self.assertEqual(self.count(), whole)
            self.one("#minute-wire").click()
            self.script(M + "m.share = 1; m.draw()")
            self.assertNotEqual(self.count(), whole)
            self.one("#minute-fool").click()
            self.script(M + "m.go(6, true)")
            self.assertRegex(self.say(), "(Two|Three) earlier notes say .; looks go mostly there; . is guessed, wrongly.")
            self.assertEqual([b.text for b in self.all("#minute-steps button")],
                             ["Guess", "Note", "Look", "Copy", "Go on", "Cut", "Fool it", "Train"])

    # In its own time: 19 seconds from the press to the switch.
    def test_it_plays_by_itself_and_can_be_paused(self):
        with self.screen(1400, 900):
            self.open(part="start")
            self.script(M + "m.byKeys = false; m.go(1)")
            seconds = self.page.execute_async_script(M + """
                const done = arguments[0], began = performance.now();
                const look = () => m.step === 5 ? done((performance.now() - began) / 1000) : setTimeout(look, 50);
                look()""")
            self.assertTrue(18 < seconds < 25, seconds)
            self.script(M + "m.go(1)")
            self.one("#minute-pause").click()
            stood = self.page.execute_async_script(M + "const t = m.time; setTimeout(() => arguments[0](m.time - t), 300)")
            self.assertLess(stood, 0.1)
            self.spoil()

    def test_by_keyboard(self):
        self.open(part="start")
        self.go(5)
        self.script("document.querySelectorAll('#minute-steps button')[5].focus()")
        self.keys(Keys.ARROW_LEFT)
        self.assertEqual(self.script(M + "return m.step"), 4)
        self.go(5)
        self.script("document.getElementById('minute-strip').focus()")
        self.keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.script(M + "return [m.query, m.line.ask + 1]"), [self.script(M + "return m.line.ask + 1")] * 2)
        self.assertIn("The guesses: ", self.one("#minute-strip").get_attribute("aria-label"))
        self.script("document.getElementById('minute-slider').focus()")
        self.keys(Keys.ARROW_LEFT)
        self.assertEqual(self.script(M + "return [m.step, m.frames.length - 1 - m.snapshot]"), [7, 1])

    def test_without_motion_it_stands_at_the_end_of_each_step(self):
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.open(part="start")
        self.spoil()
        self.script(M + "m.go(4)")
        self.assertEqual(self.script(M + "return [m.running, m.step, m.scene().right]"), [False, 4, self.script(M + "return m.line.right(m.frames.at(-1), 0)")])
        self.assertFalse(self.one("#minute-pause").is_displayed())

    def test_nothing_sticks_out_at_any_width(self):
        self.open(part="start")
        for width in NARROW_TO_WIDE:
            with self.screen(width, 900):
                for step in (0, 5, 6):
                    self.go(step)
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, (width, step))
        with self.screen(1400, 900):
            self.go(7)
            self.assertLessEqual(self.box("#minute-slider")["bottom"], 900)
        with self.screen(390, 844, phone=True):
            self.open(part="start")
            self.go(5)
            self.assertLessEqual(self.box("#minute-count")["bottom"], 844, "the count stands below the lamps")

    def test_on_paper_the_line_is_whole(self):
        self.open(part="start")
        self.script(M + "m.go(0)")
        self.script("window.dispatchEvent(new Event('beforeprint'))")
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.assertEqual(self.say(), "The next letters come the same way: look, then copy.")
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertEqual(self.script(M + "return [m.step, m.scene().known]"), [4, self.script(M + "return m.line.tokens.length")])
        self.script("window.dispatchEvent(new Event('afterprint'))")
        self.spoil()

    def test_a_run_without_a_circuit_has_a_sentence_and_one_thing_to_do(self):
        for folder, tab in (("one", "certificate"), ("text", None), ("markov", None)):
            self.open(REPORTS / folder / "report.html", "start")
            self.assertFalse(self.one("#minute").is_displayed())
            self.assertTrue(self.one("#verdict").is_displayed())
            self.assertNotEqual(self.text("verdict"), "")
            buttons = self.all("#start-do button")
            self.assertEqual(len(buttons), 1)
            buttons[0].click()
            shown = self.state("tab")[0]
            self.assertNotEqual(shown, "start")
            if tab:
                self.assertEqual(shown, tab)


if __name__ == "__main__":
    unittest.main()
