"""Why here? An attention logit and a logit of a prediction, taken apart in the page."""

import json
import math
import re
import unittest

from page import REPORTS, PageTest

TERMS = json.loads((REPORTS / "terms.json").read_text())
CROSSED, HOSTILE = REPORTS / "crossed" / "report.html", REPORTS / "hostile.html"


def number(text):
    return float(text.replace("−", "-"))


class Test(PageTest):
    def rows(self, table):
        return self.script("return [...document.querySelectorAll(arguments[0])].map((row) => [...row.cells].map((cell) => cell.innerText))", f"{table} tbody tr")

    def choose(self, layer, head, query, key):
        self.script("headlight.app.store.change({ layer: arguments[0], head: arguments[1], query: arguments[2], key: arguments[3], locked: true })",
                    layer, head, query, key)

    # What parts of the page's terms are called in the library.
    def name(self, part):
        kind, index = part
        return f"L{index // 4}H{index % 4}" if kind == "head" else kind

    def by_name(self, exact):
        sums = {}
        for name, value in exact.items():
            kind = name if name == "embed" or name[0] == "L" else "bias"
            sums[kind] = sums.get(kind, 0) + value
        return sums

    def test_scores_are_those_of_the_library(self):
        self.open()
        for exact in TERMS["scores"]:
            self.choose(exact["layer"], exact["head"], exact["query"], exact["key"])
            shown = self.rows("#heads-why .terms")
            self.assertEqual(shown[-1][0], "attention logit")
            self.assertAlmostEqual(number(shown[-1][2]), exact["score"], delta=0.0051 + 1e-3 * abs(exact["score"]))
            self.assertAlmostEqual(sum(number(row[2]) for row in shown[:-1]), number(shown[-1][2]), delta=0.05)
            products = self.script("""
                const { run, selection } = headlight.app, [query, key] = arguments, s = selection.sequence("heads");
                const terms = headlight.termsOf(headlight.app, s).heads[run.inStack(selection.head)];
                return { score: terms.score(query, key), products: terms.products(query, key) }""", exact["query"], exact["key"])
            self.assertAlmostEqual(products["score"], exact["score"], delta=1e-3 * max(1, abs(exact["score"])))
            by_key = {}
            for term in products["products"]:
                name = self.name(term["written"])
                by_key[name] = by_key.get(name, 0) + term["value"]
            for name, value in self.by_name(exact["by_key"]).items():
                self.assertAlmostEqual(by_key[name], value, delta=2e-3)

    def test_a_click_on_a_cell_says_why(self):
        self.open()
        story = self.script("return headlight.app.run.story")
        self.choose(story["layer"], story["head"], 20, 20)
        self.script("headlight.app.store.change({ query: null, key: null, locked: false })")
        self.assertIn("Click a cell", self.text("heads-why"))
        self.assertEqual(self.rows("#heads-why .terms"), [])
        self.point("heads", story["query"], story["key"]).click().perform()
        said, token = self.text("heads-why"), lambda at: self.script("const { run } = headlight.app; return run.tokenText(run.sequences[0].tokens[arguments[0]])", at)
        query, key, before = story["query"], story["key"], story["key"] - 1
        self.assertEqual(token(query), token(before))
        code = f"L{story['layer']}H{story['head']}"
        self.assertRegex(said, f"Head {code} looks from {query} ‘{token(query)}’ at {key} ‘{token(key)}’ \\(attention weight (0.9.|1.00)\\)[.] The attention logit of .* (Most|More than all) of that belongs to what head L0H")
        self.assertIn(f"looks most at {before} ‘{token(before)}’, the token before (attention weight 0.", said)
        self.assertIn(f"So {code} finds what followed an earlier ‘{token(before)}’.", said)
        self.assertIn(f"Softmax over the {query + 1} keys of the row turns the attention logit", said)
        self.assertIn(f"turns the attention logit into the attention weight {self.text('heads-readout').split()[-1]}.", said)
        products = [abs(number(row[2])) for row in self.rows("#heads-why .terms")[:6]]
        self.assertEqual(products, sorted(products, reverse=True))
        self.assertIn("rounded", said)

    # By the pattern that the page stores, not by the terms that the sentence is made from.
    def test_a_head_looks_where_its_weight_is(self):
        self.open()
        said = self.script("""
            const { run, store, selection } = headlight.app, found = [];
            for (let head = 0; head < run.heads; ++head) {
              store.change({ layer: Math.floor(head / run.n_heads), head: head % run.n_heads, sequence: 0 });
              const terms = headlight.termsOf(headlight.app, run.sequences[0]).heads[head];
              const pattern = run.sequences[0].patterns.pattern(head);
              for (let query = 1; query < terms.positions; query += 3)
                for (let key = query % 2; key <= query; key += 2) {
                  const words = new headlight.PartWords(headlight.app);
                  const row = Array.from({ length: query + 1 }, (_, other) => pattern.weight(query, other));
                  const text = new headlight.Reason(headlight.app, terms, words, query).at(key);
                  found.push({ head: run.headCode(head), query, key, row, text });
                }
            }
            return found""")
        kinds = {"looks": 0, "less": 0, "hardly": 0, "even": 0}
        for cell in said:
            row, text, where = cell["row"], cell["text"], f"{cell['head']} {cell['query']} {cell['key']}"
            most, own = max(row), row[cell["key"]]
            best = f"at {row.index(most)} ‘"
            kind = ("even" if "at no key in particular" in text else "hardly" if "hardly looks" in text else
                    "less" if " less at " in text else "looks")
            kinds[kind] += 1
            if kind == "looks":
                self.assertGreater(own, 0.45 * most, where)
            if kind in ("hardly", "less"):
                self.assertLess(own, 0.06 if kind == "hardly" else 0.55 * most, where)
                self.assertIn(best, text.split("The attention logit")[0], where)
            if kind == "even":
                self.assertLess(most, 2.1 / len(row), where)
            else:
                self.assertIn("belongs to", text, where)
        self.assertTrue(all(kinds[kind] > 0 for kind in ("looks", "less", "hardly")), kinds)
        by = {code: [cell["text"] for cell in said if cell["head"] == code and "(attention weight" in cell["text"].split("The attention logit")[0] and " looks from" in cell["text"] and "hardly" not in cell["text"] and " less at " not in cell["text"]] for code in ("L0H1", "L1H0")}
        self.assertTrue(by["L0H1"] and all(re.search("belongs to its place, .* back", text) for text in by["L0H1"]), by["L0H1"][:2])
        self.assertTrue(by["L1H0"] and not any("place back" in text for text in by["L1H0"]), by["L1H0"][:2])

    def test_a_prediction_is_led_back_to_where_its_head_looks(self):
        self.open(part="predictions")
        query = self.script("return headlight.app.run.story.query")
        self.script("headlight.app.store.change({ query: arguments[0], locked: true })", query)
        said = self.one("#predictions-why p[role=status]").text
        found = re.search(r"From there L(\d)H(\d) looks most at (\d+) ‘.+’.* \(attention weight (\d\.\d\d)\)", said)
        self.assertIsNotNone(found, said)
        layer, head, key, weight = found.groups()
        row = self.script("const p = headlight.app.run.sequences[0].patterns.pattern(arguments[0]);"
                          "return Array.from({ length: arguments[1] + 1 }, (_, key) => p.weight(arguments[1], key))", 4 * int(layer) + int(head), query)
        self.assertEqual((int(key), weight), (row.index(max(row)), f"{max(row):.2f}"))

    def test_the_pressed_cell_stays_when_the_pointer_leaves(self):
        self.open()
        self.point("heads", 40, 21).click().perform()
        self.assertIn("key 21 ", self.text("heads-why"))
        self.point("heads", 40, 30).perform()
        self.assertIn("key 30 ", self.text("heads-why"))
        self.script("headlight.app.selection.hover(null, null, null)")
        self.assertIn("key 21 ", self.text("heads-why"))
        self.script("headlight.app.selection.press(40, 21)")
        self.assertIn("Click a cell", self.text("heads-why"))

    def test_with_heads_off_nothing_is_explained_by_the_whole_model(self):
        self.open()
        self.script("headlight.app.store.change({ query: 40, key: 21, locked: true, off: '4' })")
        self.assertIn("While something is changed", self.text("heads-why"))
        self.assertNotIn("belongs to", self.text("heads-why"))
        self.tab("predictions")
        self.assertIn("While something is changed", self.text("predictions-why"))
        self.script("headlight.app.store.change({ off: '' })")
        self.assertNotIn("While something is changed", self.text("predictions-why"))

    def test_other_sequences_say_that_they_have_no_table_and_offer_one_that_has(self):
        self.open()
        story = self.script("return headlight.app.run.story")
        for part in ("heads", "predictions"):
            self.open(part=part)
            self.script("headlight.app.store.change({ sequence: 3, query: 30, key: 10, locked: true })")
            what = "attention logits" if part == "heads" else "logits"
            self.assertIn(f"The {what} of this sequence are not taken apart here", self.text(f"{part}-why"))
            self.assertIn("only those of the first 3 sequences in the list are", self.text(f"{part}-why"))
            self.all(f"#{part}-why .go")[0].click()
            state = self.script("const { sequence, query, key, locked } = headlight.app.store.state; return [sequence, query, key, locked]")
            self.assertEqual(state, [0, story["query"], story["key"], True])
            self.assertNotEqual(self.rows(f"#{part}-why .terms"), [])
            self.assertEqual(self.all(f"#{part}-why .go"), [])

    def test_scores_of_each_sequence_become_its_weights(self):
        self.open()
        worst = self.script("""
            const { run } = headlight.app, known = run.sequences.filter((s) => s.terms);
            return known.map((s) => Math.max(...headlight.termsOf(headlight.app, s).heads.flatMap((terms, head) =>
              [9, 30, 63].map((i) => Math.max(...terms.keys(i).map((j) => Math.abs(terms.weight(i, j) - s.patterns.pattern(head).weight(i, j))))))))""")
        self.assertEqual(len(worst), 3)
        self.assertLess(max(worst), 1e-3)

    def test_bright_cells_of_the_first_copy_are_explained(self):
        self.open()
        bright = self.script("""
            const { run } = headlight.app, s = run.sequences[0], pattern = s.patterns.pattern(4);
            for (let i = 2; i < 12; ++i) for (let j = 0; j < i; ++j)
              if (pattern.weight(i, j) > 0.2 && s.tokens.indexOf(s.tokens[i]) === i) return [i, j]""")
        self.choose(1, 0, *bright)
        self.assertIn("has not come before, so L1H0 finds nothing here. Its attention weights must add up to 1 all the same", self.text("heads-why"))
        story = self.script("return headlight.app.run.story")
        self.choose(1, 0, story["query"], story["key"])
        self.assertNotIn("has not come before", self.text("heads-why"))
        self.choose(0, 1, *bright)
        self.assertNotIn("has not come before", self.text("heads-why"))

    def test_predictions_are_those_of_the_library(self):
        self.open(part="predictions")
        for exact in TERMS["logits"]:
            values = self.script("""
                const { run } = headlight.app;
                return headlight.termsOf(headlight.app, run.sequences[0]).logits.contributions(arguments[0], arguments[1])""", exact["position"], exact["token"])
            self.assertAlmostEqual(sum(v["value"] for v in values), exact["logit"], delta=1e-3 * max(1, abs(exact["logit"])))
            by_part = {self.name(v["part"]): v["value"] for v in values}
            for name, value in self.by_name(exact["by_source"]).items():
                self.assertAlmostEqual(by_part[name], value, delta=2e-3)

    def test_a_click_on_a_prediction_explains_it(self):
        self.open(part="predictions")
        self.script("headlight.app.store.change({ query: 10, locked: true })")  # in the first copy nothing is known: several guesses
        guesses = self.script("return headlight.app.run.sequences[0].guesses[10]")
        logits = []
        for i in range(2):
            self.all("#predictions-guesses button")[i].click()
            self.assertEqual(self.all("#predictions-guesses button")[i].get_attribute("aria-pressed"), "true")
            rows = self.rows("#predictions-why .terms")
            self.assertEqual(len(rows), 1 + 8 + 1 + 1)
            self.assertAlmostEqual(sum(number(row[2]) for row in rows[:-1]), number(rows[-1][2]), delta=0.06)
            logits.append(number(rows[-1][2]))
        self.assertAlmostEqual(logits[0] - logits[1], math.log(guesses[0][1] / guesses[1][1]), delta=0.03)
        self.script("headlight.app.store.change({ scale: 'paper' })")
        self.assertEqual(len(self.all("#predictions-guesses button")), len(self.all("#predictions-guesses tr")))

    def test_heads_of_other_stacks_have_no_table(self):
        self.open(CROSSED)
        self.choose(0, 0, 3, 2)
        self.assertNotEqual(self.rows("#heads-why .terms"), [])
        self.choose(5, 1, 3, 2)
        self.assertIn("no parts of attention logits of cross-attention", self.text("heads-why"))

    def test_pages_without_terms(self):
        self.open(HOSTILE)
        for block in ("heads-why", "heads-why-go"):
            self.assertFalse(self.one("#" + block).is_displayed(), block)
        self.open()
        self.spoil()
        self.script("headlight.app.run.circuits.no_terms = 'The terms would take 46 MB.'")
        self.choose(1, 0, 30, 20)
        self.assertIn("The terms would take 46 MB.", self.text("heads-why"))
        self.assertEqual(self.rows("#heads-why .terms"), [])

    def test_fits_a_phone(self):
        with self.screen(390, 844, "dark", phone=True):
            self.open()
            for part in ("heads", "predictions"):
                self.tab(part)
                self.choose(1, 0, 25, 6)
                self.assertTrue(self.one(f"#{part}-why .terms").is_displayed())
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)
                self.assertLessEqual(self.box(f"#{part}-why .terms")["right"], 390)


if __name__ == "__main__":
    unittest.main()
