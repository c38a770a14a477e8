"""The part "Certificate": its claims, and the pictures that they link to."""

import re
import unittest

from page import REPORTS, SIZES, PageTest

CLAIMS = ["Matching", "Copying", "Composition", "Necessity", "Sufficiency", "Order"]


class Test(PageTest):
    def certificate(self):
        return self.script("return headlight.app.run.certificate")

    def rows(self):
        return self.all("#certificate-claims tr")

    # The texts of the table's cells, row by row.
    def texts(self):
        return self.script("return [...document.querySelectorAll('#certificate-claims tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")

    # Presses the link of a claim.
    def see(self, claim):
        self.tab("certificate")
        self.script("const button = arguments[0].querySelector('.see'); button.scrollIntoView({ block: 'center' }); button.click()",
                    self.rows()[CLAIMS.index(claim)])

    def show_head(self, head):
        self.script("headlight.app.parts.certificate.links.showHead(arguments[0])", head)

    def state(self, *keys):
        return self.script("const { state } = headlight.app.store; return arguments[0].map((key) => state[key])", keys)

    def head(self):
        return self.script("return headlight.app.selection.head")

    def test_fits_every_screen(self):
        for width, height in SIZES.items():
            with self.screen(width, height, phone=width == 390):
                self.open(part="certificate")
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)

    def test_its_numbers_are_those_of_the_summary(self):
        self.open(part="certificate")
        summary = self.summary()["certificate"]
        self.assertEqual(self.text("certificate-title"), "Certificate: " + summary["verdict"])
        said = self.certificate()["said"]
        words = "".join(part["text"] for part in said)
        shown = self.text("certificate-sentence")
        self.assertEqual(re.sub(r" (seen|tried)(?=[.,:]|$)", "", shown), words)
        marks = [self.script("return headlight.app.run.evidence[arguments[0]].how", part["kind"]) for part in said]
        self.assertEqual([mark.text for mark in self.all("#certificate-sentence .known")], marks)
        rows = self.texts()
        self.assertEqual(len(rows), 6)
        for row, claim, limits, name in zip(rows, summary["claims"], self.certificate()["claims"], CLAIMS):
            description, number, control, standing, _ = row
            self.assertTrue(description.startswith(name + ": " + claim["name"]), description)
            self.assertIn(claim["says"], description)
            self.assertIn(claim["standing"], standing)
            self.assertIn("at most" if limits["number_at_most"] else "at least", number)
            if claim["number"] is not None:
                self.assertIn(f"step {claim['number']:.0f}" if name == "Order" else f"{claim['number']:.2f}", number)
                self.assertIn(f"step {claim['threshold']:.0f}" if name == "Order" else f"{claim['threshold']:.2f}", number)
            self.assertIn("–" if claim["control"] is None else f"{claim['control']:.2f}", control)
            if claim["control"] is not None:
                self.assertIn("at most" if limits["control_at_most"] else "at least", control)

    def test_what_other_parts_say_of_the_model_has_its_mark(self):
        marks = lambda root: [mark.text for mark in self.all(f"#{root} .known")]
        self.open(part="predictions")
        self.script("headlight.app.store.change({ query: 22, locked: true })")
        self.assertEqual(marks("predictions-count"), ["seen"])
        self.assertEqual(marks("predictions-lens-known"), ["seen"])
        self.assertEqual(marks("predictions-why"), ["seen"])
        self.assertEqual(marks("predictions-without"), [])  # an invitation
        self.script("headlight.app.store.change({ off: '1' })")
        self.assertEqual(marks("predictions-count"), ["tried"])
        self.assertEqual(marks("predictions-without"), ["tried"])
        self.script("headlight.app.store.change({ off: '' })")
        self.tab("heads")
        self.assertEqual(marks("heads-scores") + marks("heads-why"), ["seen", "seen"])
        self.tab("training")
        self.assertEqual(marks("training-scores"), ["seen"])
        self.tab("circuits")
        for root in ("strongest", "qk-words", "positions-words"):
            self.assertEqual(marks("circuits-" + root), ["seen"], root)
        self.assertEqual(marks("circuits-ov-words"), ["seen", "tried"])  # the matrix, and what the certificate tested

    def test_it_is_the_first_part_after_the_one_that_opens(self):
        self.open(part="")
        first = self.all("nav button")[1]
        self.assertEqual((first.text, self.state("tab")), ("Certificate", ["start"]))
        first.click()
        self.assertTrue(self.one("#certificate-title").is_displayed())
        before = self.head()
        self.keys("\ue014", "\ue013")
        self.assertEqual(self.head(), before, "arrows do not choose heads here")
        self.tab("start")
        self.one("#start-do button").click()
        self.assertEqual(self.state("tab"), ["certificate"])

    def test_each_claim_leads_to_what_shows_it(self):
        self.open(part="certificate")
        c = self.certificate()
        switched_off = "headlight.app.without.switchOff([1, 4])"
        for claim, part, heads in (("Matching", "heads", c["induction_heads"]), ("Copying", "predictions", c["induction_heads"]),
                                   ("Composition", "heads", c["previous_token_heads"][:1]), ("Order", "training", c["previous_token_heads"][:1])):
            self.script(switched_off + "; headlight.app.store.change({ snapshot: 0 })")
            self.see(claim)
            self.assertEqual(self.state("tab", "off"), [part, ""], claim)
            self.assertIn(self.head(), heads, claim)
            if claim == "Composition":
                self.assertEqual(self.marked()["back"], 1)
        begun = next(claim["number"] for claim in c["claims"] if claim["key"] == "order")
        self.assertEqual(self.script("const { run, store } = headlight.app; return run.snapshots[store.state.snapshot].step"), begun)
        self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "training-slider")

    def test_necessity_and_sufficiency_switch_heads_off(self):
        self.open(part="certificate")
        c = self.certificate()
        core = sorted(c["induction_heads"] + c["previous_token_heads"])
        others = sorted(set(range(8)) - set(core) - set(c["helpers"]))
        for claim, off in (("Necessity", sorted(c["induction_heads"])), ("Sufficiency", others)):
            self.see(claim)
            self.assertEqual(self.state("tab", "off", "way"), ["predictions", ",".join(map(str, off)), 0])
            line = self.one("#predictions-without [role=status]")
            self.assertTrue(line.text.startswith("Without L"), line.text)
            top = self.script("return arguments[0].getBoundingClientRect().top", line)
            self.assertTrue(0 <= top <= 1000, top)

    def test_a_certificate_that_fails_names_no_roles(self):
        self.open(REPORTS / "one" / "report.html", "certificate")
        c = self.certificate()
        self.assertEqual(c["verdict"], "does not solve the task")
        self.assertRegex(self.text("certificate-heads"), r"^tested: L0H0 \(no certified role\)$")
        self.assertEqual(self.text("certificate-helpers"), "")
        self.assertIn("not asked", self.text("certificate-claims"))
        sees = self.script("return arguments[0].map((row) => row.querySelectorAll('.see').length)", self.rows())
        self.assertEqual(sees, [int(claim["standing"] != "not asked") for claim in c["claims"]])

    def test_a_head_of_the_circuit_has_its_role_in_every_part(self):
        self.open(part="certificate")
        c = self.certificate()
        head = c["induction_heads"][0]
        for part, selector in (("heads", "#heads-grid .caption"), ("predictions", "#predictions-head option"), ("circuits", "#circuits-head option")):
            self.tab(part)
            self.assertIn("induction head", self.all(selector)[head].text.replace("\n", " "), part)

    def test_heads_are_chips_that_show_them(self):
        self.open(part="certificate")
        c = self.certificate()
        heads = c["induction_heads"] + c["previous_token_heads"] + c["helpers"]
        self.assertEqual([chip.text for chip in self.all("#certificate-heads .chip")], [f"L{h // 4}H{h % 4}" for h in heads])
        self.all("#certificate-heads .chip")[-1].click()
        self.assertEqual((self.state("tab"), self.head()), (["heads"], heads[-1]))
        self.tab("certificate")
        chip = self.one("#certificate-claims .chip")
        code = chip.text
        chip.click()
        self.assertEqual(self.text("heads-name"), f"Layer {code[1]}, head {code[3]}")

    # What the marked cell is, and its weight.
    def marked(self):
        return self.script("""
            const { run, store: { state }, selection } = headlight.app, { tokens, patterns } = run.sequences[state.sequence], { query, key } = state;
            return { locked: state.locked, back: query - key, follows: tokens[key - 1] === tokens[query], weight: patterns.pattern(selection.head).weight(query, key) }""")

    def test_links_mark_the_cell_that_the_claim_speaks_of(self):
        self.open(part="certificate")
        c = self.certificate()
        for head in c["induction_heads"]:
            self.show_head(head)
            cell = self.marked()
            self.assertTrue(cell["locked"] and cell["follows"] and cell["weight"] >= 0.1, cell)
        for head in c["previous_token_heads"]:
            self.show_head(head)
            cell = self.marked()
            self.assertTrue(cell["locked"] and cell["back"] == 1 and cell["weight"] >= 0.1, cell)
        for head in c["helpers"]:
            self.show_head(head)
            self.assertEqual(self.marked()["back"], 0)
        story = self.script("return headlight.app.run.story")
        self.show_head(story["layer"] * 4 + story["head"])
        self.assertEqual(self.state("sequence", "query", "key", "locked"), [0, story["query"], story["key"], True])

    def test_the_helper_says_what_breaks_without_it(self):
        self.open(part="certificate")
        c, note = self.certificate(), self.text("certificate-helpers")
        accuracies = self.script("""
            const { run, without } = headlight.app, sum = (list) => list.reduce((a, b) => a + b, 0);
            const asked = (s) => s.predictable.filter(Boolean).length, all = sum(run.sequences.map(asked));
            return [[], ...run.certificate.helpers.map((head) => [head])].map((off) => sum(run.sequences.map((s) => asked(s) * without.accuracy(s, off))) / all)""")
        before, *without = accuracies
        self.assertLess(min(without), 0.9)
        self.assertEqual(note.split("\n"), [
            f"When the helper L{head // 4}H{head % 4} is switched off, the accuracy on predictable tokens is {now:.2f} instead of {before:.2f}, on 6 sequences of this page. tried"
            for head, now in zip(c["helpers"], without)])

    def test_remarks_stand_where_a_reader_would_stumble(self):
        self.open(part="certificate")
        self.assertNotIn("The switches", str(self.texts()))
        self.script("document.querySelectorAll('details.remark').forEach((remark) => { remark.open = true; })")
        for (said, *_), words in zip(self.texts(), (None, "copying scores under Circuits ask something else", "becomes part of that token's key",
                                                   *["The switches show the same on one sequence at a time"] * 2)):
            self.assertIn(words or "", said)
        self.assertIn("a third of the number", self.texts()[0][2])
        self.tab("circuits")
        self.assertIn("The certificate tests copying in another way", self.text("circuits-ov-words"))

    def test_its_chart_has_five_of_the_claims_and_chooses_the_step(self):
        self.open(part="certificate")
        formation, last = self.certificate()["formation"], self.state("snapshot")[0]
        self.assertGreater(len(formation), 10)
        self.assertLess(formation[-1]["without"], 0.25)
        self.assertGreater(formation[-1]["alone"], 0.9 * formation[-1]["accuracy"])
        self.assertTrue(-1 <= formation[-1]["copying"] <= 1)
        self.assertEqual([len(self.all("#certificate-" + curves)) for curves in ("chart polyline", "curves span")], [6, 6])
        self.assertIn("Composition has no curve", self.text("certificate-measured"))
        note = self.one("#certificate-chart p")
        self.assertIn(f"step {formation[-1]['step']}: matching {formation[-1]['matching']:.2f}", note.text)
        self.script("headlight.app.store.change({ snapshot: 0 })")
        self.assertIn(f"step {formation[0]['step']}: ", note.text)
        svg = self.one("#certificate-chart svg")
        self.script("arguments[0].scrollIntoView({ block: 'center' })", svg)
        svg.click()
        self.assertTrue(0 < self.state("snapshot")[0] < last)

    def test_a_run_without_a_certificate_opens_as_before(self):
        for file in (REPORTS / "counts" / "report.html", REPORTS / "hostile.html"):
            self.open(file, "certificate")
            self.assertNotIn("Certificate", [b.text for b in self.all("nav button") if b.is_displayed()])
            self.assertEqual((self.state("tab"), self.script("return location.hash")), (["start"], "#start"))
            self.script("window.dispatchEvent(new Event('beforeprint'))")
            self.assertFalse(self.one("#part-certificate").is_displayed())
            self.script("window.dispatchEvent(new Event('afterprint'))")

    def test_another_way_lists_the_heads_that_it_needs(self):
        self.open(part="certificate")
        self.spoil()
        self.script("""
            const { run, store } = headlight.app;
            run.certificate = { ...run.certificate, needed: [{ head: 5, accuracy_without: 0.25, looks: "13 tokens back", weight: 0.75 }] };
            store.change({ sequence: 1 })""")
        cells = [td.text for td in self.all("#certificate-needs :is(th, td)")]
        self.assertEqual(cells, ["L1H1", "13 tokens back", "0.75", "0.25"])


if __name__ == "__main__":
    unittest.main()
