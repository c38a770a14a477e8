"""The laboratory: models that are made, trained, shown in all parts and saved, with the terminal's numbers."""

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
HASH = ("const done = arguments[0]; headlight.app.parts.lab.%s.first.call('hash')"
        ".then((bytes) => done(new TextDecoder().decode(bytes)))")
# The pattern of L1H0 on the sequence that is watched: its weight at the key that it looks at most from 50.
MOST = "return Math.max(...headlight.app.parts.lab.watch.now.patterns.pattern(4).row(50))"


class Test(PageTest):
    def setUp(self):
        super().setUp()
        self.spoil()  # another test has put other models into the page
        self.open(LAB, "lab")
        self.wait("lab-what", "The model that this page was made of")
        self.until(lambda: self.script("return headlight.app.parts.lab.watch.now !== null"))

    def wait(self, name, part, seconds=30):
        self.until(lambda: part in self.text(name), seconds)
        return self.text(name)

    def until(self, condition, seconds=20):
        WebDriverWait(self.page, seconds, 0.1).until(lambda _: condition())

    def press(self, name):
        self.script("document.getElementById(arguments[0]).click()", name)

    def put(self, name, value, event="input"):
        self.script("const one = document.getElementById(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event(arguments[2]))",
                    name, value, event)

    def hash(self, of="training"):
        return self.page.execute_async_script(HASH % of)

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

    def test_a_link_makes_a_model_again(self):
        self.script("document.getElementById('lab-n_layers').value = 1")
        self.press("lab-new")
        self.assertNotIn("no segment was shorter", self.wait("lab-what", "A new model, with n_layers 1."))
        for step in (1, 2):
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss")
        said = self.text("lab-training")
        self.until(lambda: self.page.current_url.endswith("#lab&new=model.n_layers=1&step=2"))
        self.read_again(self.page.current_url)  # the book's links are like this too
        self.wait("lab-training", "Step 2: loss")
        self.assertEqual(self.text("lab-training"), said)
        self.assertIn("n_layers 1", self.text("lab-what"))
        self.tab("heads")  # whose model it is too
        self.until(lambda: "#heads&new=model.n_layers=1&step=2" in self.page.current_url)
        self.tab("lab")
        self.press("lab-open")  # of the run's model trained on, a link holds no step
        self.wait("lab-what", "In training no segment was shorter than 16 tokens")
        self.until(lambda: self.page.current_url.endswith("#lab"))
        self.script("location.hash = 'lab&new=model.n_layers=1&step=1'")
        self.wait("lab-training", "Step 1: loss")

    def test_the_page_is_saved_with_the_model_as_it_is(self):
        self.script("const one = document.getElementById('lab-seed'); one.value = 7")
        self.press("lab-new")
        self.wait("lab-what", "A new model, with seed 7.")
        self.press("lab-step")
        self.wait("lab-training", "Step 1: loss")
        self.script("headlight.app.own.put([26, 27, 28, 26])")
        self.until(lambda: self.script("return headlight.app.store.state.sequence") == 6)
        wanted = self.hash()
        time.sleep(0.5)  # the address takes the state
        self.press("lab-save-page")
        saved = pathlib.Path(self.downloads.name) / "headlight lab.html"
        self.until(saved.exists, 60)  # when the model was measured
        self.assertLess(LAB.stat().st_size, 2_000_000)
        self.page.get(f"file://{saved}")
        self.wait("lab-what", "The model that this page was made of: a new model with seed 7, step 1.")
        self.assertEqual(self.script("return document.getElementById('heads-text').value"), "")  # not drawn yet
        self.tab("heads")
        self.until(lambda: self.script("return document.getElementById('heads-text').value") == "abca")
        self.tab("lab")
        self.assertEqual(self.hash(), wanted)
        self.assertEqual(self.script("return document.getElementById('lab-seed').value"), "7")

    def test_training_rests_by_itself(self):
        self.press("lab-new")
        self.wait("lab-what", "A new model")
        self.assertEqual(self.text("lab-start"), "▶ Train 700 steps")  # as many as the page’s run had
        self.script("Object.defineProperty(headlight.app.parts.lab.course, 'atOnce', { value: 3 })")
        for rest in (3, 6):
            self.press("lab-start")
            self.wait("lab-training", f"Step {rest}: loss")
            self.until(lambda: self.text("lab-start") == "▶ Train 3 steps")
            self.assertEqual(self.script("return headlight.app.parts.lab.course.steps"), rest)

    def test_all_parts_show_the_model_when_its_training_rests(self):
        self.script("document.getElementById('lab-n_layers').value = 1")
        self.press("lab-new")
        self.wait("lab-what", "A new model, with n_layers 1.")
        self.press("lab-start")
        self.wait("lab-training", "Step ")
        self.tab("heads")
        self.assertIn("What stands here is of demo. The lab’s model is in training.", self.text("band"))
        self.press("lab-start")
        self.wait("band", "The lab’s model, a new model with n_layers 1, step ")
        faded = "return Number(getComputedStyle(document.getElementById('part-certificate')).opacity)"
        self.assertLess(self.script(faded), 1)
        self.wait("band", "is being measured; all parts follow when that is done.")
        self.until(lambda: self.script("return headlight.app.run.n_layers") == 1, 60)
        self.assertEqual(self.script(faded), 1)
        step = self.script("return headlight.app.lab.course.steps")
        title = f"a new model with n_layers 1, step {step}"
        self.assertEqual(self.script("return [headlight.app.run.title, document.getElementById('band').hidden]"), [title, True])
        self.assertEqual(len(self.all("#heads-grid button")), 4)
        weights = "return headlight.app.run.lab.weights"
        own = ("const done = arguments[0]; headlight.app.lab.training.first.weights()"
               ".then((bytes) => done(btoa(String.fromCharCode(...bytes))))")
        self.assertEqual(self.script(weights), self.page.execute_async_script(own))
        for tab, words in (("start", "has not learned to copy"), ("certificate", "does not solve the task"), ("about", title)):
            self.tab(tab)
            shown = self.script("return document.querySelector('main section.shown').innerText + document.title")
            self.assertIn(words, shown)
        self.assertEqual(self.script("return headlight.app.run.snapshots.at(-1).step"), step)
        self.page.find_element("id", "heads-grid")  # once: nothing is drawn twice
        self.assertEqual(len(self.script("return [...document.querySelectorAll('.tip')]")), 1)
        self.tab("lab")
        self.press("lab-open")
        self.until(lambda: self.script("return headlight.app.run.title") == "demo")
        self.tab("heads")
        self.assertEqual(len(self.all("#heads-grid button")), 8)

    def test_a_model_is_set_by_hand(self):
        self.press("lab-hand")
        self.wait("lab-what", "set by hand")
        right = lambda: len(self.all("#lab-tokens .right"))
        self.until(lambda: right() > 40)
        verdict = "return headlight.app.run.title + ': ' + headlight.app.run.certificate.verdict"
        self.until(lambda: self.script(verdict) == "a model set by hand: induction circuit", 120)
        self.wait("lab-hand-said", "Its certificate: induction circuit")
        self.put("lab-first", -3, "change")
        self.assertEqual(self.script("return document.getElementById('lab-first').nextElementSibling.textContent"), "× 1/8")
        self.until(lambda: self.script("return headlight.app.lab.title") == "a model set by hand, attention logits of layer 0 × 1/8")
        self.put("lab-first", 0)
        self.put("lab-broken", "matching", "change")
        self.until(lambda: right() < 10)
        self.until(lambda: "circuit" not in self.script(verdict), 120)
        self.wait("lab-hand-said", "Its certificate: does not solve the task; failed: matching")

    def test_training_and_the_way_back(self):
        self.press("lab-new")
        self.wait("lab-what", "A new model, with the settings of the run.")
        for step in (1, 2):
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss 4.")
        self.put("lab-rewind", 1, "change")
        self.wait("lab-training", "The weights of step 1.")
        for step in (2, 3):  # counted from there, and what came after it is gone
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss 4.")
        self.assertEqual(self.script("return headlight.app.parts.lab.course.history.curve.map(({ step }) => step)"), [1, 2, 3])
        self.script("document.getElementById('lab-n_layers').value = 1")
        self.press("lab-second")
        self.wait("lab-rival-words", "n_layers 1")
        self.until(lambda: self.script("return document.activeElement.textContent") == "▶ Race 700 steps")
        drawn = "return [...document.querySelectorAll('#lab-rival-grid canvas')].every((one) => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some(Boolean))"
        self.until(lambda: self.script(drawn))  # before a step
        self.press("lab-step")
        self.wait("lab-rival-training", "Step 1: loss")
        # Neither of both is lost, nor what was trained before.
        first = self.hash()
        second = self.hash("rival.training")
        self.press("lab-rival-take")
        self.wait("lab-what", "This is a model with n_layers 1 instead of 2, at step 1.")
        self.assertEqual(self.hash(), second)
        shelf = lambda: [one.text for one in self.all("#lab-shelf-models button")]
        self.assertEqual(shelf(), ["a new model with the settings of the run, step 3", "a model with n_layers 2 instead of 1, step 1"])
        self.all("#lab-shelf-models button")[1].click()
        self.wait("lab-what", "This is a model with n_layers 2 instead of 1, at step 1.")
        self.assertEqual(self.script("return document.getElementById('lab-n_layers').value"), "2")
        self.assertEqual(self.hash(), first)
        self.press("lab-step")
        self.wait("lab-training", "Step 2: loss 4.")
        self.assertEqual(len(shelf()), 2)  # the model of one layer instead

    def test_a_training_goes_on_beside_the_same_one_without_a_head(self):
        self.press("lab-new")
        self.wait("lab-what", "A new model, with the settings of the run.")
        for step in (1, 2, 3):
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss 4.")
        self.put("lab-rewind", 1, "change")
        self.wait("lab-training", "The weights of step 1.")
        self.put("lab-head", 1)
        self.press("lab-without")
        self.wait("lab-rival-words", "Dashed: a new model with the settings of the run, from step 1 without L0H1.")
        self.assertIn("From step 1 twice, on the same sequences", self.text("lab-what"))
        self.assertEqual(self.text("lab-start"), "▶ Race 700 steps")
        for step in (2, 3):
            self.press("lab-step")
            self.wait("lab-training", f"Step {step}: loss 4.")
            self.wait("lab-rival-training", f"Step {step}: loss 4.")
        curves = "return headlight.app.parts.lab.{}history.curve.map(({{ step, loss }}) => [step, loss])"
        first, other = self.script(curves.format("course.")), self.script(curves.format("rival."))
        self.assertEqual([step for step, _ in first], [1, 2, 3])
        self.assertEqual(first[0], other[0])  # together until then
        self.assertNotEqual(first[1][1], other[1][1])
        shelf = [one.text for one in self.all("#lab-shelf-models button")]
        self.assertEqual(shelf, ["a new model with the settings of the run, step 3"])  # with what came after step 1

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

    def test_what_fails_is_said_and_the_page_lives_on(self):
        self.script("const lab = headlight.app.parts.lab; const config = structuredClone(headlight.app.run.lab.config);"
                    "config.train.batch = 1e6;"
                    "lab.open((training) => training.make(config), { words: 'too large', title: 'too large' })")
        self.wait("lab-refused", "No new model: [lab] this model and its training take about")
        self.script("headlight.app.parts.lab.training.first.stop('the worker was stopped'); headlight.app.parts.lab.watch.update()")
        self.wait("lab-status", "No picture of the model: the worker was stopped.")
        self.press("lab-open")
        self.wait("lab-status", "The engine runs in this page")

    # As it does when memory runs out: no event tells of it.
    def test_a_worker_that_ends_without_a_word_ends_the_wait(self):
        ended = "the engine ended without a word, as it does when memory runs out. Make a new model, or reload the page."
        for worker in ("training.first", "training.engines.at(-1)"):
            self.press("lab-new")
            self.wait("lab-what", "A new model")
            self.press("lab-start")
            self.wait("lab-training", "Step ")
            self.script(f"headlight.app.parts.lab.{worker}.worker.terminate()")
            self.wait("lab-training", "No further step: " + ended)
            self.assertIn("Train", self.text("lab-start"))
            self.assertTrue(self.one("#lab-step").is_enabled())
            self.press("lab-start")
            self.wait("lab-training", "No further step: " + ended)
            self.press("lab-open")
            self.wait("lab-what", "The model that this page was made of")
        self.press("lab-step")
        steps = self.script("return headlight.app.original.lab.steps")  # from which it counts on
        self.wait("lab-training", f"Step {steps + 1}: loss")

    def test_the_heads_of_the_model_in_training_are_watched(self):
        tokens = self.script("return headlight.app.parts.lab.watch.tokens")
        shown = self.script("return [...document.querySelectorAll('.lab-token')].map((one) => [...one.children].map((part) => part.innerText + part.className))")
        text = lambda token: self.script("return headlight.app.run.tokenText(arguments[0])", token)
        self.assertEqual([token for token, _ in shown], [text(token) for token in tokens])
        self.assertEqual({guess[1:] for _, guess in shown[40:63]}, {"right"})  # the run's model knows what repeats
        self.assertGreater(self.script(MOST), 0.5)
        picture = "return document.querySelectorAll('#lab-grid canvas')[4].toDataURL()"
        before = self.script(picture)
        self.press("lab-new")
        self.wait("lab-what", "A new model")
        self.until(lambda: self.script(MOST) < 0.2)  # that of a model which was not trained
        self.assertNotEqual(self.script(picture), before)
        self.press("lab-step")
        self.wait("lab-training", "Step 1: loss")
        self.assertIn("wrong", {guess[1:] for guess in self.script("return [...document.querySelectorAll('.lab-token i')].map((one) => one.innerText + one.className)")})

    def test_a_phone_needs_no_sideways_scrolling(self):
        with self.screen(390, 844, phone=True):
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)

    def test_a_fresh_model_is_trained_in_the_first_screen(self):
        self.open(REPORTS / "fresh_lab.html", "start")
        self.assertEqual([one.text for one in self.all("#start-do button")], ["▶ Train: ten seconds", "Or take one whose weights were set by hand"])
        self.script("document.querySelector('#start-do button').click()")
        self.until(lambda: self.text("verdict") == "It is learning.", 60)
        self.until(lambda: self.script("return headlight.app.lab.course.steps") > 2)
        self.assertEqual(self.script("return document.getElementById('start-verdict').hidden"), True)
        self.script("document.querySelector('#start-do button').click()")
        self.until(lambda: self.text("verdict") == "Its training rests.")
        right, asked = self.script("""
            const { tokens, predictable, now } = headlight.app.lab.watch;
            const asked = [...Array(31).keys()].filter((i) => predictable[i]);
            return [asked.filter((i) => now.guesses[i].token === tokens[i + 1]).length, asked.length]""")
        self.assertIn(f"{right} of {asked} guesses are right in this sequence.", self.text("start-right"))
        step = self.script("return headlight.app.lab.course.steps")
        self.until(lambda: self.script("return headlight.app.run.title") == f"a fresh model, step {step}", 60)
        self.assertIn("has not learned to copy", self.text("verdict"))
        self.assertEqual(self.script("return headlight.app.store.state.tab"), "start")


if __name__ == "__main__":
    unittest.main()
