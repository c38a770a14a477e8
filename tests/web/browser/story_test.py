"""The story above the parts: its picture, its terms, its game, and pages without a story."""

import json
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import REPORTS, PageTest

ONE = REPORTS / "one" / "report.html"
STATE = "const { query, key, locked } = headlight.app.store.state; return [query, key, locked]"


class Test(PageTest):
    def story(self):
        return self.script("return headlight.app.run.story")

    def term(self, name):
        return next(t for t in self.all("#story .term") if t.text == name)

    def definition(self):
        box = self.one(".definition")
        return box.text if box.is_displayed() else ""

    def open_told(self, part="heads"):
        self.open(part=part)
        self.tell_all()

    def label(self):
        return self.one(".lookback").get_attribute("aria-label")

    def test_shows_the_story_of_the_run(self):
        self.open_told()
        story = self.story()
        sentences = [p.text for p in self.all("#story-sentences p")]
        self.assertEqual(sentences, [sentence.replace("*", "") for sentence in story["sentences"]])
        self.assertGreaterEqual(len(sentences), 4)
        weight = self.script("const { run } = headlight.app, { layer, head, query, key } = run.story;"
                             "return run.sequences[0].patterns.pattern(layer * run.n_heads + head).weight(query, key)")
        for words in (f"The query, token {story['query']} ", f"the key, token {story['key']} ", f"with an attention weight of {weight:.2f}",
                      "64 tokens in 4 copies of one segment"):
            self.assertIn(words, self.label())
        self.assertRegex(self.label(), "The model then predicts .* which is right")
        self.assertEqual([name.text for name in self.all("#heads-tokens .repeat-name")], ["1", "2", "3", "4"])
        nodes = self.script("const text = 'At ‘*’ (*query*) and *no term*: 2 * 3.', span = document.createElement('span');"
                            "span.append(...headlight.app.glossary.nodes(text)); return [span.textContent, span.querySelectorAll('.term').length]")
        self.assertEqual(nodes, ["At ‘*’ (query) and *no term*: 2 * 3.", 1], "stars that are tokens stay")

    def test_tokens_of_no_copy_and_a_long_segment(self):
        self.open_told()
        self.spoil()
        self.script("headlight.app.run.sequences[0].repeats.fill(-1, 60); headlight.app.store.change({ answered: null });"
                    "headlight.app.store.change({ answered: -1 })")
        self.assertIn("64 tokens in 3 copies of one segment", self.label())
        for sequence, width in ((1, 1400), (1, 390), (3, 390)):
            with self.screen(width, 1000):
                self.script("const { run, store } = headlight.app; run.story = { ...run.story, sequence: arguments[0], query: 60, key: 3 };"
                            "store.change({ view: '', answered: -1 })", sequence)
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
                self.assertEqual(len(self.all(".lookback .frame.query")), 1)
                smallest = self.script("return Math.min(...[...document.querySelectorAll('.lookback .cell')].map(c => c.getBoundingClientRect().width))")
                self.assertGreaterEqual(smallest, 14)

    def test_the_arrow_goes_from_the_query_to_the_key(self):
        for width, height in ((390, 844), (2560, 1300)):
            with self.screen(width, height):
                self.open_told()
                story = self.story()
                at = "Number(c.getAttribute('x')), Number(c.getAttribute('y')), c.getAttribute('class')"
                cells, frames = (self.script(f"return [...document.querySelectorAll('.lookback .{kind}')].map(c => [{at}])") for kind in ("cell", "frame"))
                self.assertEqual(len(cells), 64)
                for kind, position in (("query", story["query"]), ("key", story["key"]), ("next", story["query"] + 1)):
                    (frame,) = [f for f in frames if f[2] == "frame " + kind]
                    self.assertAlmostEqual(frame[0], cells[position][0] - 1, 1)
                    self.assertAlmostEqual(frame[1], cells[position][1] - 1, 1)
                self.assertEqual(cells[0][0], cells[20][0], "copies of a token stand below each other")
                self.assertIn("even", cells[19][2])
                self.assertIn("odd", cells[20][2])
                inside = self.box("#story-picture")
                names = self.script("return [...document.querySelectorAll('.lookback text')].map(t => {"
                                    "const r = t.getBoundingClientRect(); return [t.textContent, r.left, r.right] })")
                self.assertGreater(len(names), 0)
                self.assertEqual([name for name in names if name[1] < inside["left"] - 1 or name[2] > inside["right"] + 1], [], width)

    def test_its_weight_can_be_seen_in_the_pattern(self):
        for width, height, part in ((390, 844, "heads"), (1400, 1000, "about")):
            with self.screen(width, height):
                self.open_told(part)
                self.script("document.getElementById('story-show').scrollIntoView()")
                self.one("#story-show").click()
                story = self.story()
                self.assertRegex(self.text("heads-readout"), rf"query {story['query']} .* \(locked\) → key {story['key']} ")
                self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "heads-map")
                self.assertFalse(self.one(".tip").is_displayed())
                readout = self.box("#heads-readout")
                self.assertTrue(0 <= readout["top"] and readout["bottom"] <= height, readout)

    def shown(self):
        return self.script("return ['story-game', 'story-picture', 'verdict'].map((id) => document.getElementById(id).getClientRects().length > 0)")

    def test_it_makes_room_for_other_parts(self):
        toggle = lambda: self.one("#story-toggle")
        state = lambda: (toggle().get_attribute("aria-expanded"), self.shown())
        shown_all, folded = ("true", [True, True, True]), ("false", [False, False, True])
        with self.screen(390, 844, phone=True):
            self.open()
            self.tab("training")
            self.assertLess(self.box("#part-training")["top"], 260)
        self.open()
        self.assertEqual(state(), shown_all)
        for part in ("predictions", "training", "about"):
            self.tab(part)
            self.assertEqual(state(), folded, part)
            self.assertLess(self.box(f"#part-{part}")["top"], 300, part)
        self.tab("heads")
        self.assertEqual(state(), shown_all)
        self.tab("about")
        toggle().click()
        self.assertEqual(state(), shown_all)
        self.tab("training")
        self.assertEqual(state(), shown_all)
        toggle().click()
        self.tab("heads")
        self.assertEqual(state(), folded)
        self.script("window.dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.shown(), [True, True, True])
        self.assertTrue(self.one("#story-sentences").is_displayed())
        self.assertEqual(len(self.all(".lookback .arrow")), 1)
        self.script("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(state(), folded)
        self.assertFalse(self.one("#story-sentences").is_displayed())

    def test_what_was_opened_folded_is_drawn_at_its_width(self):
        with self.screen(820, 1180):
            self.open(part="about")
            self.tab("heads")
        with self.screen(1400, 1000):
            self.one("#story-toggle").click()
            inside, picture = self.box("#story-picture"), self.box(".lookback")
            self.assertAlmostEqual(inside["right"] - inside["left"], picture["right"] - picture["left"], delta=1)

    def test_terms_by_mouse(self):
        self.open_told()
        to = lambda element: self.actions().move_to_element(element).perform()
        to(self.term("query"))
        self.assertRegex(self.definition(), "^query: ")
        to(self.one(".definition"))
        time.sleep(0.4)
        self.assertRegex(self.definition(), "^query: ")
        self.one(".definition .term").click()
        self.assertNotRegex(self.definition(), "^(query: |$)")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.definition(), "")
        self.script("document.activeElement.blur()")
        to(self.term("query"))
        to(self.one("#run"))
        time.sleep(0.4)
        self.assertEqual(self.definition(), "")
        self.term("query").click()
        to(self.one("#run"))
        time.sleep(0.4)
        self.assertRegex(self.definition(), "^query: ")
        self.one("#run").click()
        self.assertEqual(self.definition(), "")

    def test_terms_by_keyboard(self):
        self.open_told()
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

    def test_a_definition_hides_no_tab_and_a_click_beside_it_counts(self):
        for width, height in ((390, 844), (1400, 1000)):
            with self.screen(width, height):
                self.open_told()
                hiding = self.script("""
                    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                    return [...document.querySelectorAll("#story .term")].filter((term) => !term.closest(".definition")).filter((term) => {
                      term.click();
                      return box(".definition").bottom > box("nav").top;
                    }).map((term) => term.textContent)""")
                self.assertEqual(hiding, [], width)
                self.assertNotEqual(self.definition(), "")
                self.tab("training")
                self.assertEqual(self.definition(), "")
                self.assertTrue(self.one("#part-training").is_displayed())

    def test_terms_in_the_text_of_every_part(self):
        self.open(part="training")
        self.assertEqual(self.script("return [...document.querySelectorAll('dfn')].filter(d => !d.querySelector('.term')).length"), 0)
        self.assertEqual({t.text for t in self.all("#part-training dfn .term")}, {"snapshot", "head", "loss", "period"})
        term = self.one(".chart h4 .term")
        self.assertEqual(term.text, "nats")
        term.click()
        self.assertRegex(self.definition(), "^nat: ")
        self.tab("about")
        self.assertEqual([t.text for t in self.all("#about-results .term")], ["nats"] * 5)

    def test_the_first_screen_is_a_sentence_a_picture_and_a_game(self):
        with self.screen(390, 844, phone=True):
            self.open()
            self.assertEqual(self.text("verdict"), self.story()["headline"])
            self.assertRegex(self.text("verdict"), "^This small network learned to copy")
            self.assertFalse(self.one("#story-sentences").is_displayed())
            self.assertLess(self.box("#story-choices")["bottom"], 500)
            self.assertLess(self.box("#heads-map")["top"], 1200)
            for choice in self.all(".choice"):
                self.assertGreaterEqual(min(choice.size["width"], choice.size["height"]), 44)

    def letters(self):
        return self.script("return [...document.querySelectorAll('.lookback .letter')].map(t => t.textContent)")

    def test_the_reader_guesses_before_the_network_answers(self):
        self.open()
        query = self.story()["query"]
        letters = self.letters()
        self.assertEqual(letters[query + 1:], ["?"] + [""] * (63 - query - 1))
        self.assertEqual(self.all(".lookback .arrow"), [])
        self.assertNotIn("‘", self.label())
        self.assertEqual(self.script("return document.getElementById('story-seen').textContent"), "So far: " + " ".join(letters[:query + 1]))
        self.assertEqual((self.text("story-answer"), self.text("story-captions")), ("", ""))
        answer = self.script("const { run } = headlight.app; return run.tokenText(run.sequences[0].targets[arguments[0]])", query)
        choices = self.all(".choice:not(.no-guess)")
        self.assertEqual(len({choice.text for choice in choices}), 5)
        self.assertEqual([choice.text for choice in choices].count(answer), 1)
        wrong = next(choice for choice in choices if choice.text != answer)
        self.script("arguments[0].focus()", wrong)
        self.keys(Keys.ENTER)
        self.assertEqual(self.page.switch_to.active_element, wrong)
        self.assertEqual(wrong.get_attribute("aria-pressed"), "true")
        self.assertRegex(self.text("story-answer"),
                         rf"^You guessed ‘{wrong.text}’: wrong\. The network guesses ‘{answer}’ with a probability of \d\.\d\d\. That is right\.$")
        self.assertEqual(len(self.all(".lookback .arrow")), 1)
        self.assertEqual(self.letters()[query + 1], answer)
        next(choice for choice in choices if choice.text == answer).click()
        self.assertRegex(self.text("story-answer"), f"^You guessed ‘{answer}’: right")
        self.one(".no-guess").click()
        self.assertRegex(self.text("story-answer"), "^The network guesses")

    def test_captions_point_at_the_pattern(self):
        self.open_told()
        story = self.story()
        for kind, cell in (("query", [story["query"], None]), ("key", [story["query"], story["key"]])):
            self.actions().move_to_element(self.one(".caption-" + kind)).perform()
            self.assertEqual(self.script(STATE), [*cell, False])
            self.assertEqual(["frame " + kind + " told"], [frame.get_attribute("class") for frame in self.all(".lookback .told")])
        self.actions().move_to_element(self.one("#verdict")).perform()
        self.assertEqual(self.script(STATE), [None, None, False])
        self.one(".caption-key").click()
        self.assertEqual(self.script(STATE), [story["query"], story["key"], True])

    def test_a_run_that_learned_nothing_has_a_game_without_a_look(self):
        self.open(ONE)
        self.assertRegex(self.text("verdict"), "^This small network has not learned to copy")
        self.assertEqual(self.text("story-question"), "Guess the next letter, then see what the network guesses.")
        self.one(".no-guess").click()
        self.assertRegex(self.text("story-answer"), "That is wrong: ‘.’ comes next|That is right")
        self.assertEqual([len(self.all(".lookback " + kind)) for kind in (".frame.next", ".cell", ".arrow")], [1, 64, 0])
        self.assertFalse(self.one("#story-show").is_displayed())
        self.assertEqual(self.text("story-captions"), "")
        self.assertNotIn("rises", self.script("return document.getElementById('story').textContent"))

    def test_heads_have_no_numbers_that_read_as_scores(self):
        self.open()
        for part in ("predictions", "training", "heads", "about"):
            self.tab(part)
            self.assertNotRegex(self.script("return document.body.innerText"), r"(?i)head \d\.\d")
        data = json.loads(self.script("return document.getElementById('data').textContent"))
        rows = self.script("return [...document.querySelectorAll('#about-settings tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")
        self.assertEqual(rows, [[name, value, meaning.replace("*", "")] for name, value, meaning in data["settings"]])
        for text in (data["task"]["what"], data["task"]["success"], data["task"]["look_for"]):
            self.assertIn(text.replace("*", ""), self.text("part-about"))


if __name__ == "__main__":
    unittest.main()
