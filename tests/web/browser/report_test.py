"""What a reader does with the report, and what the page says then."""

import json
import re
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from page import DEMO, REPORTS, PageTest, data_of

CROSSED = REPORTS / "crossed" / "report.html"
ROLES = {"previous_token": "previous-token head", "duplicate_token": "duplicate-token head", "induction": "induction head",
         "self": "self-attention head", "first_token": "first-token head"}


# The lines under a small picture: the head's role in the certified circuit, or what it is from a score of 0.5 on.
def caption(head, certificate):
    for role, score in (("matchers", "induction"), ("senders", "previous_token")):
        if any(at["layer"] == head["layer"] and at["head"] == head["head"] for at in certificate.get(role, [])):
            return [f"L{head['layer']}H{head['head']}", f"{head[score]:.2f}", ("" if head[score] >= 0.5 else "weak ") + ROLES[score]]
    code, strongest = f"L{head['layer']}H{head['head']}", max(ROLES, key=lambda score: head[score])
    score = f"{head[strongest]:.2f}"
    return [code, score, ROLES[strongest]] if head[strongest] >= 0.5 else [code, "no known kind"]


class Test(PageTest):
    def test_shows_the_scores_of_the_summary(self):
        self.open()
        summary = self.summary()
        best = summary["best"]["induction"]
        name = f"Layer {best['layer']}, head {best['head']}"
        self.assertIn(f"{name} is an induction head, with a score of {best['score']:.2f}",
                      self.script("return document.getElementById('start-verdict').textContent"))
        self.assertEqual(self.text("heads-name"), name)
        labels = [span.text.split("\n") for span in self.all("#heads-grid .caption")]
        self.assertEqual(labels, [caption(head, summary["certificate"]) for head in summary["heads"]])

    def test_about_lists_results_and_settings(self):
        self.open(part="about")
        summary = self.summary()
        about = self.text("part-about")
        self.assertIn(summary["command"], about)
        self.assertIn(summary["version"], about)
        self.assertIn(f"{100 * summary['accuracy']['held_out']:.1f} %", about)
        self.assertIn("train.learning_rate", about)

    def test_pointing_shows_query_key_and_weight(self):
        self.open()
        self.point("heads", 40, 21).perform()
        tokens = [t.text for t in self.all("#heads-tokens .token")]
        self.assertEqual(len(tokens), 64)
        weight = self.script("return headlight.app.selection.patternNow().weight(40, 21)")
        self.assertEqual(self.text("heads-readout"), f"query 40 ‘{tokens[40]}’ → key 21 ‘{tokens[21]}’: attention weight {weight:.3f}")
        self.assertEqual(len(self.all("#heads-tokens .query")), 1)
        self.point("heads", 10, 30).perform()
        self.assertIn("a later token, which it cannot see", self.text("heads-readout"))

    def test_a_click_locks_and_a_second_click_or_escape_unlocks(self):
        self.open()
        said = lambda: self.text("heads-readout")
        self.point("heads", 40, 21).click().perform()
        self.assertIn("(locked)", said())
        self.point("heads", 50, 5).perform()
        self.assertRegex(said(), "query 40 .*key 5 ")
        self.point("heads", 40, 30).click().perform()
        self.assertNotIn("(locked)", said())
        self.point("heads", 33, 3).click().perform()
        self.assertIn("query 33", said())
        self.keys(Keys.ESCAPE)
        self.assertNotIn("(locked)", said())
        self.tab("training")
        self.point("training", 40, 21).click().perform()
        self.page.find_element(By.ID, "training-slider").send_keys(Keys.ARROW_LEFT)
        self.assertIn("(locked)", self.text("training-readout"))
        self.keys(Keys.ESCAPE)  # wherever the focus is
        self.assertNotIn("(locked)", self.text("training-readout"))

    def test_arrows_scroll_where_nothing_is_chosen(self):
        self.open()
        before = self.text("heads-name")
        self.keys(Keys.ARROW_UP, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.assertEqual(self.text("heads-name"), before)
        self.assertGreater(self.script("return new Promise((done) => setTimeout(() => done(scrollY), 400))"), 0)

    def test_the_address_keeps_what_is_chosen(self):
        self.open()
        self.script("const { selection, store, without } = headlight.app, last = store.state.snapshot;"
                    "selection.chooseHead(2); without.switchOff([0, 5]);"
                    "store.change({ query: 40, key: 21, locked: true, snapshot: last - 3 })")
        keys = ("tab", "sequence", "layer", "head", "query", "key", "locked", "off", "snapshot")
        state = "const { state } = headlight.app.store; return arguments[0].map((key) => state[key])"
        chosen = self.script(state, keys)
        self.spoil()
        step = self.script("return headlight.app.run.snapshots[headlight.app.store.state.snapshot].step")
        address = self.script("return new Promise((done) => setTimeout(() => done(location.hash), 600))")
        self.assertEqual(address, f"#heads&head=L0H2&query=40&key=21&off=L0H0,L1H1&step={step}")
        self.page.refresh()
        self.assertEqual(self.script(state, keys), chosen)
        self.script("location.hash = '#training&head=L9H9&query=9999&off=x&step=-1'")
        self.assertEqual(self.script("return new Promise((done) => setTimeout(() => done(headlight.app.store.state.tab), 100))"), "training")
        self.assertEqual(self.script(state, keys)[1:], chosen[1:])

    def test_without_javascript_there_is_a_picture(self):
        without = re.search("<noscript>(.*?)</noscript>", DEMO.read_text(), re.DOTALL)[1]
        self.assertIn("<title>Layer 1, head 0: induction head", without)
        self.assertNotIn("<style>", without)  # the page's policy allows its own only

    def test_arrows_flip_between_heads_and_layers(self):
        self.open()
        self.all("#heads-grid button")[0].click()
        self.assertEqual(self.text("heads-name"), "Layer 0, head 0")
        for key, name in ((Keys.ARROW_LEFT, (0, 0)), (Keys.ARROW_RIGHT, (0, 1)), (Keys.ARROW_DOWN, (1, 1)), (Keys.ARROW_DOWN, (1, 1)),
                          (Keys.ARROW_LEFT, (1, 0)), (Keys.ARROW_UP, (0, 0))):
            self.keys(key)
            self.assertEqual(self.text("heads-name"), "Layer {}, head {}".format(*name))
        pressed = self.all("#heads-grid [aria-pressed=true]")
        self.assertEqual([p.text.split()[0] for p in pressed], ["L0H0"])
        self.assertEqual(self.page.switch_to.active_element, pressed[0])

    def test_all_of_it_can_be_reached_by_keyboard(self):
        self.open()
        seen = []
        for _ in range(60):
            self.keys(Keys.TAB)
            active = self.page.switch_to.active_element
            seen.append(active.get_attribute("id") or active.get_attribute("data-tab") or active.get_attribute("class") or active.text)
            if active.get_attribute("id") == "heads-map":
                break
        for expected in ("start", "term", "heads", "training", "predictions", "about", "sequence", "heads-map"):
            self.assertIn(expected, seen)
        outline = self.script("return getComputedStyle(document.activeElement).outlineWidth")
        self.assertEqual(outline, "3px")
        shift = self.actions().key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_LEFT).key_up(Keys.SHIFT)
        shift.perform()
        self.assertRegex(self.text("heads-readout"), "query 32 .* → key 30 ")
        self.keys(Keys.ENTER)
        self.assertIn("(locked)", self.text("heads-readout"))
        self.keys(Keys.ENTER)
        self.assertNotIn("(locked)", self.text("heads-readout"))
        self.keys(Keys.TAB)
        self.assertEqual(self.page.switch_to.active_element.get_attribute("class"), "scale")

    def test_other_sequences_can_be_chosen(self):
        self.open()
        choice = Select(self.one("#part-heads .sequence"))
        labels = [option.text for option in choice.options]
        self.assertEqual(len(labels), 6)
        self.assertTrue(any("unlike those in training" in label for label in labels))
        first = self.text("heads-tokens")
        choice.select_by_index(3)
        other = self.text("heads-tokens")
        self.assertNotEqual(other, first)

        # "Training" shows the first sequence; what was chosen is still chosen afterwards.
        # A token locked elsewhere would be another one there.
        self.point("heads", 40, 21).click().perform()
        self.tab("training")
        self.assertIn(labels[0], self.text("training-sequence"))
        self.assertEqual(self.text("training-readout"), "Tap or point at a cell or a token. Positions count from 0.")
        self.tab("predictions")
        reading = Select(self.one("#part-predictions .sequence"))
        self.assertEqual(reading.first_selected_option.text, labels[3])
        self.page.back()
        self.assertEqual(self.one("[aria-current]").text, "Training")
        self.tab("heads")
        self.assertEqual(choice.first_selected_option.text, labels[3])
        self.assertEqual(self.text("heads-tokens"), other)

    def test_the_slider_shows_every_kept_step(self):
        self.open(part="training")
        lines = [json.loads(line) for line in (REPORTS / "demo" / "metrics.jsonl").read_text().splitlines()]
        metrics = {line["step"]: line for line in lines}
        slider = self.page.find_element(By.ID, "training-slider")
        count = int(slider.get_attribute("max")) + 1
        self.assertEqual(count, 40)
        steps = self.script("return headlight.app.run.snapshots.map(m => m.step)")
        self.assertEqual((steps[0], steps[-1]), (0, max(metrics)))
        certificate = self.summary()["certificate"]
        notes = "return [...document.querySelectorAll('.dashboard .chart p')].map(p => p.textContent)"
        for snapshot in (0, 12, count - 1):
            self.slide(snapshot)
            self.assertEqual(self.text("training-step"), f"step {steps[snapshot]}")
            line = metrics[steps[snapshot]]
            loss, *_, right, all_tokens = self.script(notes)
            held_out = line["held_out"]
            self.assertEqual(loss, f"predictable {line['loss_predictable']:.2f}, unpredictable {line['loss_unpredictable']:.2f}")
            self.assertEqual(right, f"training {100 * line['accuracy_predictable']:.1f} %, "
                                    f"held out {100 * held_out['accuracy_predictable']:.1f} %")
            self.assertEqual(all_tokens, f"training {line['loss']:.2f}, held out {held_out['loss']:.2f}")
            labels = self.script("return [...document.querySelectorAll('#training-grid .caption')]"
                                 ".map(c => [...c.children].map(part => part.textContent).filter(text => text))")
            self.assertEqual(labels, [caption(head, certificate if snapshot == count - 1 else {}) for head in line["heads"]])
        slider.send_keys(Keys.ARROW_LEFT)
        self.assertEqual(self.text("training-step"), f"step {steps[-2]}")

    # Of a head that is not the story's, at three steps.
    def test_scores_along_training_are_those_of_their_step(self):
        self.open(part="training")
        lines = (json.loads(line) for line in (REPORTS / "demo" / "metrics.jsonl").read_text().splitlines())
        measured = {line["step"]: line["heads"] for line in lines}
        steps = self.script("return headlight.app.run.snapshots.map(({ step }) => step)")
        for at, head in ((0, 4), (len(steps) // 2, 1), (len(steps) // 3, 7)):
            self.script("const { store, selection } = headlight.app; store.change({ snapshot: arguments[0] }); selection.chooseHead(arguments[1])", at, head)
            shown = self.text("training-scores").replace("\u00a0", " ")
            for key in ("previous_token", "induction", "self"):
                self.assertIn(f"{key.replace('_', ' ')} {measured[steps[at]][head][key]:.2f}", shown)

    def test_patterns_along_training_form_the_stripe_and_are_given_with_their_rounding(self):
        self.open(part="training")
        stripe = self.script("""
            const { run } = headlight.app, { tokens } = run.sequences[0], places = [...tokens.keys()].filter((i) => i > 0 && tokens.lastIndexOf(tokens[i], i - 1) >= 0);
            return [0, run.snapshots.length - 1].map((snapshot) => {
              headlight.app.store.change({ snapshot });
              const pattern = headlight.app.selection.patternThen(), weights = places.map((i) => pattern.weight(i, tokens.lastIndexOf(tokens[i], i - 1) + 1));
              return weights.reduce((a, b) => a + b) / weights.length;
            })""")
        self.assertLess(stripe[0], 0.2)
        self.assertGreater(stripe[1], 0.5)
        self.point("training", 40, 21).perform()
        exact = self.script("return headlight.app.selection.patternNow().weight(40, 21)")  # the last snapshot is the trained model
        shown = float(re.search(r"weight (\S+), rounded here by up to 0.002$", self.text("training-readout")).group(1))
        self.assertLessEqual(abs(shown - exact), 0.0025)
        self.assertIn("kept with 8 bits", self.text("training-sequence"))

    def test_every_period_has_its_accuracy(self):
        self.open(part="training")
        periods = self.script("return headlight.app.run.periods")
        self.assertEqual([period for period, *_ in periods], list(range(4, 61)))
        own, others = ([accuracy for _, accuracy, trained in periods if trained is kind] for kind in (True, False))
        mean = lambda values: sum(values) / len(values)
        self.assertEqual(self.text("training-periods-means"), f"Mean accuracy at periods in training: {mean(own):.2f}, at others {mean(others):.2f}.")
        lines = self.all("#training-periods-chart polyline")
        counts = [len(line.get_attribute("points").split()) for line in lines]
        self.assertEqual(sum(counts), len(periods) + 2)  # those of other periods begin at the trained ones
        svg = self.one("#training-periods-chart svg")
        self.script("arguments[0].scrollIntoView({ block: 'center' })", svg)
        svg.click()
        self.assertRegex(self.one("#training-periods-chart .chart p").text, r"^period \d+, (not )?in training: [01]\.\d\d$")

    def test_predictions_say_what_comes_next(self):
        self.open(part="predictions")
        self.assertRegex(self.text("predictions-count"), r"On predictable tokens: \d+ of 44 right\.")
        self.all("#predictions-tokens .token")[30].click()
        self.assertIn("position 30", self.text("predictions-readout"))
        rows = self.all("#predictions-guesses tr")
        self.assertEqual(len(rows), 5)
        following = self.all("#predictions-tokens .token")[31].text
        self.assertTrue(rows[0].text.startswith(following))
        self.assertIn("✓ comes next", rows[0].text)
        self.assertEqual(len(self.all("#predictions-looks tr")), 8)
        self.assertEqual(len(self.all("#predictions-tokens .predictable")), 44)

    def test_predictions_say_what_they_would_be_after_each_layer(self):
        self.open(part="predictions")
        lens = self.script("return headlight.app.run.sequences[0].lens")
        self.assertEqual([len(after) for after in lens], [64, 64])
        self.script("headlight.app.store.change({ query: 40, locked: true })")
        rows = self.script("return [...document.querySelectorAll('#predictions-lens-rows tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")
        vocabulary, target = self.script("return [headlight.app.run.vocabulary, headlight.app.run.sequences[0].targets[40]]")
        last = self.script("return headlight.app.run.sequences[0].guesses[40][0]")
        self.assertEqual([row[0] for row in rows], ["embedding", "layer 0", "layer 1"])
        for (_, _, word, shown), (token, probability) in zip(rows, [lens[0][40], lens[1][40], last]):
            self.assertEqual((word, shown), (vocabulary[token] + (" ✓" if token == target else ""), f"{probability:.3f}"))
        strip = self.script("""const canvas = document.querySelectorAll('#predictions-lens canvas')[2];
            const { data } = canvas.getContext('2d').getImageData(0, 0, 64, 1);
            const { unseenPixel } = headlight.app.look.scale(), { guesses, targets } = headlight.app.run.sequences[0];
            return [canvas.width, guesses.every(([[token]], t) => (new Uint32Array(data.buffer)[t] !== unseenPixel) === (token === targets[t]))]""")
        self.assertEqual(strip, [64, True])
        self.script("headlight.app.without.switchOff([1])")  # a page without the engine has no lens of this
        self.assertFalse(self.one("#predictions-lens").is_displayed())
        self.script("headlight.app.without.switchOff([])")
        self.assertTrue(self.one("#predictions-lens").is_displayed())

    def test_a_guess_that_is_right_by_luck_is_no_success(self):
        self.open(part="predictions")
        all_kinds = self.script("""
            return headlight.app.run.sequences.map((s) =>
              s.tokens.map((_, t) => [s.predictable[t], s.guesses[t][0][0] === s.targets[t]]))""")
        sequence = next(i for i, kinds in enumerate(all_kinds) if [False, True] in kinds and [True, True] in kinds)
        self.script("headlight.app.store.change({ sequence: arguments[0] })", sequence)
        kinds = all_kinds[sequence]
        lucky = kinds.index([False, True])
        marks = self.script("return [...document.querySelectorAll('#predictions-tokens .mark')].map((m) => [m.innerText + m.className.slice(4), getComputedStyle(m).color])")
        expected = [("✓ right" if right else "✗ wrong") if predictable else ("✓ random" if right else "· random") for predictable, right in kinds]
        self.assertEqual([words for words, _ in marks[:len(kinds)]], expected)
        self.assertNotEqual(marks[lucky][1], marks[kinds.index([True, True])][1])
        self.script("headlight.app.store.change({ query: arguments[0] })", lucky)
        self.assertRegex(self.text("predictions-readout"), f"^position {lucky} ‘.+’, counted from 0: the guess is right; the token does not count as predictable$")

    def test_tiles_go_from_the_ground_of_the_page_to_a_strong_colour(self):
        for theme in ("light", "dark"):
            with self.screen(1280, 1000, theme):
                self.open(part="predictions")
                ground, *tints = self.script(r"""
                    const { look } = headlight.app, hex = (h) => h.match(/\w\w/g).map((part) => parseInt(part, 16));
                    return [getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number), ...[0, 0.01, 0.5, 1].map((w) => hex(look.tint(w).background))]""")
                far = [sum(abs(a - b) for a, b in zip(tint, ground)) for tint in tints]
                self.assertEqual(far[0], 0)
                self.assertTrue(far[1] < 10 < 100 < far[2] < far[3], far)
                self.assertTrue(self.one("#part-predictions .tile-legend").is_displayed())
                tile = self.all("#predictions-tokens .token")[5]
                self.assertEqual(self.script("return getComputedStyle(arguments[0]).backgroundColor", tile), "rgba(0, 0, 0, 0)")

    def test_predictions_move_and_lock_from_token_to_token(self):
        self.open(part="predictions")
        before = self.text("predictions-readout")
        self.actions().move_to_element(self.all("#predictions-tokens .token")[5]).perform()
        self.assertRegex(self.text("predictions-readout"), "^position 5 ")  # while the pointer is there
        self.actions().move_to_element(self.one("#predictions-title")).perform()
        self.assertEqual(self.text("predictions-readout"), before)
        token = self.all("#predictions-tokens .token")[30]
        token.click()
        self.assertIn("(locked)", self.text("predictions-readout"))
        token.click()
        self.assertRegex(self.text("predictions-readout"), r"^position 30 ‘.+’, counted from 0: the guess is (right|wrong)$")
        self.script("document.getElementById('predictions-tokens').focus({ preventScroll: true })")
        self.actions().key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
        self.assertIn("position 32 ", self.text("predictions-readout"))

    def test_own_tokens_distinguish_predictable_from_random(self):
        self.open(REPORTS / "own.html", "predictions")
        tokens, marks, predictable = self.script("return ['.token', '.mark', '.predictable'].map((kind) =>"
                                                 "[...document.querySelectorAll('#predictions-tokens ' + kind)].map((one) => one.innerText))")
        self.assertEqual("".join(tokens), "UNCOPYRIGHTABLESUNCOPYRIGHTABLES")
        self.assertRegex(self.text("predictions-count"), r"^On predictable tokens: \d+ of 15 right\. On the others: \d+ of 16 right\. seen$")
        self.assertEqual(len(predictable), 15)
        self.assertNotIn("✗", marks)
        self.assertEqual(marks[31], "?")
        self.script("headlight.app.store.change({ query: 31 })")
        self.assertIn(": there is nothing to compare the guess with", self.text("predictions-readout"))
        self.tab("training")
        self.assertIn("Sequence: your own tokens.", self.text("training-sequence"))

    # The keys of cross-attention are places of the source.
    def test_places_are_named_by_their_own_sequence(self):
        self.open(CROSSED)
        data = data_of(CROSSED)
        stack, tokens = [one["letter"] for one in data["stacks"]].index("C"), data["sequences"][0]["tokens"]
        source = self.script("""
            const { run, selection, store } = headlight.app;
            selection.chooseHead(arguments[0] * run.n_heads * run.layers / run.stacks.length);
            store.change({ query: 1, key: 2, locked: true });
            return run.sequences[0].views[arguments[0]].keys""", stack)
        self.assertNotEqual(source, tokens)
        query, key = (self.script("return headlight.app.run.tokenText(arguments[0])", token) for token in (tokens[1], source[2]))
        self.assertRegex(self.text("heads-readout"), f"query 1 ‘{query}’.*key 2 ‘{key}’")


if __name__ == "__main__":
    unittest.main()
