"""Heads and Predictions of a page with the engine, beside those of a page of the same run with stored numbers."""

import unittest

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from page import DEMO, REPORTS, PageTest

LAB = REPORTS / "lab.html"


class Test(PageTest):
    def until(self, condition):
        WebDriverWait(self.page, 20, 0.02).until(lambda _: condition())

    # What the line says of the heads that are off, when it has come.
    def after(self, part, changes):
        self.script("headlight.app.store.change({ off: '', way: 0, sequence: 0 })")
        line = lambda: self.one(f"#{part}-without [role=status]").text
        self.until(lambda: not line().startswith("Without"))
        self.script("headlight.app.store.change(arguments[0])", changes)
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
        self.assertEqual(self.script("return headlight.app.run.sequences.map(({ terms }) => terms !== undefined)"), [False] * 6)

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

    def test_the_lens_is_that_of_the_changed_model(self):
        self.open(LAB, "predictions")
        rows = lambda: self.script("return [...document.querySelectorAll('#predictions-lens-rows tr')].map((row) => row.innerText)")
        self.script("headlight.app.store.change({ query: 40, locked: true })")
        whole = rows()
        self.assertEqual(len(whole), 3)
        self.after("predictions", {"off": "1", "query": 40, "locked": True})
        self.assertEqual(rows()[0], whole[0])  # no head writes before the first layer
        self.assertNotEqual(rows()[1:], whole[1:])
        self.script("headlight.app.without.switchOff([])")
        self.typed("ABCDEABC", "predictions")
        self.script("headlight.app.store.change({ query: 7, locked: true })")
        self.assertEqual(len(rows()), 3)
        self.assertIn("D", rows()[2])

    def test_every_probability_is_listed(self):
        self.open(LAB, "predictions")
        self.after("predictions", {"off": "1", "query": 40, "locked": True})
        self.assertGreaterEqual(len(self.all("#predictions-guesses tr")), 5)
        self.assertEqual(self.text("predictions-rounded"), "")

    # As a hand types: what stood in the field before is replaced.
    def type(self, text, part="heads"):
        field = self.one(f"#{part}-text")
        self.script("arguments[0].scrollIntoView({ block: 'center' })", field)
        field.click()
        self.keys(Keys.END, *[Keys.BACKSPACE] * len(field.get_property("value")), text)

    def shown(self):
        return self.script("const { store, run } = headlight.app; return store.state.sequence === 6 ? run.own.tokens.map((id) => run.vocabulary[id]).join('') : ''")

    def typed(self, text, part="heads"):
        self.type(text, part)
        self.until(lambda: self.shown() == text)

    # The engine asked by itself, past all that the page keeps.
    def looked(self, changes):
        return self.page.execute_async_script("""
            const [changes, done] = arguments, { live, own } = headlight.app;
            live.engine.look(own.tokens, changes).then(({ patterns, guesses }) =>
              done({ weights: Array.from(patterns.pattern(4).values), guesses: guesses.map(({ token }) => token) }))""", changes)

    def drawn(self):
        return self.script("""
            const { selection, without } = headlight.app, sequence = without.applied(selection.sequence());
            return { weights: Array.from(selection.patternNow(4).values), guesses: sequence.guesses.map(([[token]]) => token) }""")

    def test_a_typed_sequence_is_a_sequence_like_the_others(self):
        self.open(LAB)
        self.spoil()
        self.typed("abcdefabcdef")
        self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "heads-text")
        self.assertEqual(self.drawn(), self.looked({}))
        choice = Select(self.one("#part-heads .sequence"))
        self.assertEqual(choice.first_selected_option.text, "what you typed")
        self.assertEqual("".join(token.text for token in self.all("#heads-tokens .token")), "abcdefabcdef")
        self.point("heads", 8, 3).click().perform()
        self.until(lambda: "Softmax over the 9 keys of the row" in self.text("heads-why"))
        self.assertIn("8 \u2018c\u2019", self.text("heads-why"))
        self.tab("predictions")
        marks = self.script("return [...document.querySelectorAll('#predictions-tokens .mark')].map((mark) => mark.innerText)")
        self.assertEqual([mark in "✓✗" for mark in marks], [False] * 6 + [True] * 5 + [False])  # what comes after a second time
        self.until(lambda: "The logit of" in self.text("predictions-why"))
        self.assertEqual(self.one("#predictions-text").get_property("value"), "abcdefabcdef")
        self.assertIn("what you typed", self.script("return headlight.app.parts.predictions.picture().outerHTML"))
        Select(self.one("#part-predictions .sequence")).select_by_index(1)
        whole = self.script("const { run } = headlight.app; return run.sequences[1].tokens.map((id) => run.vocabulary[id]).join('')")
        self.assertEqual(self.one("#predictions-text").get_property("value"), whole)
        Select(self.one("#part-predictions .sequence")).select_by_index(6)
        self.assertEqual(self.shown(), "abcdefabcdef")

    def test_typing_keeps_the_caret_and_the_locked_cell(self):
        self.open(LAB)
        self.spoil()
        self.typed("abcabcabc")
        self.script("headlight.app.store.change({ query: 5, key: 3, locked: true })")
        self.keys(*[Keys.ARROW_LEFT] * 2, "X")
        self.until(lambda: self.shown() == "abcabcaXbc")
        self.assertEqual(self.script("return document.activeElement.selectionStart"), 8)
        state = "const { query, key, locked } = headlight.app.store.state; return [query, key, locked]"
        self.assertEqual(self.script(state), [5, 3, True])
        self.typed("ab")
        self.assertEqual(self.script(state), [None, None, False])

    def test_what_is_no_sequence_is_refused_and_the_pictures_stay(self):
        self.open(LAB)
        self.spoil()
        self.typed("abab")
        refused = lambda: self.one("#heads-typing [role=status]").text
        for text, said in (("ab cd", "The model has no token \u2018\u2423\u2019, only A-Z a-z 0-9 + /. The pictures stay as they were."),
                           ("a" * 65, "The model reads 64 tokens at most."), ("", "Type a token.")):
            self.type(text)
            self.assertEqual(refused(), said)
            self.assertEqual(self.one("#heads-text").get_property("value"), text)
        self.all("#heads-typing button")[1].click()
        self.assertEqual(refused(), "Type a token.")  # no sequence to repeat
        self.typed("abc")
        self.assertEqual(refused(), "")
        self.all("#heads-typing button")[1].click()
        self.until(lambda: self.shown() == "abcabc")
        self.all("#heads-typing button")[0].click()
        self.until(lambda: len(self.shown()) == 64)
        self.assertEqual(self.one("#heads-text").get_property("value"), self.shown())
        drawn = "return document.querySelector('#part-heads select.sequence').selectedOptions[0].text"
        self.assertEqual(self.script(drawn), "another sequence of the task")

    def test_every_change_is_the_engines(self):
        self.open(LAB)
        self.spoil()
        self.typed("abcdefabcdef")
        a = self.script("return headlight.app.own.tokens")
        self.one("#heads-without .remembered > button").click()
        self.until(lambda: len(self.all("#heads-without .strip button")) == 8)
        self.typed("abcdefabcdeh")
        parts = {"off": [1], "way": "mean"}
        self.script("arguments[0].click()", self.all("#heads-grid .power")[1])
        changes = [dict(parts)]
        self.script("headlight.app.store.change({ layer: 1, head: 0, query: 8, key: 3, locked: true })")
        self.script("document.getElementById('heads-forbid').click()")
        changes.append({**changes[-1], "cut": [[4, 8, 3]]})
        cut = self.script("return headlight.app.store.state.cut")
        self.until(lambda: self.drawn() == self.looked(changes[-1]))
        self.script("document.querySelectorAll('#heads-without .strip button')[3].click()")
        changes.append({**changes[-1], "patch": {"heads": [3], "tokens": a}})
        self.until(lambda: self.drawn() == self.looked(changes[-1]))
        self.assertNotEqual(self.looked(changes[0]), self.looked(changes[1]))
        self.assertNotEqual(self.looked(changes[1]), self.looked(changes[2]))
        words = "without L0H1, the look of L1H0 from 8 at 3"
        self.until(lambda: f"On 64 fresh sequences {words}: accuracy 0." in self.text("heads-without"))
        said = self.text("heads-without")
        self.assertIn(f"W{words[1:]} and with L0H3 as on A: accuracy 0.", said)
        self.assertIn("instead of 1.00, loss", said.split("On 64 fresh sequences")[1])
        self.assertIn("What comes from A is not in these numbers.", said)
        self.assertEqual(self.text("heads-whole"), words + " and with L0H3 as on A")
        self.assertEqual(self.script("return [...document.querySelectorAll('#heads-grid .switched')].map((one) => one.className)")[3], "switched patched")
        self.assertIn("Forbidden: the look of L1H0 from 8 at 3.", self.text("heads-forbidden"))
        self.script("headlight.app.store.change({ off: '', cut: '', patch: '0,1,2,3,4,5,6,7' })")
        self.until(lambda: "; on A it is ‘a’ (" in self.text("heads-without"))  # what comes next
        self.script(f"headlight.app.store.change({{ off: '1', cut: '{cut}', patch: '3' }})")
        self.typed("abab")  # A is longer: its head does not fit
        self.until(lambda: "The sequence A has 12 tokens, and this one 4" in self.text("heads-without"))
        self.assertIn("without L0H1", self.text("heads-whole"))
        self.assertNotIn("as on A", self.text("heads-whole"))
        self.script("[...document.querySelectorAll('#heads-without button')].find((one) => one.innerText === 'Undo all changes').click()")
        self.assertEqual(self.drawn(), self.looked({}))
        self.assertEqual(self.script("const { off, cut, mlps, patch } = headlight.app.store.state; return off + cut + mlps + patch"), "")

    def test_layers_are_switched_off_with_all_their_heads(self):
        self.open(LAB)
        self.spoil()
        switch = self.one("#heads-without .layer-switches label:nth-child(2) input")
        self.assertEqual(switch.get_attribute("aria-label"), "Layer 1 is on")
        self.click = lambda element: self.script("arguments[0].click()", element)
        self.click(switch)
        self.until(lambda: self.text("heads-whole") == "without L1H0, L1H1, L1H2, L1H3")
        self.assertFalse(switch.is_selected())
        self.click(self.all("#heads-grid .power")[4])
        self.assertTrue(switch.is_selected())  # one of its heads is on
        self.click(switch)
        self.click(switch)
        self.assertEqual(self.script("return headlight.app.store.state.off"), "")
        self.assertEqual(self.script("return headlight.app.run.mlps"), False)
        self.assertEqual(len(self.all("#heads-without .layer-switches input")), 2)  # the demo has no MLPs

    def test_a_look_is_forbidden_and_allowed_again(self):
        self.open(LAB)
        self.spoil()
        forbid, every = self.one("#heads-forbid"), self.one("#heads-allow-all")
        self.assertFalse(forbid.is_displayed() or every.is_displayed())
        weight = lambda: self.script("return headlight.app.selection.patternNow(4).weight(30, 11)")
        whole = weight()
        self.script("headlight.app.selection.chooseHead(4); headlight.app.store.change({ query: 30, key: 11, locked: true });"
                    "headlight.app.selection.hover(null, null, null)")  # the pointer is on its way to the button
        self.assertEqual(forbid.text, "Forbid this look")
        self.script("arguments[0].click()", forbid)
        self.until(lambda: weight() == 0)
        self.assertEqual(forbid.text, "Allow this look")
        self.script("arguments[0].click()", every)
        self.assertEqual(weight(), whole)
        self.assertFalse(every.is_displayed())

    def test_the_address_holds_what_is_played(self):
        self.open(LAB)
        self.spoil()
        self.typed("abcdefabcdef")
        self.script("headlight.app.store.change({ layer: 1, head: 0, query: 8, key: 3, locked: true, off: '1', cut: '4-8-3' })")
        wanted = "#heads&tokens=26,27,28,29,30,31,26,27,28,29,30,31&query=8&key=3&off=L0H1&cut=L1H0-8-3"
        self.until(lambda: self.page.current_url.endswith(wanted))
        drawn = self.drawn()
        self.page.get("about:blank")
        self.page.get(LAB.as_uri() + wanted)
        self.until(lambda: self.shown() == "abcdefabcdef")
        self.assertEqual(self.drawn(), drawn)
        self.assertEqual(self.script("const { query, key, locked } = headlight.app.store.state; return [query, key, locked]"), [8, 3, True])
        self.assertIn("the look of L1H0 from 8 at 3", self.text("heads-forbidden"))
        self.script("location.hash = 'heads&tokens=26,27&cut=L9H0-1-0&off=L0H2'")
        self.until(lambda: self.shown() == "ab")
        self.script("location.hash = 'heads&tokens=26,99&mlps=0&off=L9H9'")  # no tokens, MLP and head of this model
        self.frames()
        state = self.script("const { tokens, mlps, off } = headlight.app.store.state; return [tokens, mlps, off]")
        self.assertEqual(state, ["26,27", "", "2"])

    def test_scores_of_the_whole_model_do_not_stand_beside_other_patterns(self):
        self.open(LAB)
        self.spoil()
        captions = "return [...document.querySelectorAll('#heads-grid .caption i')].map((one) => one.innerText).join('')"
        select = "return [...document.getElementById('predictions-head').options].map((one) => one.text).join()"
        self.assertNotEqual(self.script(captions), "")
        self.after("heads", {"off": "1"})
        self.assertEqual(self.script(captions), "")
        self.assertRegex(self.text("heads-scores"), "^Head scores of the whole model: ")
        label = self.one("#heads-map").get_attribute("aria-label")
        self.assertRegex(label, r"^Attention pattern of layer 1, head 0 without L0H1\. Head scores of the whole model: ")
        self.assertIn("Head scores of the whole model: ", self.one("#heads-grid button").get_attribute("title"))
        self.tab("predictions")
        self.assertNotRegex(self.script(select), r"\d\.\d")
        self.script("headlight.app.without.allOn()")
        self.assertRegex(self.script(select), r"\d\.\d")

    def test_pointing_at_a_token_shows_where_every_head_looks_from_it(self):
        self.open(LAB, "predictions")
        token = self.all("#predictions-tokens .token")[45]
        self.script("arguments[0].scrollIntoView({ block: 'center' })", token)
        top = self.box("#predictions-looks")["top"]
        self.actions().move_to_element(token).perform()
        self.assertIn("position 45 ", self.text("predictions-readout"))
        shown = self.script("return [...document.querySelectorAll('#predictions-looks tr')].map((row) => parseInt(row.cells[2].innerText))")
        most = self.script("const { run } = headlight.app; return Array.from({ length: run.heads }, (_, head) => {"
                           "const row = run.sequences[0].patterns.pattern(head).row(45); return row.indexOf(Math.max(...row)) })")
        self.assertEqual(shown, most)
        self.assertEqual(self.box("#predictions-looks")["top"], top)  # it stays where it is
        token.click()
        self.actions().move_to_element(self.all("#predictions-tokens .token")[9]).perform()
        self.assertIn("position 45 ", self.text("predictions-readout"))

    def test_the_result_of_a_switch_is_on_the_first_screen(self):
        with self.screen(1280, 900):
            self.open(LAB)
            self.after("heads", {"off": "1"})
            self.until(lambda: "On 64 fresh" in self.text("heads-without"))
            self.assertLessEqual(self.box("#heads-without .fresh")["bottom"], 900)
            self.assertLessEqual(self.box("#heads-map")["bottom"], 900)

    def test_nothing_sticks_out_and_heads_come_first_on_a_phone(self):
        for width in (320, 390, 700, 820, 1280, 1600):
            with self.screen(width, 844):
                self.open(LAB)
                self.spoil()
                self.typed("abcdefabcdef")
                self.script("headlight.app.without.switchOff([0, 1, 2, 3]); headlight.app.store.change({ query: 8, key: 3, locked: true, remembered: '1,2,3' })")
                self.until(lambda: self.text("heads-without").count("Without") == 1)
                for part in ("heads", "predictions"):
                    self.tab(part)
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, part)
                self.tab("heads")
                grid, large = self.box("#heads-grid"), self.box("#heads-map")
                (self.assertLess if width <= 700 else self.assertLessEqual)(grid["top"], large["top"] if width <= 700 else large["bottom"])

    def test_without_an_engine_it_says_so(self):
        self.open(LAB)
        self.spoil()
        self.script("headlight.app.live.failed = 'this browser has no WebAssembly'; headlight.app.without.switchOff([1])")
        self.assertIn("Without L0H1: the engine does not run here (this browser has no WebAssembly). "
                      "What is shown is of the whole model.", self.text("heads-without"))


if __name__ == "__main__":
    unittest.main()
