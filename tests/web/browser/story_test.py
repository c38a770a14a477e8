"""The story above the parts: its picture, its terms, and pages without a story."""

import json
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import REPORTS, PageTest

SIZES = {390: 844, 820: 1180, 1400: 1000, 2560: 1300}


class Test(PageTest):
    def story(self):
        return self.script("return headlight.app.run.story")

    def term(self, name):
        return next(t for t in self.page.find_elements(By.CSS_SELECTOR, "#story .term") if t.text == name)

    def definition(self):
        box = self.page.find_element(By.CSS_SELECTOR, ".definition")
        return box.text if box.is_displayed() else ""

    def test_shows_the_story_of_the_run(self):
        self.open()
        self.tell_all()
        story = self.story()
        sentences = [p.text for p in self.page.find_elements(By.CSS_SELECTOR, "#story-sentences p")]
        self.assertEqual(sentences, [sentence.replace("*", "") for sentence in story["sentences"]])
        self.assertGreaterEqual(len(sentences), 4)
        label = self.page.find_element(By.CSS_SELECTOR, ".lookback").get_attribute("aria-label")
        weight = self.script("const { run } = headlight.app, { layer, head, query, key } = run.story;"
                             "return run.sequences[0].patterns.pattern(layer * run.n_heads + head).weight(query, key)")
        self.assertIn(f"The query, token {story['query']} ", label)
        self.assertIn(f"the key, token {story['key']} ", label)
        self.assertIn(f"with an attention weight of {weight:.2f}", label)
        self.assertRegex(label, "The model then predicts .* which is right")

    def test_copies_of_the_segment_are_counted(self):
        self.open()
        self.tell_all()
        self.assertEqual([name.text for name in self.page.find_elements(By.CSS_SELECTOR, "#heads-tokens .repeat-name")], ["1", "2", "3", "4"])
        label = lambda: self.page.find_element(By.CSS_SELECTOR, ".lookback").get_attribute("aria-label")
        self.assertIn("64 tokens in 4 copies of one segment", label())
        # The last tokens belong to no copy.
        self.script("headlight.app.run.sequences[0].repeats.fill(-1, 60); headlight.app.store.change({ view: '', answered: null });"
                    "headlight.app.store.change({ answered: -1 })")
        self.assertIn("64 tokens in 3 copies of one segment", label())

    def test_the_arrow_goes_from_the_query_to_the_key(self):
        for width, height in SIZES.items():
            with self.screen(width, height):
                self.open()
                self.tell_all()
                story = self.story()
                cells = self.script("return [...document.querySelectorAll('.lookback .cell')].map(c => ["
                                    "Number(c.getAttribute('x')), Number(c.getAttribute('y')), c.getAttribute('class')])")
                self.assertEqual(len(cells), 64)
                for kind, position in (("query", story["query"]), ("key", story["key"]), ("next", story["query"] + 1)):
                    frame = self.page.find_element(By.CSS_SELECTOR, ".lookback .frame." + kind)
                    self.assertAlmostEqual(float(frame.get_attribute("x")), cells[position][0] - 1, 1)
                    self.assertAlmostEqual(float(frame.get_attribute("y")), cells[position][1] - 1, 1)
                # Copies of a token stand below each other.
                self.assertEqual(cells[0][0], cells[20][0])
                self.assertIn("even", cells[19][2])
                self.assertIn("odd", cells[20][2])
                inside = self.box("#story-picture")
                names = self.script("return [...document.querySelectorAll('.lookback text')].map(t => {"
                                    "const r = t.getBoundingClientRect(); return [t.textContent, r.left, r.right] })")
                self.assertGreater(len(names), 0)
                for name, left, right in names:
                    self.assertTrue(inside["left"] - 1 <= left and right <= inside["right"] + 1, (width, name))

    def test_a_long_segment_and_many_tokens_find_room(self):
        for sequence, width in ((1, 390), (3, 390), (1, 1400)):
            with self.screen(width, 1000):
                self.open()
                self.script("const { run, store } = headlight.app; run.story = { ...run.story, sequence: arguments[0], query: 60, key: 3 };"
                            "store.change({ view: '', answered: -1 })", sequence)
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
                self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, ".lookback .frame.query")), 1)
                smallest = self.script("return Math.min(...[...document.querySelectorAll('.lookback .cell')].map(c => c.getBoundingClientRect().width))")
                self.assertGreaterEqual(smallest, 14)
        self.open(REPORTS / "large" / "report.html")
        rows = self.script("return new Set([...document.querySelectorAll('.lookback .cell')].map(c => c.getAttribute('y'))).size")
        self.assertEqual(rows, 6)

    def test_its_weight_can_be_seen_in_the_pattern(self):
        for width, height in SIZES.items():
            with self.screen(width, height):
                self.open(part="about" if width == 820 else "heads")
                self.tell_all()
                self.script("document.getElementById('story-show').scrollIntoView()")
                self.page.find_element(By.ID, "story-show").click()
                story = self.story()
                self.assertRegex(self.text("heads-readout"), rf"query {story['query']} .* \(locked\)")
                self.assertIn(f"→ key {story['key']} ", self.text("heads-readout"))
                self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "heads-map")
                self.assertFalse(self.page.find_element(By.CSS_SELECTOR, ".tip").is_displayed())
                readout = self.box("#heads-readout")
                self.assertTrue(0 <= readout["top"] and readout["bottom"] <= height, readout)

    def test_it_makes_room_for_other_parts(self):
        for width, height in ((390, 844), (1400, 1000)):
            with self.screen(width, height, phone=width == 390):
                self.open(part="heads")
                shown = lambda: [self.page.find_element(By.ID, e).is_displayed() for e in ("story-game", "story-picture", "verdict")]
                toggle = self.page.find_element(By.ID, "story-toggle")
                state = lambda: (toggle.get_attribute("aria-expanded"), shown())
                shown_all, folded = ("true", [True, True, True]), ("false", [False, False, True])
                self.assertEqual(state(), shown_all)
                for part in ("predictions", "training", "about"):
                    self.tab(part)
                    self.assertEqual(state(), folded, part)
                    self.assertLess(self.box(f"#part-{part}")["top"], 300 if width > 390 else 260, (width, part))
                self.tab("heads")
                self.assertEqual(state(), shown_all)
                self.tab("about")
                toggle.click()
                self.assertEqual(state(), shown_all)
                self.tab("training")
                self.assertEqual(state(), shown_all)
                toggle.click()
                self.tab("heads")
                self.assertEqual(state(), folded)
                self.script("window.dispatchEvent(new Event('beforeprint'))")
                self.assertEqual(shown(), [True, True, True])
                self.assertTrue(self.page.find_element(By.ID, "story-sentences").is_displayed())
                self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, ".lookback .arrow")), 1)
                self.script("window.dispatchEvent(new Event('afterprint'))")
                self.assertEqual(state(), folded)
                self.assertFalse(self.page.find_element(By.ID, "story-sentences").is_displayed())

    def test_what_was_opened_folded_is_drawn_at_its_width(self):
        with self.screen(820, 1180):
            self.open(part="about")
            self.tab("heads")
        with self.screen(1400, 1000):
            self.page.find_element(By.ID, "story-toggle").click()
            inside, picture = self.box("#story-picture"), self.box(".lookback")
            self.assertAlmostEqual(inside["right"] - inside["left"], picture["right"] - picture["left"], delta=1)

    def test_terms_by_mouse(self):
        self.open()
        self.tell_all()
        self.actions().move_to_element(self.term("query")).perform()
        self.assertRegex(self.definition(), "^query: ")
        self.actions().move_to_element(self.page.find_element(By.CSS_SELECTOR, ".definition")).perform()
        time.sleep(0.4)
        self.assertRegex(self.definition(), "^query: ")
        self.page.find_element(By.CSS_SELECTOR, ".definition .term").click()
        self.assertNotRegex(self.definition(), "^(query: |$)")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.definition(), "")
        self.script("document.activeElement.blur()")
        self.actions().move_to_element(self.term("query")).perform()
        self.actions().move_to_element(self.page.find_element(By.ID, "run")).perform()
        time.sleep(0.4)
        self.assertEqual(self.definition(), "")
        self.term("query").click()
        self.actions().move_to_element(self.page.find_element(By.ID, "run")).perform()
        time.sleep(0.4)
        self.assertRegex(self.definition(), "^query: ")
        self.page.find_element(By.ID, "run").click()
        self.assertEqual(self.definition(), "")

    def test_a_definition_hides_no_tab_and_a_click_beside_it_counts(self):
        for width, height in SIZES.items():
            with self.screen(width, height):
                self.open()
                self.tell_all()
                for term in self.page.find_elements(By.CSS_SELECTOR, "#story .term"):
                    self.script("arguments[0].click()", term)
                    self.assertLessEqual(self.box(".definition")["bottom"], self.box("nav")["top"], (width, term.text))
                self.tab("training")
                self.assertEqual(self.definition(), "")
                self.assertTrue(self.page.find_element(By.ID, "part-training").is_displayed())

    def test_terms_by_keyboard(self):
        self.open()
        self.tell_all()
        term = self.term("query")
        self.script("arguments[0].focus()", term)
        self.assertRegex(self.definition(), "^query: ")
        self.assertEqual(term.get_attribute("aria-expanded"), "true")
        described = self.page.find_element(By.ID, term.get_attribute("aria-describedby")).get_attribute("textContent")
        self.assertEqual("query: " + described, self.definition())
        self.keys(Keys.TAB)
        self.assertEqual(self.page.switch_to.active_element.text, "attention weight")  # the next term of the story
        self.script("arguments[0].focus()", term)
        self.keys(Keys.ENTER, Keys.TAB)
        inner = self.page.switch_to.active_element
        self.assertTrue(self.script("return !!arguments[0].closest('.definition')", inner))
        name = inner.text.rstrip("s")
        self.keys(Keys.ENTER)
        self.assertRegex(self.definition(), "^" + name)
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.definition(), "")
        self.assertEqual(self.page.switch_to.active_element, term)
        self.assertEqual(term.get_attribute("aria-expanded"), "false")
        self.keys(Keys.ENTER)
        self.assertRegex(self.definition(), "^query: ")
        self.keys(Keys.ENTER)
        self.assertEqual(self.definition(), "")

    def test_terms_in_the_text_of_every_part(self):
        self.open()
        for part, terms in (("heads", {"pattern", "head", "query", "key", "score"}), ("predictions", {"query", "head", "predictable"}),
                            ("training", {"snapshot", "head", "loss", "period"}), ("about", {"loss", "logits", "induction head", "periods"})):
            self.tab(part)
            found = {t.text for t in self.page.find_elements(By.CSS_SELECTOR, f"#part-{part} dfn .term")}
            self.assertEqual(found, terms)
        self.assertEqual(self.script("return [...document.querySelectorAll('dfn')].filter(d => !d.querySelector('.term')).length"), 0)

    def test_the_unit_of_the_loss_is_a_term(self):
        self.open(part="training")
        term = self.page.find_element(By.CSS_SELECTOR, ".chart h4 .term")
        self.assertEqual(term.text, "nats")
        term.click()
        self.assertRegex(self.definition(), "^nat: ")
        self.tab("about")
        self.assertEqual([t.text for t in self.page.find_elements(By.CSS_SELECTOR, "#about-results .term")], ["nats"] * 5)

    def test_stars_that_are_tokens_stay(self):
        self.open()
        nodes = self.script("const text = 'At ‘*’ (*query*) and *no term*: 2 * 3.', span = document.createElement('span');"
                            "span.append(...headlight.app.glossary.nodes(text)); return [span.textContent, span.querySelectorAll('.term').length]")
        self.assertEqual(nodes, ["At ‘*’ (query) and *no term*: 2 * 3.", 1])

    def test_the_first_screen_is_a_sentence_a_picture_and_a_game(self):
        for theme in ("light", "dark"):
            with self.screen(390, 844, theme, phone=True):
                self.open(part="heads")
                self.assertEqual(self.text("verdict"), self.story()["headline"])
                self.assertRegex(self.text("verdict"), "^This small network learned to copy")
                self.assertFalse(self.page.find_element(By.ID, "story-sentences").is_displayed())
                self.assertLess(self.box("#story-choices")["bottom"], 500)
                self.assertLess(self.box("#heads-map")["top"], 1200)
                for choice in self.page.find_elements(By.CSS_SELECTOR, ".choice"):
                    self.assertGreaterEqual(min(choice.size["width"], choice.size["height"]), 44)

    def letters(self):
        return self.script("return [...document.querySelectorAll('.lookback .letter')].map(t => t.textContent)")

    def test_the_reader_guesses_before_the_network_answers(self):
        self.open()
        query = self.story()["query"]
        letters = self.letters()
        self.assertEqual(letters[query + 1:], ["?"] + [""] * (63 - query - 1))
        self.assertEqual(self.page.find_elements(By.CSS_SELECTOR, ".lookback .arrow"), [])
        self.assertNotIn("‘", self.page.find_element(By.CSS_SELECTOR, ".lookback").get_attribute("aria-label"))
        self.assertEqual(self.script("return document.getElementById('story-seen').textContent"),
                         "So far: " + " ".join(letters[:query + 1]))
        self.assertEqual((self.text("story-answer"), self.text("story-captions")), ("", ""))
        answer = self.script("const { run } = headlight.app; return run.tokenText(run.sequences[0].targets[arguments[0]])", query)
        choices = self.page.find_elements(By.CSS_SELECTOR, ".choice:not(.no-guess)")
        self.assertEqual(len({choice.text for choice in choices}), 5)
        self.assertEqual([choice.text for choice in choices].count(answer), 1)
        wrong = next(choice for choice in choices if choice.text != answer)
        self.script("arguments[0].focus()", wrong)
        self.keys(Keys.ENTER)
        self.assertEqual(self.page.switch_to.active_element, wrong)
        self.assertEqual(wrong.get_attribute("aria-pressed"), "true")
        self.assertRegex(self.text("story-answer"),
                         rf"^You guessed ‘{wrong.text}’: wrong\. The network guesses ‘{answer}’ with a probability of \d\.\d\d\. That is right\.$")
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, ".lookback .arrow")), 1)
        self.assertEqual(self.letters()[query + 1], answer)
        next(choice for choice in choices if choice.text == answer).click()
        self.assertRegex(self.text("story-answer"), f"^You guessed ‘{answer}’: right")
        self.page.find_element(By.CSS_SELECTOR, ".no-guess").click()
        self.assertRegex(self.text("story-answer"), "^The network guesses")

    def test_captions_point_at_the_pattern(self):
        self.open()
        self.tell_all()
        story = self.story()
        state = lambda: self.script("const { query, key, locked } = headlight.app.store.state; return [query, key, locked]")
        for kind, cell in (("query", [story["query"], None]), ("key", [story["query"], story["key"]])):
            caption = self.page.find_element(By.CSS_SELECTOR, ".caption-" + kind)
            self.actions().move_to_element(caption).perform()
            self.assertEqual(state(), [*cell, False])
            told = self.page.find_elements(By.CSS_SELECTOR, ".lookback .told")
            self.assertEqual(["frame " + kind + " told"], [frame.get_attribute("class") for frame in told])
        self.actions().move_to_element(self.page.find_element(By.ID, "verdict")).perform()
        self.assertEqual(state(), [None, None, False])
        self.page.find_element(By.CSS_SELECTOR, ".caption-key").click()
        self.assertEqual(state(), [story["query"], story["key"], True])

    def test_a_run_that_learned_nothing_has_a_game_without_a_look(self):
        self.open(REPORTS / "one" / "report.html")
        self.assertRegex(self.text("verdict"), "^This small network has not learned to copy")
        self.assertEqual(self.text("story-question"), "Guess the next letter, then see what the network guesses.")
        self.page.find_element(By.CSS_SELECTOR, ".no-guess").click()
        self.assertRegex(self.text("story-answer"), "That is wrong: ‘.’ comes next|That is right")
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, ".lookback .frame.next")), 1)
        self.assertEqual(self.text("story-captions"), "")
        self.assertNotIn("rises", self.script("return document.getElementById('story').textContent"))

    def test_a_story_without_a_head(self):
        self.open(REPORTS / "one" / "report.html")
        self.assertFalse(self.page.find_element(By.ID, "story-show").is_displayed())
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, ".lookback .cell")), 64)
        self.assertEqual(self.page.find_elements(By.CSS_SELECTOR, ".lookback .arrow"), [])

    def test_heads_have_no_numbers_that_read_as_scores(self):
        for part in ("heads", "predictions", "training", "about"):
            self.open(part=part)
            self.assertNotRegex(self.script("return document.body.innerText"), r"(?i)head \d\.\d")
        data = json.loads(self.script("return document.getElementById('data').textContent"))
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, "#about-settings tr")), len(data["settings"]))
        for row, (name, value, meaning) in zip(self.page.find_elements(By.CSS_SELECTOR, "#about-settings tr"), data["settings"]):
            self.assertEqual([c.text for c in row.find_elements(By.CSS_SELECTOR, "th, td")],
                             [name, value, meaning.replace("*", "")])
        for text in (data["task"]["what"], data["task"]["success"], data["task"]["look_for"]):
            self.assertIn(text.replace("*", ""), self.text("part-about"))


if __name__ == "__main__":
    unittest.main()
