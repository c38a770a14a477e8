"""What stands where: on the first screen, beside the pointer, and while the slider plays."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import DEMO, LARGE, REPORTS, SIZES, PageTest

DESK_AND_PHONE = ((1400, 1000), (390, 844))
# Where every part of the page stands, to half a pixel.
PLACES = """
    const seen = document.querySelectorAll("header *, #part-training, #part-training *");
    return [...seen].filter((e) => !e.closest("svg, tr, output, .caption, .chart p") && e.tagName !== "OPTION").map((e) => {
      const r = e.getBoundingClientRect();
      return [e.tagName + "#" + e.id + "." + e.className, ...[r.left, r.top, r.right, r.bottom].map((v) => Math.round(2 * v) / 2)];
    })"""

WHERE_TABS_STAND = """
    return [...document.querySelectorAll("nav button")].map((one) => {
      const { left, top } = one.getBoundingClientRect();
      return one.textContent + " " + left + " " + top;
    }).join()"""


class Test(PageTest):
    def test_the_tabs_stand_still(self):
        for width, height in SIZES.items():
            with self.screen(width, height, phone=width == 390):
                self.open(part="start")
                places = set()
                for part in ("start", "certificate", "heads", "predictions", "training", "circuits", "about"):
                    self.tab(part)
                    self.script("scrollTo(0, 0)")
                    places.add(self.script(WHERE_TABS_STAND))
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, part)
                self.assertEqual(len(places), 1, (width, places))

    def test_nothing_sticks_out_of_any_part_at_any_width(self):
        lab = REPORTS / "lab.html"
        self.open(lab if lab.exists() else DEMO, "start")
        parts = self.script("return [...document.querySelectorAll('nav button:not([hidden])')].map((one) => one.dataset.tab)")
        wider = []
        for width in range(320, 1601, 40):
            with self.screen(width, 900):
                for part in parts:
                    self.tab(part)
                    if self.script("return document.documentElement.scrollWidth") > width:
                        wider.append((width, part))
        self.assertEqual(wider, [])

    def test_what_a_part_needs_is_on_the_first_screen(self):
        with self.screen(1400, 1000):
            self.open()
            self.assertLessEqual(self.box("#part-heads .legend")["bottom"], 1000)
            self.assertGreater(self.box("#heads-tokens")["bottom"], self.box("#heads-map")["bottom"] - 60, "the lower left is blank")
            self.open(part="training")
            for element in ("#training-grid button:last-child", "#training-slider", "#training-layers"):
                self.assertLessEqual(self.box(element)["bottom"], 1000, element)

    def test_the_loss_is_large_and_seen_together_with_the_heads(self):
        for (width, height), least in zip(DESK_AND_PHONE, (450, 340)):
            with self.screen(width, height):
                self.open(part="training")
                self.script("document.querySelector('.slider').scrollIntoView()")
                loss = self.box("#training-first-chart svg")
                self.assertGreaterEqual(loss["right"] - loss["left"], least)
                for element in ("#training-first-chart svg", "#training-grid"):
                    self.assertLessEqual(self.box(element)["bottom"], height, element)

    def test_every_sequence_can_be_read_in_the_menu(self):
        with self.screen(1400, 1000):
            for part in ("heads", "predictions"):
                self.open(part=part)
                self.spoil()
                menu = f"document.querySelector('#part-{part} .sequence')"
                wide = self.script(f"const s = {menu}, w = s.offsetWidth; s.style.maxWidth = 'none'; return [w, s.offsetWidth]")
                self.assertEqual(wide[0], wide[1], part)

    # Where all stands with a cell chosen.
    def places(self):
        self.script("headlight.app.store.change({ query: 40, key: 21, locked: true });"
                    "document.getElementById('training-play').scrollIntoView({ block: 'center' })")
        return self.script(PLACES)

    def test_nothing_moves_while_playing(self):
        for width, height in DESK_AND_PHONE:
            with self.screen(width, height):
                self.open(part="training")
                before, button = self.places(), self.one("#training-play")
                button.click()
                self.assertEqual(button.text, "❚❚ Pause")
                self.assertEqual(self.script(PLACES), before)
                button.click()
                self.assertEqual(button.text, "▶ Play")
                for snapshot in (0, 12, 25, 39):
                    self.slide(snapshot)
                    self.assertEqual(self.script(PLACES), before, snapshot)

    def test_many_heads_and_small_cells(self):
        enlarged = lambda: self.one(".tip canvas").is_displayed()
        with self.screen(1400, 1000):
            self.open(LARGE, "training")
            before = self.places()
            for snapshot in (0, 1):
                self.slide(snapshot)
                self.assertEqual(self.script(PLACES), before, snapshot)
            self.tab("heads")
            self.script("headlight.app.store.change({ locked: false })")
            self.point("heads", 200, 100).perform()
            self.assertTrue(enlarged())
            self.open(REPORTS / "encoder.html")
            self.point("heads", 3, 1).perform()
            self.assertFalse(enlarged())

    def test_the_readout_stands_beside_the_pointer_and_on_the_screen(self):
        for width, height in DESK_AND_PHONE:
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
                    enlarged = self.one(".tip canvas").is_displayed()
                    self.assertGreaterEqual(max(down, across), 3 * cell["unit"] if enlarged else 0, at)  # not over what is around
                    self.assertLess(max(down, across), 50 if enlarged else 20, at)
                    said = self.one(".tip span").text
                    self.assertEqual(said, self.text("heads-readout"))
                    self.assertIn(f"query {query} ", said)

    def test_the_readout_leaves_with_the_pointer(self):
        self.open()
        self.point("heads", 30, 12).perform()
        tip = self.one(".tip")
        self.assertTrue(tip.is_displayed())
        self.actions().move_to_element(self.one("#run")).perform()
        self.assertFalse(tip.is_displayed())
        self.actions().move_to_element(self.all("#heads-tokens .token")[30]).perform()
        self.assertIn("query 30 ", tip.text)
        self.tab("about")
        self.assertFalse(tip.is_displayed())

    def test_the_readout_leaves_when_something_else_is_chosen(self):
        self.open()
        tip = self.one(".tip")
        choices = {"#heads-grid button": "button.click()", "#part-heads .term": "button.focus()", "[data-tab=about]": "button.click()",
                   "#run": "button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))"}
        for selector, choose in choices.items():
            self.script("headlight.app.store.change({ query: 40, key: 21, locked: true, place: 'finger' })")
            self.assertTrue(tip.is_displayed())
            self.script("const button = document.querySelector(arguments[0]); " + choose, selector)
            self.assertFalse(tip.is_displayed(), selector)
            self.tab("heads")
        self.script("document.getElementById('heads-map').focus(); headlight.app.store.change({ query: 40, key: 21, place: 'map' })")
        self.keys(Keys.ARROW_LEFT)
        self.assertFalse(tip.is_displayed())
        boxes = "return [...document.querySelectorAll('.tip, .definition')].filter(b => !b.hidden).map(b => b.className)"
        for number in (0, 1):  # one box at a time
            self.script("[...document.querySelectorAll('#heads-title ~ .lead dfn > .term')][arguments[0]].click()", number)
            self.assertEqual(self.script(boxes), ["definition"])
            self.script("headlight.app.store.change({ query: 40, key: 21, locked: true, place: 'map' })")
            self.assertEqual(self.script(boxes), ["tip glass"])

    def test_copies_of_the_segment_are_distinguished(self):
        for part in ("heads", "predictions"):
            self.open(part=part)
            looks = self.script("return [...document.querySelectorAll(`#${arguments[0]}-tokens .token`)].map(t =>"
                                " t.classList.contains('even') ? 0 : t.classList.contains('odd') ? 1 : 2)", part)
            self.assertEqual(looks, [t // 20 % 2 for t in range(64)])
            rows = self.all(f"#{part}-tokens .repeat")
            self.assertEqual([row.find_element(By.CLASS_NAME, "repeat-name").text for row in rows], ["1", "2", "3", "4"])
        even, odd = (self.script(f"return getComputedStyle(document.querySelector('.token.{turn}')).borderBottomStyle") for turn in ("even", "odd"))
        self.assertNotEqual(even, odd)

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

    def test_captions_are_short(self):
        for width, height in DESK_AND_PHONE:
            with self.screen(width, height):
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
        title = self.all("#training-grid button")[3].get_attribute("title")
        self.assertRegex(title, r"^Layer 0, head 3: previous.token.0\.\d\d")

    def test_colours_can_be_chosen_in_every_part(self):
        self.open(part="training")
        self.script("const s = document.querySelector('#part-training .scale'); s.value = 'paper'; s.dispatchEvent(new Event('change'))")
        self.assertEqual(self.script("return [...document.querySelectorAll('.scale')].map(s => s.value)"), ["paper"] * 3)


if __name__ == "__main__":
    unittest.main()
