"""The part Circuits: heads as a graph, and a head's matrices over the vocabulary."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import REPORTS, PageTest

CROSSED, HOSTILE, TEXT = REPORTS / "crossed" / "report.html", REPORTS / "hostile.html", REPORTS / "text" / "report.html"
ONE = REPORTS / "one" / "report.html"
SLIDE = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"


class Test(PageTest):
    def set(self, identifier, value):
        self.script(SLIDE, self.page.find_element(By.ID, identifier), value)

    def open(self, file=None, part="circuits"):
        super().open(*([file] if file else []), part=part)

    def test_the_strongest_edge_is_from_the_previous_token_head_to_an_induction_head(self):
        self.open()
        kinds = self.script("const { run } = headlight.app; return run.scores.map((s) => run.scoreTable.describe(s, run.found).role)")
        strongest = self.script("return headlight.app.parts.circuits.graph.edges(0, 1)[0]")
        self.assertEqual([kinds[strongest["from"]], kinds[strongest["to"]]], ["previous-token head", "induction head"])
        code = lambda head: f"L{head // 4}H{head % 4}"
        self.assertIn(f"Strongest: From {code(strongest['from'])} into the keys of {code(strongest['to'])}, with a strength", self.text("circuits-strongest"))

    def test_the_slider_and_the_choice_change_the_edges(self):
        self.open()
        for reads in (0, 2):
            self.set("circuits-reads", reads)
            above = sorted(self.script("return headlight.app.run.circuits.edges.map(([, , ratio, baseline]) => ratio[arguments[0]] - baseline[arguments[0]])", reads))
            for share in (0, 0.3, 1):
                self.set("circuits-least", share)
                expected = [a for a in above if a > 0 and a >= share * max(above[-1], 0.1) - 1e-12]
                self.assertEqual(len(self.all("#circuits-graph .edge")), len(expected))
                self.assertTrue(self.text("circuits-shown").endswith(f": {len(expected)} {'line' if len(expected) == 1 else 'lines'} of 16"))

    def test_an_edge_shows_its_numbers(self):
        self.open()
        self.set("circuits-least", 0)
        reach = self.all("#circuits-graph .edge")[-1]
        self.script("arguments[0].focus()", reach)
        said = self.text("circuits-readout")
        from_, to, ratio, baseline = self.script("""
            return headlight.app.run.circuits.edges.reduce((a, b) => (b[2][1] - b[3][1] > a[2][1] - a[3][1] ? b : a))""")
        self.assertEqual(said, f"From L0H{from_} into the keys of L1H{to % 4}, with a strength of {ratio[1]:.2f}. "
                               f"Between random matrices of this size it is {baseline[1]:.2f}.")
        widths = [float(line.get_attribute("stroke-width")) for line in self.all("#circuits-graph .line")]
        self.assertEqual(widths, sorted(widths))  # the strongest is drawn last, on top
        self.assertEqual(widths[-1], 9)

    def test_a_head_is_chosen_by_keyboard_and_click(self):
        self.open()
        node = self.one("[data-head='6']")
        self.script("arguments[0].focus()", node)
        self.actions().send_keys(Keys.ENTER).perform()
        self.assertIn("L1H2", self.text("circuits-name"))
        self.assertEqual(self.script("return document.activeElement.dataset.head"), "6")
        self.one("[data-head='1'] .code").click()
        self.assertIn("L0H1", self.text("circuits-name"))
        self.assertFalse(self.page.find_element(By.ID, "circuits-keys").is_displayed())  # no earlier head writes its keys

    def test_the_distance_turns_the_queries(self):
        self.open()
        self.script("headlight.app.selection.chooseHead(4); headlight.app.store.change({ through: false })")
        for distance in (0, 5, 63):
            self.set("circuits-distance", distance)
            difference = self.script("""
                const { run, parts } = headlight.app, distance = arguments[0], { qk: [q, k] } = parts.circuits.decoded(4), V = 64, d = 16, shown = parts.circuits.qk.matrix;
                let worst = 0;
                for (let i = 0; i < V; i += 9)
                  for (let j = 0; j < V; j += 5) {
                    let score = 0;
                    for (let c = 0; c < d / 2; ++c) {  // pairs c and c + d/2, by the angle of rotary positions
                      const angle = distance * 10000 ** ((-2 * c) / d), [a, b] = [q.values[i * d + c], q.values[i * d + c + d / 2]];
                      score += (a * Math.cos(angle) - b * Math.sin(angle)) * k.values[c * V + j] + (a * Math.sin(angle) + b * Math.cos(angle)) * k.values[(c + d / 2) * V + j];
                    }
                    worst = Math.max(worst, Math.abs(score - shown[i * V + j]));
                  }
                return worst""", distance)
            self.assertLess(difference, 1e-4)
        self.assertEqual(self.text("circuits-far"), "63 back")

    def test_the_readout_names_the_cell_under_the_pointer(self):
        self.open()
        self.script("headlight.app.selection.chooseHead(4)")
        for name in ("qk", "ov"):
            element = self.page.find_element(By.ID, "circuits-" + name)
            self.script("arguments[0].scrollIntoView({ block: 'center' })", element)
            self.script("arguments[0].focus()", element)
            x, y, width, height = self.script("""
                const map = headlight.app.parts.circuits[arguments[0]], box = arguments[1].getBoundingClientRect();
                return [map.left + 7.5 * map.unit, map.top + 3.5 * map.unit, box.width, box.height]""", name, element)
            self.actions().move_to_element_with_offset(element, x - width / 2, y - height / 2).perform()
            value = self.script("return headlight.app.parts.circuits[arguments[0]].matrix[3 * 64 + 7]", name)
            said = self.text(f"circuits-{name}-readout").replace("−", "-")
            self.assertIn("‘D’", said)
            self.assertIn("‘H’", said)
            self.assertAlmostEqual(float(said.split()[-1]), value, delta=0.0051)
            self.actions().key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
            self.assertIn("‘E’", self.text(f"circuits-{name}-readout"))

    def test_the_induction_head_copies_and_finds_what_the_previous_token_head_wrote(self):
        self.open()
        self.script("const { run, store } = headlight.app; headlight.app.selection.chooseHead(run.story.layer * 4 + run.story.head)")
        self.assertIn("on a scale from \u22121 to 1. It is made of the matrix's eigenvalues", self.text("circuits-ov-words"))
        matched = [int(self.text("circuits-qk-words").split("elsewhere. In ")[1].split()[0])]
        self.script("headlight.app.store.change({ through: false })")
        matched.append(int(self.text("circuits-qk-words").split("elsewhere. In ")[1].split()[0]))
        self.assertGreater(matched[0], 5 * max(1, matched[1]))  # of 64 rows; 1 by chance

    # The mean over all pairs of tokens at a distance, from the matrix that the page draws at this distance.
    def test_scores_by_position_are_means_over_tokens(self):
        self.open(part="circuits")
        self.script("headlight.app.store.change({ layer: 0, head: 1, through: false })")
        means = self.script("""
            const { circuits } = headlight.app.parts, circuit = circuits.decoded(1);
            return Array.from({ length: 64 }, (_, d) => circuits.scores(circuit, false, d).reduce((sum, x) => sum + x, 0) / 64 ** 2)""")
        shown = self.script("return Array.from(headlight.app.parts.circuits.positions.map.matrix)")
        for query, key in ((0, 0), (1, 0), (40, 39), (40, 7), (63, 0)):
            row = [means[query - k] for k in range(query + 1)]
            self.assertAlmostEqual(shown[query * 64 + key], means[query - key] - sum(row) / len(row), delta=1e-6)
        self.assertIsNone(shown[5 * 64 + 6])  # NaN: not seen
        self.assertEqual(max(range(41), key=lambda k: shown[40 * 64 + k]), 39)  # the previous-token head
        self.assertIn("With rotary positions only the distance counts", self.text("circuits-positions-words"))

    def test_biases_and_vectors_of_positions_are_drawn(self):
        self.open()
        self.spoil()
        drawn = self.script("""
            const { run, store, selection } = headlight.app, pack = (shape, levels) => ({ shape, steps: [0.5], data: btoa(String.fromCharCode(...new Uint8Array(Int16Array.from(levels).buffer))) });
            const n = run.sequences[0].tokens.length, map = headlight.app.parts.circuits.positions.map, { head } = selection;
            run.sequences[0].terms.heads[head].bias = pack([2 * n - 1], Array.from({ length: 2 * n - 1 }, (_, i) => n - 1 - i));
            store.change({ view: "anew" });
            const bias = [map.texts.length, map.matrix[2 * n], map.matrix[2 * n + 2]];
            run.circuits.heads[head].known = undefined;
            run.circuits.heads[head].positions = [pack([2, 1], [2, 4]), pack([1, 2], [6, 2])];
            store.change({ view: "and anew" });
            return [bias, map.texts.length, Array.from(map.matrix)]""")
        self.assertEqual(drawn, [[64, -0.5, 0.5], 2, [0, None, 2, -2]])

    def test_other_models(self):
        self.open(CROSSED)
        self.assertEqual(len(self.all("#circuits-graph .node")), 4)
        self.script("headlight.app.selection.chooseHead(9)")
        self.assertIn("not defined for heads of cross-attention", self.text("circuits-strongest"))
        self.assertTrue(self.page.find_element(By.ID, "circuits-ov").is_displayed())
        self.assertFalse(self.page.find_element(By.ID, "circuits-distance").is_displayed())
        self.script("headlight.app.selection.chooseHead(5)")
        self.assertFalse(self.page.find_element(By.ID, "circuits-ov").is_displayed())
        self.open(ONE)
        self.assertIn("With one layer", self.text("circuits-strongest"))

    def test_a_page_without_circuits_has_no_such_part(self):
        self.open(HOSTILE, "heads")
        self.assertFalse(self.one("[data-tab=circuits]").is_displayed())

    def test_fits_a_phone_and_prints(self):
        with self.screen(390, 844, "dark", phone=True):
            self.open()
            self.script("headlight.app.selection.chooseHead(4)")
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)
            for name in ("graph", "qk", "ov"):
                self.assertLessEqual(self.box("#circuits-" + name)["right"], 390)
        self.script("window.dispatchEvent(new Event('beforeprint'))")
        self.assertTrue(self.page.find_element(By.ID, "circuits-qk").is_displayed())
        # A printed column is narrower than the screen's, and nothing is drawn anew for it.
        narrow = self.script("""
            return [...document.querySelectorAll(".matrix")].map((matrix) => {
              matrix.style.width = "150px";
              const canvas = matrix.firstChild, box = canvas.getBoundingClientRect();
              return [box.height / box.width, canvas.height / canvas.width];
            })""")
        for drawn, own in narrow:
            self.assertAlmostEqual(drawn, own, delta=0.02)
        self.script("window.dispatchEvent(new Event('afterprint'))")


if __name__ == "__main__":
    unittest.main()
