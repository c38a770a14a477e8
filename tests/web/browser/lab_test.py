"""The engine in the page: the same numbers as the terminal's, and what one can do with it."""

import hashlib
import pathlib
import time
import unittest

from selenium.webdriver.support.ui import WebDriverWait

from page import REPORTS, PageTest

LAB = REPORTS / "lab.html"
SELF_TEST = """
    const done = arguments[arguments.length - 1];
    headlight.selfTest(arguments[0]).then(done, (error) => done({ error: error.message }));"""
HASH = ("const done = arguments[0]; headlight.app.parts.lab.training.first.call('hash')"
        ".then((bytes) => done(new TextDecoder().decode(bytes)))")
PATTERN = "return headlight.app.parts.lab.play.now.patterns.pattern(4)"
# The run's model on its first sequence, in a page in which another test has played.
RUN_ANEW = """
    document.getElementById("lab-words").textContent = "";
    headlight.app.parts.lab.play.model = null;
    document.getElementById("lab-open").click()"""


class Test(PageTest):
    def setUp(self):
        super().setUp()
        self.open(LAB, "lab")
        self.script(RUN_ANEW)
        self.wait("lab-words", "The whole model: accuracy 1.00")

    def wait(self, name, part, seconds=60):
        self.until(lambda: part in self.text(name), seconds)
        return self.text(name)

    def until(self, condition, seconds=20):
        WebDriverWait(self.page, seconds, 0.1).until(lambda _: condition())

    def press(self, name):
        self.script("document.getElementById(arguments[0]).click()", name)

    def put(self, name, value, event="input"):
        self.script("const one = document.getElementById(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event(arguments[2]))",
                    name, value, event)

    def type(self, text):
        self.put("lab-text", text)

    def typed(self):
        return self.script("return document.getElementById('lab-text').value")

    def read_again(self, address):
        self.page.get("about:blank")
        self.page.get(address)

    def test_the_same_bits_as_in_the_terminal(self):
        wanted = hashlib.sha256((REPORTS / "sixty" / "model.safetensors").read_bytes()).hexdigest()
        self.page.set_script_timeout(300)
        hashes = set()
        for workers in (1, 2):
            result = self.page.execute_async_script(SELF_TEST, {"seed": 0, "steps": 60, "workers": workers})
            print(f"60 steps, {workers} workers: {result['milliseconds'] / 60:.1f} ms a step, fused: {result['fused']}")
            hashes.add(result["sha256"])
        self.assertEqual(len(hashes), 1)
        if result["fused"]:
            self.assertEqual(hashes, {wanted})
            self.assertIn("the same bits as in the terminal", self.text("lab-status"))
        else:
            self.assertIn("last digits may differ", self.text("lab-status"))
        rate = self.page.execute_async_script("headlight.productRate().then(arguments[0])")
        print(f"products of 512 x 512: {rate:.0f} GFLOP/s")
        self.assertGreater(rate, 0)

    def test_a_sequence_is_typed(self):
        self.type("abcabc")
        self.wait("lab-words", "Here")
        self.until(lambda: len(self.all(".lab-token")) == 6)
        self.assertEqual(self.script("return document.getElementById('lab-now').width"), 6)
        self.all(".lab-token")[3].click()
        self.page.switch_to.active_element.send_keys("X")
        self.until(lambda: self.typed() == "abcXbc")
        self.press("lab-repeat")
        self.assertEqual(self.typed(), "abcXbcabcXbc")
        self.type("abc\u00e9<img>")
        self.wait("lab-words", "The model has no token \u2018\u00e9\u2019.")
        for end in range(1, 12):  # what is refused stays said, whatever is still being computed
            self.type("ab cd ab cd"[:end])
        self.wait("lab-words", "The model has no token \u2018\u2423\u2019.")
        time.sleep(1)
        self.assertIn("The model has no token \u2018\u2423\u2019.", self.text("lab-words"))
        self.type("a" * 65)
        self.wait("lab-words", "The model reads 64 tokens at most.")

    def test_a_link_makes_a_model_again(self):
        self.script("document.getElementById('lab-n_layers').value = 1")
        self.press("lab-new")
        self.assertNotIn("no segment was shorter", self.wait("lab-what", "A new model, with n_layers 1."))
        for step in (1, 2):
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss")
        said = self.text("lab-training")
        self.until(lambda: "new:model.n_layers%3D1;step:2" in self.page.current_url)
        self.read_again(self.page.current_url)  # the book's links are like this too
        self.wait("lab-training", "Step 2: loss")
        self.assertEqual(self.text("lab-training"), said)
        self.assertIn("n_layers 1", self.text("lab-what"))
        self.assertEqual(self.script("return headlight.app.parts.lab.play.tokens.length"), 64)
        self.press("lab-open")  # of the run's model trained on, a link holds no step
        self.wait("lab-words", "The whole model: accuracy 1.00")
        self.assertIn("In training no segment was shorter than 16 tokens", self.text("lab-what"))
        self.until(lambda: "step:" not in self.page.current_url)

    def test_the_page_is_saved_with_the_model_as_it_is(self):
        self.script("const one = document.getElementById('lab-seed'); one.value = 7")
        self.press("lab-new")
        self.wait("lab-what", "A new model, with seed 7.")
        self.press("lab-step")
        self.wait("lab-training", "Step 1: loss")
        self.type("abcabc")
        self.wait("lab-words", "Here")
        wanted = self.page.execute_async_script(HASH)
        time.sleep(0.5)  # the address takes the state
        self.press("lab-save-page")
        saved = pathlib.Path(self.downloads.name) / "headlight lab.html"
        self.until(saved.exists)
        self.assertLess(saved.stat().st_size, LAB.stat().st_size * 1.2)
        self.assertLess(LAB.stat().st_size, 2_500_000)
        self.page.get(f"file://{saved}")
        self.wait("lab-what", "The model that was saved with this page. A new model, with seed 7. Step 1: loss")
        self.wait("lab-words", "Here")
        self.assertEqual(self.typed(), "abcabc")
        self.assertEqual(self.page.execute_async_script(HASH), wanted)
        self.assertEqual(self.script("return document.getElementById('lab-seed').value"), "7")
        self.press("lab-step")
        self.wait("lab-training", "Step 2: loss")
        self.assertEqual(self.script("return headlight.app.run.title"), "demo")

    def test_heads_layers_and_looks_are_switched_off(self):
        self.script("document.querySelectorAll('#lab-grid .power')[1].click()")
        self.assertRegex(self.wait("lab-words", "Without L0H1:"), r"accuracy 0\.\d\d instead of 1\.00, loss")
        self.assertFalse(self.script("return document.getElementById('lab-before-side').hidden"))
        self.press("lab-all-on")
        self.wait("lab-words", "The whole model")
        self.script("document.querySelectorAll('#lab-layers-off button')[1].click()")
        said = self.wait("lab-words", "Without L1H0, L1H1, L1H2, L1H3:")
        right = "const { tokens, %s: look } = headlight.app.parts.lab.play; return tokens.filter((token, i) => i > 0 && look.guesses[i - 1].token === token).length"
        now, before = self.script(right % "now"), self.script(right % "before")
        self.assertLess(now, before)
        self.assertIn(f"Here {now} of 63 next tokens are guessed right.", said)
        self.press("lab-all-on")
        self.script("headlight.app.parts.lab.play.head = 4; headlight.app.parts.lab.play.reason.choose({ query: 30, key: 3 })")
        self.wait("lab-why", "Head L1H0")
        self.press("lab-forbid")
        self.wait("lab-words", "Without the look of L1H0 from 30 at 3:")
        self.assertEqual(self.script(PATTERN + ".weight(30, 3)"), 0)

    def test_a_part_of_a_key_leads_to_the_head_that_wrote_it(self):
        self.script("headlight.app.parts.lab.play.head = 4; headlight.app.parts.lab.play.reason.choose({ query: 30, key: 11 })")
        self.wait("lab-why", "Head L1H0")
        button = next(one for one in self.all("#lab-why button") if one.text.startswith("see L0"))
        code = button.text.split()[1]
        self.script("arguments[0].click()", button)
        head, cell, row = self.script("""
            const { play } = headlight.app.parts.lab, { query } = play.reason.cell;
            return [play.code(play.head), play.reason.cell, play.now.patterns.pattern(play.head).row(query)]""")
        self.assertEqual((head, cell["query"]), (code, 11))
        row = row[:12]
        self.assertEqual(cell["key"], row.index(max(row)))

    def test_a_head_of_another_sequence(self):
        self.press("lab-remember")
        self.until(lambda: len(self.all("#lab-a button")) == 8)
        before = self.script(PATTERN + ".row(50)")
        self.press("lab-shuffle")
        self.until(lambda: self.script(PATTERN + ".row(50)") != before)
        self.script("document.querySelectorAll('#lab-a button')[1].click()")
        self.wait("lab-words", "What comes from A is not in these numbers.")
        self.assertEqual(len(self.all("#lab-grid .patched")), 1)

    def test_the_claims_are_tested(self):
        self.press("lab-certify")
        self.assertIn("The model has an induction circuit", self.wait("lab-verdict", "Tested in this page"))
        self.assertEqual([cell.text for cell in self.all("#lab-claims td:last-child")], ["holds"] * 5 + ["not asked"])
        self.press("lab-new")
        self.wait("lab-what", "A new model")
        self.assertEqual(self.text("lab-verdict"), "")
        self.press("lab-certify")
        self.assertIn("does not solve the task", self.wait("lab-verdict", "Tested in this page"))

    def test_a_model_is_set_by_hand(self):
        self.press("lab-hand")
        self.wait("lab-what", "set by hand")
        self.put("lab-broken", "matching", "change")
        self.wait("lab-words", "The whole model: accuracy 0")

    def test_training_and_the_way_back(self):
        self.press("lab-new")
        self.wait("lab-what", "A new model, with the settings of the run.")
        for step in (1, 2):
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss 4.")
        self.put("lab-rewind", 0, "change")
        self.wait("lab-training", "The weights of step 1.")
        for step in (2, 3):  # counted from there, and what came after it is gone
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss 4.")
        self.assertEqual(self.script("return headlight.app.parts.lab.curve.map(({ step }) => step)"), [1, 2, 3])
        self.script("document.getElementById('lab-n_layers').value = 1")
        self.press("lab-second")
        self.wait("lab-rival-words", "n_layers 1")
        self.press("lab-step")
        self.wait("lab-rival-training", "Step 1: loss")

    def test_another_task_is_learned(self):
        self.script("const one = document.getElementById('lab-name'); one.value = 'reverse'; document.getElementById('lab-n_ctx').value = 16")
        self.press("lab-new")
        self.wait("lab-what", "A new model, with name reverse, n_ctx 16.")
        self.press("lab-step")
        self.wait("lab-training", "Step 1: loss")
        self.script("document.getElementById('lab-n_heads').value = 7")
        self.press("lab-new")
        self.wait("lab-refused", "No new model: ")
        self.assertIn("The model stays as it was.", self.text("lab-refused"))
        self.press("lab-step")  # and can be trained on
        self.wait("lab-training", "Step 2: loss")

    def test_the_address_holds_what_is_played_with(self):
        self.type("abcabc")
        self.script("document.querySelectorAll('#lab-grid .power')[1].click()")
        self.script("headlight.app.parts.lab.play.reason.choose({ query: 5, key: 2 })")
        self.wait("lab-why", "With nothing switched off: Head")
        self.press("lab-forbid")
        self.until(lambda: all(part in self.page.current_url for part in ("off:L0H1", "cell:5,2", "cut:")))
        self.read_again(self.page.current_url)
        self.wait("lab-words", "Without L0H1")
        self.assertEqual(self.typed(), "abcabc")
        self.wait("lab-why", "from 5")
        self.assertIn("the look of", self.text("lab-words"))

    def test_what_fails_is_said_and_the_page_lives_on(self):
        self.script("const lab = headlight.app.parts.lab; const config = structuredClone(headlight.app.run.lab.config);"
                    "config.train.batch = 1e6;"
                    "lab.open((training) => training.make(config), { words: 'too large' })")
        self.wait("lab-refused", "No new model: [lab] this model and its training take about")
        self.script("headlight.app.parts.lab.training.first.stop('the worker was stopped'); headlight.app.parts.lab.play.draw(3).catch(() => {});"
                    "headlight.app.parts.lab.play.update()")
        self.wait("lab-words", "The engine stopped: the worker was stopped")
        self.press("lab-open")
        self.wait("lab-words", "The whole model: accuracy 1.00")

    def test_a_phone_needs_no_sideways_scrolling(self):
        with self.screen(390, 844, phone=True):
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
