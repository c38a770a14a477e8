"""What stands where: on the first screen, beside the pointer, and while the slider plays."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import DEMO, LARGE, REPORTS, PageTest
from story_test import SIZES

# Where every part of the page stands, to half a pixel.
PLACES = """
    const seen = document.querySelectorAll("header *, #part-training, #part-training *");
    return [...seen].filter((e) => !e.closest("svg, tr, output, .caption, .chart p") && e.tagName !== "OPTION").map((e) => {
      const r = e.getBoundingClientRect();
      return [e.tagName + "#" + e.id + "." + e.className, ...[r.left, r.top, r.right, r.bottom].map((v) => Math.round(2 * v) / 2)];
    })"""


class Test(PageTest):
    def test_the_story_fits_the_first_screen(self):
        for width, height in SIZES.items():
            with self.screen(width, height, phone=width == 390):
                self.open(part="certificate")
                for part in ("certificate", "heads", "predictions", "training", "about"):
                    self.script("scrollTo(0, 0)")
                    self.tab(part)
                    self.assert_fits(width, height, (width, part))

    def assert_fits(self, width, height, at):
        lowest = lambda answered, *elements: self.script("""
            headlight.app.store.change({ answered: arguments[0] });
            return Math.max(...arguments[1].map((element) => document.querySelector(element).getBoundingClientRect().bottom))""", answered, elements)
        self.assertLessEqual(lowest(None, "#verdict", "#story-picture", ".lookback", "#story-choices", "#story-long", "nav"), height, at)
        self.assertLessEqual(lowest(-1, ".lookback", "#story-answer", "#story-captions li:last-child", "#story-show", "nav"), height, at)
        self.script("headlight.app.store.change({ answered: null })")
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, at)

    def test_what_a_part_needs_is_on_the_first_screen(self):
        with self.screen(1400, 1000):
            self.open()
            self.assertLessEqual(self.box("#part-heads .legend")["bottom"], 1000)
            self.open(part="training")
            for element in ("#training-grid button:last-child", "#training-slider", "#training-layers"):
                self.assertLessEqual(self.box(element)["bottom"], 1000, element)

    def test_the_loss_is_large_and_seen_together_with_the_heads(self):
        for width, height, least in ((1400, 1000, 450), (390, 844, 340)):
            with self.screen(width, height):
                self.open(part="training")
                self.script("document.querySelector('.slider').scrollIntoView()")
                loss = self.box("#training-first-chart svg")
                self.assertGreaterEqual(loss["right"] - loss["left"], least)
                for element in ("#training-first-chart svg", "#training-grid"):
                    self.assertLessEqual(self.box(element)["bottom"], height, element)

    def test_every_sequence_can_be_read_in_the_menu(self):
        with self.screen(1400, 1000):
            self.open()
            for part in ("heads", "predictions"):
                self.tab(part)
                menu = f"document.querySelector('#part-{part} .sequence')"
                wide = self.script(f"const s = {menu}, w = s.offsetWidth; s.style.maxWidth = 'none'; return [w, s.offsetWidth]")
                self.assertEqual(wide[0], wide[1], part)

    def test_the_lower_left_is_not_blank(self):
        with self.screen(1400, 1000):
            self.open()
            self.assertGreater(self.box("#heads-tokens")["bottom"], self.box("#heads-map")["bottom"] - 60)

    def test_nothing_moves_while_playing(self):
        for file, width in ((DEMO, 390), (DEMO, 1400), (LARGE, 1400)):
            with self.screen(width, 1000):
                self.open(file, "training")
                self.script("headlight.app.store.change({ query: 40, key: 21, locked: true })")
                button = self.page.find_element(By.ID, "training-play")
                self.script("arguments[0].scrollIntoView({ block: 'center' })", button)
                before = self.script(PLACES)
                button.click()
                self.assertEqual(button.text, "❚❚ Pause")
                self.assertEqual(self.script(PLACES), before)
                button.click()
                self.assertEqual(button.text, "▶ Play")
                for snapshot in range(0, int(self.page.find_element(By.ID, "training-slider").get_attribute("max")) + 1, 3):
                    self.slide(snapshot)
                    self.assertEqual(self.script(PLACES), before, snapshot)

    def test_the_readout_stands_beside_the_pointer_and_on_the_screen(self):
        for width, height in SIZES.items():
            with self.screen(width, height):
                self.open()
                for query, key in ((63, 0), (63, 63), (0, 0), (30, 12)):
                    self.point("heads", query, key).perform()
                    tip, cell = self.box(".tip"), self.script(
                        "const r = headlight.app.parts.heads.map.rectOf(arguments[0], arguments[1]);"
                        "return { left: r.left, top: r.top, right: r.right, bottom: r.bottom, unit: r.right - r.left }", query, key)
                    at = (width, query, key, tip, cell)
                    self.assertTrue(tip["left"] >= 0 and tip["top"] >= 0 and tip["right"] <= width and tip["bottom"] <= height, at)
                    down = max(tip["top"] - cell["bottom"], cell["top"] - tip["bottom"])
                    across = max(tip["left"] - cell["right"], cell["left"] - tip["right"])
                    enlarged = self.page.find_element(By.CSS_SELECTOR, ".tip canvas").is_displayed()
                    self.assertGreaterEqual(max(down, across), 3 * cell["unit"] if enlarged else 0, at)  # not over what is around
                    self.assertLess(max(down, across), 50 if enlarged else 20, at)
                    said = self.page.find_element(By.CSS_SELECTOR, ".tip span").text
                    self.assertEqual(said, self.text("heads-readout"))
                    self.assertIn(f"query {query} ", said)

    def test_the_readout_leaves_with_the_pointer(self):
        self.open()
        self.point("heads", 30, 12).perform()
        tip = self.page.find_element(By.CSS_SELECTOR, ".tip")
        self.assertTrue(tip.is_displayed())
        self.actions().move_to_element(self.page.find_element(By.ID, "verdict")).perform()
        self.assertFalse(tip.is_displayed())
        token = self.page.find_elements(By.CSS_SELECTOR, "#heads-tokens .token")[30]
        self.actions().move_to_element(token).perform()
        self.assertIn("query 30 ", tip.text)
        self.tab("about")
        self.assertFalse(tip.is_displayed())

    def test_the_readout_leaves_when_something_else_is_chosen(self):
        self.open()
        self.tell_all()
        tip = self.page.find_element(By.CSS_SELECTOR, ".tip")
        choices = {"#heads-grid button": "button.click()", "#story .term": "button.focus()", "[data-tab=about]": "button.click()",
                   "#run": "button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))"}
        for selector, choose in choices.items():
            self.script("headlight.app.store.change({ query: 40, key: 21, locked: true, place: 'finger' })")
            self.assertTrue(tip.is_displayed())
            self.script("const button = document.querySelector(arguments[0]); " + choose, selector)
            self.assertFalse(tip.is_displayed(), selector)
            self.tab("heads")
        self.script("headlight.app.store.change({ query: 40, key: 21, place: 'map' })")
        self.keys(Keys.ARROW_LEFT)
        self.assertFalse(tip.is_displayed())

    def test_one_box_at_a_time(self):
        self.open()
        self.tell_all()
        boxes = "return [...document.querySelectorAll('.tip, .definition')].filter(b => !b.hidden).map(b => b.className)"
        self.script("document.querySelector('#story .term').click()")
        self.assertEqual(self.script(boxes), ["definition"])
        self.script("headlight.app.store.change({ query: 40, key: 21, locked: true, place: 'map' })")
        self.assertEqual(self.script(boxes), ["tip glass"])
        self.script("document.querySelectorAll('#story .term')[1].click()")
        self.assertEqual(self.script(boxes), ["definition"])

    def test_small_cells_are_enlarged(self):
        with self.screen(1400, 1000):
            self.open(LARGE)
            self.point("heads", 200, 100).perform()
            self.assertTrue(self.page.find_element(By.CSS_SELECTOR, ".tip canvas").is_displayed())
            self.open(REPORTS / "encoder.html")
            self.point("heads", 3, 1).perform()
            self.assertFalse(self.page.find_element(By.CSS_SELECTOR, ".tip canvas").is_displayed())

    def test_copies_of_the_segment_are_distinguished(self):
        self.open()
        for part in ("heads", "predictions"):
            self.tab(part)
            looks = self.script("return [...document.querySelectorAll(`#${arguments[0]}-tokens .token`)].map(t =>"
                                " t.classList.contains('even') ? 0 : t.classList.contains('odd') ? 1 : 2)", part)
            self.assertEqual(looks, [t // 20 % 2 for t in range(64)])
            rows = self.page.find_elements(By.CSS_SELECTOR, f"#{part}-tokens .repeat")
            self.assertEqual([row.find_element(By.CLASS_NAME, "repeat-name").text for row in rows], ["1", "2", "3", "4"])
        self.assertNotEqual(self.script("return getComputedStyle(document.querySelector('.token.even')).borderBottomStyle"),
                            self.script("return getComputedStyle(document.querySelector('.token.odd')).borderBottomStyle"))

    def test_every_curve_is_named(self):
        self.open(part="training")
        names = self.script("return [...document.querySelectorAll('#part-training .charts .chart')].map(c => [c.querySelectorAll('polyline').length,"
                            " [...c.querySelectorAll('text')].filter(t => t.style.fill).map(t => t.textContent)])")
        for curves, named in names:
            self.assertEqual(len(named), curves, named)
        self.assertEqual(set(names[0][1]), {f"L{layer}H{head}" for layer in (0, 1) for head in range(4)})
        self.assertEqual(self.text("training-layers").split("\n"), ["layer 0", "layer 1", "thick: the head chosen"])
        above, legend, below = (self.box(selector)["top"] for selector in
                                ("#training-first-chart", "#training-layers", "#training-charts .chart"))
        self.assertTrue(above < legend < below)
        self.assertIn("of this sequence only", self.text("training-sequence"))

    def test_an_axis_holds_all_values(self):
        self.open(part="training")
        loss = "document.querySelector('.chart svg')"
        highest = self.script(f"return Math.min(...[...{loss}.querySelectorAll('polyline')].flatMap(l => [...l.points].map(p => p.y)))")
        lines = self.script(f"return [...{loss}.querySelectorAll('.grid-line')].map(l => Number(l.getAttribute('y1')))")
        self.assertLess(min(lines), highest)

    def test_captions_are_short(self):
        for width in (390, 1400):
            with self.screen(width, 1000):
                self.open(part="training")
                for snapshot in (0, 39):
                    self.slide(snapshot)
                    lines = self.script("""
                        return [...document.querySelectorAll('#training-grid .caption')].map(c => {
                          const role = c.children[2], range = document.createRange();
                          range.selectNodeContents(role);
                          return [role.textContent, new Set([...range.getClientRects()].map(r => r.top)).size, c.scrollHeight <= c.clientHeight];
                        })""")
                    for role, count, fits in lines:
                        self.assertTrue(fits and count <= (1 if role == "no known kind" else 3), (width, role, count))
        title = self.page.find_elements(By.CSS_SELECTOR, "#training-grid button")[3].get_attribute("title")
        self.assertRegex(title, r"^Layer 0, head 3: previous.token.0\.\d\d")

    def test_what_is_saved_is_named(self):
        for part in ("heads", "predictions", "training"):
            self.open(part=part)
            for save in self.page.find_elements(By.CSS_SELECTOR, f"#part-{part} span.save"):
                self.assertRegex(save.text, r"^Save (this|all) (pattern|heads|sequence|chart): SVG PNG CSV$")

    def test_colours_can_be_chosen_in_every_part(self):
        self.open(part="training")
        self.script("const s = document.querySelector('#part-training .scale'); s.value = 'paper'; s.dispatchEvent(new Event('change'))")
        self.assertEqual(self.script("return [...document.querySelectorAll('.scale')].map(s => s.value)"), ["paper"] * 3)

    def test_tables_have_heads(self):
        self.open(part="predictions")
        heads = [[th.text for th in table.find_elements(By.CSS_SELECTOR, "thead th")]
                 for table in self.page.find_elements(By.CSS_SELECTOR, "#part-predictions table")]
        self.assertEqual(heads, [["token", "probability", "in the sequence"],
                                 ["what wrote it", "lowers | raises", "contribution"],
                                 ["head", "attention weights, first to last token", "looks most at", "weight", "then at", "weight"]])


if __name__ == "__main__":
    unittest.main()
