"""The part "Certificate": its claims, and the pictures that they link to."""

import unittest

from selenium.webdriver.common.by import By

from page import DEMO, LARGE, REPORTS, PageTest
from page import SIZES

CLAIMS = ["Matching", "Copying", "Composition", "Necessity", "Sufficiency", "Order"]


class Test(PageTest):
    def certificate(self):
        return self.script("return headlight.app.run.certificate")

    def rows(self):
        return self.page.find_elements(By.CSS_SELECTOR, "#certificate-claims tr")

    # Presses the link of a claim.
    def see(self, claim):
        self.open(part="certificate")
        button = self.rows()[CLAIMS.index(claim)].find_element(By.CSS_SELECTOR, ".see")
        self.script("arguments[0].scrollIntoView({ block: 'center' })", button)
        button.click()

    def state(self, *keys):
        return self.script("const { state } = headlight.app.store; return arguments[0].map((key) => state[key])", keys)

    def head(self):
        return self.script("return headlight.app.selection.head")

    def test_its_numbers_are_those_of_the_summary(self):
        for width, height in SIZES.items():
            for theme in ("light", "dark"):
                with self.screen(width, height, theme, phone=width == 390):
                    self.open(part="certificate")
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
        self.open(part="certificate")
        summary = self.summary()["certificate"]
        self.assertEqual(self.text("certificate-title"), "Certificate: " + summary["verdict"])
        self.assertEqual(self.text("certificate-sentence"), self.certificate()["sentence"])
        rows = self.rows()
        self.assertEqual(len(rows), 6)
        for row, claim, name in zip(rows, summary["claims"], CLAIMS):
            description, number, control, standing, _ = [td.text for td in row.find_elements(By.CSS_SELECTOR, "th, td")]
            self.assertTrue(description.startswith(name + ": " + claim["name"]), description)
            self.assertIn(claim["says"], description)
            self.assertIn(claim["standing"], standing)
            if claim["number"] is not None:
                self.assertIn(f"step {claim['number']:.0f}" if name == "Order" else f"{claim['number']:.2f}", number)
                self.assertIn(f"step {claim['threshold']:.0f}" if name == "Order" else f"{claim['threshold']:.2f}", number)
            self.assertIn("–" if claim["control"] is None else f"{claim['control']:.2f}", control)

    def test_limits_say_which_side_is_good(self):
        self.open(part="certificate")
        for row, claim in zip(self.rows(), self.certificate()["claims"]):
            number, control = [td.text for td in row.find_elements(By.CSS_SELECTOR, ".measured")]
            self.assertIn("at most" if claim["number_at_most"] else "at least", number)
            if claim["control"] is not None:
                self.assertIn("at most" if claim["control_at_most"] else "at least", control)

    def test_it_is_the_first_part_and_the_page_opens_with_the_story(self):
        self.open(part="")
        first = self.page.find_elements(By.CSS_SELECTOR, "nav button")[0]
        self.assertEqual((first.text, self.state("tab")), ("Certificate", ["heads"]))
        first.click()
        self.assertTrue(self.page.find_element(By.ID, "certificate-title").is_displayed())

    def test_each_claim_leads_to_what_shows_it(self):
        self.open(part="certificate")
        c = self.certificate()
        self.see("Matching")
        self.assertEqual(self.state("tab"), ["heads"])
        self.assertIn(self.head(), c["induction_heads"])
        self.see("Copying")
        self.assertEqual(self.state("tab"), ["predictions"])
        self.assertIn(self.head(), c["induction_heads"])
        self.see("Composition")
        self.assertEqual((self.state("tab"), self.head()), (["heads"], c["previous_token_heads"][0]))
        self.script("headlight.app.store.change({ snapshot: 0 })")
        self.see("Order")
        self.assertEqual((self.state("tab"), self.head()), (["training"], c["previous_token_heads"][0]))
        begun = next(claim["number"] for claim in c["claims"] if claim["key"] == "order")
        self.assertEqual(self.script("const { run, store } = headlight.app; return run.snapshots[store.state.snapshot].step"), begun)
        self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "training-slider")

    def test_necessity_and_sufficiency_switch_heads_off(self):
        self.open(part="certificate")
        c = self.certificate()
        core = sorted(c["induction_heads"] + c["previous_token_heads"])
        others = sorted(set(range(8)) - set(core) - set(c["helpers"]))
        for claim, off in (("Necessity", core), ("Sufficiency", others)):
            self.see(claim)
            self.assertEqual(self.state("tab", "off", "way"), ["predictions", ",".join(map(str, off)), 0])
            line = self.page.find_element(By.CSS_SELECTOR, "#predictions-without [role=status]")
            self.assertTrue(line.text.startswith("Without L"), line.text)
            top = self.script("return arguments[0].getBoundingClientRect().top", line)
            self.assertTrue(0 <= top <= 1000, top)

    def test_a_certificate_that_fails_names_no_roles(self):
        self.open(REPORTS / "one" / "report.html", "certificate")
        c = self.certificate()
        self.assertEqual(c["verdict"], "does not solve the task")
        self.assertRegex(self.text("certificate-heads"), r"^tested: L0H0 \(no certified role\)$")
        self.assertEqual(self.text("certificate-helpers"), "")
        for row, claim in zip(self.rows(), c["claims"]):
            self.assertEqual(len(row.find_elements(By.CSS_SELECTOR, ".see")), claim["standing"] != "not asked", claim["key"])

    def test_a_head_of_the_circuit_has_its_role_in_every_part(self):
        self.open(part="certificate")
        c = self.certificate()
        low = next(h for h in c["induction_heads"] if self.script("return headlight.app.run.scoreTable.value(headlight.app.run.scores[arguments[0]], 'induction')", h) < 0.5)
        for part, selector in (("heads", "#heads-grid .caption"), ("predictions", "#predictions-head option"), ("circuits", "#circuits-head option")):
            self.tab(part)
            self.assertIn("induction head", self.page.find_elements(By.CSS_SELECTOR, selector)[low].text.replace("\n", " "), part)

    def test_heads_are_chips_that_show_them(self):
        self.open(part="certificate")
        c = self.certificate()
        named = [chip.text for chip in self.page.find_elements(By.CSS_SELECTOR, "#certificate-heads .chip")]
        self.assertEqual(named, [f"L{h // 4}H{h % 4}" for h in c["induction_heads"] + c["previous_token_heads"] + c["helpers"]])
        self.page.find_elements(By.CSS_SELECTOR, "#certificate-heads .chip")[-1].click()
        self.assertEqual((self.state("tab"), self.head()), (["heads"], (c["induction_heads"] + c["previous_token_heads"] + c["helpers"])[-1]))
        self.open(part="certificate")
        chip = self.page.find_element(By.CSS_SELECTOR, "#certificate-claims .chip")
        code = chip.text
        chip.click()
        self.assertEqual(self.text("heads-name"), f"Layer {code[1]}, head {code[3]}")

    def test_the_induction_head_of_the_story_is_shown_where_the_story_looked(self):
        self.open(part="certificate")
        story = self.script("return headlight.app.run.story")
        head = story["layer"] * 4 + story["head"]
        self.script("headlight.app.parts.certificate.links.showHead(arguments[0])", head)
        self.assertEqual(self.state("sequence", "query", "key", "locked"), [0, story["query"], story["key"], True])

    # What the marked cell is, and its weight.
    def marked(self):
        return self.script("""
            const { run, store: { state }, selection } = headlight.app, { tokens, patterns } = run.sequences[state.sequence], { query, key } = state;
            return { locked: state.locked, back: query - key, follows: tokens[key - 1] === tokens[query], weight: patterns.pattern(selection.head).weight(query, key) }""")

    def test_links_mark_the_cell_that_the_claim_speaks_of(self):
        self.open(part="certificate")
        c = self.certificate()
        for head in c["induction_heads"]:
            self.script("headlight.app.parts.certificate.links.showHead(arguments[0])", head)
            cell = self.marked()
            self.assertTrue(cell["locked"] and cell["follows"] and cell["weight"] >= 0.1, cell)
        for head in c["previous_token_heads"]:
            self.script("headlight.app.parts.certificate.links.showHead(arguments[0])", head)
            cell = self.marked()
            self.assertTrue(cell["locked"] and cell["back"] == 1 and cell["weight"] >= 0.1, cell)
        for head in c["helpers"]:
            self.script("headlight.app.parts.certificate.links.showHead(arguments[0])", head)
            self.assertEqual(self.marked()["back"], 0)
        self.see("Composition")
        self.assertEqual(self.marked()["back"], 1)

    def test_links_switch_all_heads_on_again(self):
        for claim in ("Matching", "Copying", "Composition", "Order"):
            self.open(part="certificate")
            self.script("headlight.app.without.switchOff([1, 4])")
            button = self.rows()[CLAIMS.index(claim)].find_element(By.CSS_SELECTOR, ".see")
            self.script("arguments[0].scrollIntoView({ block: 'center' }); arguments[0].click()", button)
            self.assertEqual(self.state("off"), [""])
        self.script("headlight.app.without.switchOff([1, 4])")
        self.script("document.getElementById('story-show').click()")
        self.assertEqual(self.state("off"), [""])

    def test_the_helper_says_what_breaks_without_it(self):
        self.open(part="certificate")
        c, note = self.certificate(), self.text("certificate-helpers")
        accuracies = self.script("""
            const { run, without } = headlight.app, mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
            return [[], ...run.certificate.helpers.map((head) => [head])].map((off) => mean(run.sequences.map((s, i) => without.accuracy(i, off, 0))))""")
        before, *without = accuracies
        self.assertLess(min(without), 0.9)
        self.assertEqual(note.split("\n"), [
            f"When the helper L{head // 4}H{head % 4} is switched off, the accuracy on predictable tokens is {now:.2f} instead of {before:.2f}, on 6 sequences of this page."
            for head, now in zip(c["helpers"], without)])

    def test_remarks_stand_where_a_reader_would_stumble(self):
        self.open(part="certificate")
        self.assertNotIn("The switches", "".join(row.text for row in self.rows()))
        self.script("document.querySelectorAll('details.remark').forEach((remark) => { remark.open = true; })")
        said = [row.text for row in self.rows()]
        self.assertIn("a third of the number", said[0])
        self.assertIn("copying scores under Circuits ask something else", said[1])
        self.assertIn("becomes part of that token's key", said[2])
        for row in said[3:5]:
            self.assertIn("The switches show the same on one sequence at a time", row)
        self.assertIn("The certificate tests this.", self.script("return document.getElementById('story-sentences').textContent"))
        self.open()
        self.tell_all()
        self.page.find_element(By.ID, "story-certificate").click()
        self.assertEqual(self.state("tab"), ["certificate"])
        self.tab("circuits")
        self.assertIn("The certificate tests copying in another way", self.text("circuits-ov-words"))

    def test_its_chart_has_five_of_the_claims(self):
        self.open(part="certificate")
        last = self.certificate()["formation"][-1]
        self.assertLess(last["without"], 0.25)
        self.assertGreater(last["alone"], 0.9 * last["accuracy"])
        self.assertTrue(-1 <= last["copying"] <= 1)
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, "#certificate-chart polyline")), 6)
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, "#certificate-curves span")), 6)
        self.assertIn("Composition has no curve", self.text("certificate-measured"))

    def test_its_chart_chooses_the_step(self):
        self.open(part="certificate")
        formation, last = self.certificate()["formation"], self.state("snapshot")[0]
        self.assertGreater(len(formation), 10)
        note = self.page.find_element(By.CSS_SELECTOR, "#certificate-chart p")
        self.assertIn(f"step {formation[-1]['step']}: matching {formation[-1]['matching']:.2f}", note.text)
        self.script("headlight.app.store.change({ snapshot: 0 })")
        self.assertIn(f"step {formation[0]['step']}: ", note.text)
        svg = self.page.find_element(By.CSS_SELECTOR, "#certificate-chart svg")
        self.script("arguments[0].scrollIntoView({ block: 'center' })", svg)
        svg.click()
        self.assertTrue(0 < self.state("snapshot")[0] < last)

    def test_arrows_do_not_choose_heads_here(self):
        self.open(part="certificate")
        before = self.head()
        self.keys("\ue014", "\ue013")
        self.assertEqual(self.head(), before)

    def test_a_run_without_a_certificate_opens_as_before(self):
        for file in (REPORTS / "counts" / "report.html", REPORTS / "hostile.html", REPORTS / "markov" / "report.html"):
            self.open(file, "certificate")
            names = [b.text for b in self.page.find_elements(By.CSS_SELECTOR, "nav button") if b.is_displayed()]
            self.assertNotIn("Certificate", names)
            self.assertEqual((self.state("tab"), self.script("return location.hash")), (["heads"], "#heads"))
            self.script("window.dispatchEvent(new Event('beforeprint'))")
            self.assertFalse(self.page.find_element(By.ID, "part-certificate").is_displayed())
            self.script("window.dispatchEvent(new Event('afterprint'))")

    def test_a_model_without_a_circuit_says_so(self):
        self.open(LARGE, "certificate")
        self.assertEqual(self.text("certificate-title"), "Certificate: does not solve the task")
        self.assertIn("not asked", self.text("certificate-claims"))

    def test_another_way_lists_the_heads_that_it_needs(self):
        self.open(part="certificate")
        self.script("""
            const { run, store } = headlight.app;
            run.certificate = { ...run.certificate, needed: [{ head: 5, accuracy_without: 0.25, looks: "13 tokens back", weight: 0.75 }] };
            store.change({ sequence: 1 })""")
        cells = [td.text for td in self.page.find_elements(By.CSS_SELECTOR, "#certificate-needs :is(th, td)")]
        self.assertEqual(cells, ["L1H1", "13 tokens back", "0.75", "0.25"])


if __name__ == "__main__":
    unittest.main()
