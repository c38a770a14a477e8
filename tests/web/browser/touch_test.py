"""The page under a finger, on a phone of 390 pixels."""

import time
import unittest

from page import PageTest


class Test(PageTest):
    def setUp(self):
        super().setUp()
        self.emulate(390, 844, phone=True)

    def touch(self, kind, x=None, y=None):
        points = [] if x is None else [{"x": x, "y": y}]
        self.page.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touch" + kind, "touchPoints": points})

    def tap(self, x, y):
        self.touch("Start", x, y)
        self.touch("End")
        time.sleep(0.1)

    def cell(self, query, key):
        self.script("document.getElementById('heads-map').scrollIntoView({ block: 'center' })")
        return self.script("const r = headlight.app.parts.heads.map.rectOf(arguments[0], arguments[1]);"
                           "return [(r.left + r.right) / 2, (r.top + r.bottom) / 2]", query, key)

    def test_a_finger_that_rests_moves_from_cell_to_cell(self):
        self.open()
        x, y = self.cell(40, 20)
        step = self.script("return headlight.app.parts.heads.map.unit")
        self.touch("Start", x, y)
        time.sleep(0.5)
        self.assertIn("query 40 ", self.text("heads-readout"))
        before = self.script("return scrollY")
        self.touch("Move", x + step, y + 8 * step)
        time.sleep(0.1)
        self.assertEqual(self.script("return scrollY"), before)
        glass, tip = self.one(".tip canvas"), self.box(".tip")
        self.assertTrue(glass.is_displayed())
        x, y = x + step, y + 8 * step
        self.assertTrue(tip["bottom"] <= y - 20 or tip["top"] >= y + 20 or tip["right"] <= x - 20 or tip["left"] >= x + 20)  # not under the finger
        self.touch("End")
        time.sleep(0.1)
        self.assertIn("query 48 ", self.text("heads-readout"))
        self.assertIn("(locked) → key 21 ", self.text("heads-readout"))

    def test_a_tap_locks_and_a_second_tap_unlocks(self):
        self.open()
        place = self.cell(40, 20)
        self.tap(*place)
        self.assertIn("(locked)", self.text("heads-readout"))
        self.assertTrue(self.one(".tip").is_displayed())
        time.sleep(0.5)
        self.tap(*place)
        self.assertNotIn("(locked)", self.text("heads-readout"))

    def test_a_tap_on_a_token_shows_its_readout_there(self):
        self.open()
        token = self.all("#heads-tokens .token")[45]
        self.script("arguments[0].scrollIntoView({ block: 'center' })", token)
        x, y = self.script("const r = arguments[0].getBoundingClientRect(); return [r.left + 5, r.top + 5]", token)
        self.tap(x, y)
        tip = self.box(".tip")
        self.assertIn("query 45 ", self.one(".tip").text)
        self.assertLess(min(abs(tip["top"] - y), abs(tip["bottom"] - y)), 40)

    def test_a_tap_on_a_small_head_shows_the_large_picture(self):
        for motion in ("reduce", "no-preference"):
            self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": motion}]})
            for part in ("heads", "training"):
                self.open(part=part)
                button = self.all(f"#{part}-grid button")[5]
                self.script("arguments[0].scrollIntoView({ block: 'end' })", button)
                box = self.box(f"#{part}-map")
                self.assertGreater(box["top"], 744)
                self.script("arguments[0].click()", button)
                if motion == "no-preference":
                    time.sleep(1)
                self.assertGreaterEqual(self.box(f"#{part}-map")["top"], 0)
                self.assertLessEqual(self.box(f"#{part}-map")["bottom"], 844)
        self.spoil()  # it may still be scrolling

    def test_terms_by_taps(self):
        self.open()
        term = self.all("#part-heads .term")[0]
        x, y = self.script("const r = arguments[0].getBoundingClientRect(); return [r.left + 5, r.top + 5]", term)
        box = self.one(".definition")
        self.tap(x, y)
        self.assertTrue(box.is_displayed())
        place = self.box(".definition")
        self.assertTrue(place["left"] >= 0 and place["right"] <= 390 and place["top"] >= y)
        time.sleep(0.4)
        self.tap(x, y)
        self.assertFalse(box.is_displayed())
        time.sleep(0.4)
        self.tap(x, y)
        self.assertTrue(box.is_displayed())
        self.tap(200, 30)
        self.assertFalse(box.is_displayed())

    def test_says_what_a_finger_can_do(self):
        for part in ("heads", "training"):
            self.open(part=part)
            said = self.one(f"#part-{part} .touch")
            self.assertTrue(said.is_displayed())
            self.assertFalse(self.one(f"#part-{part} .keys").is_displayed())


if __name__ == "__main__":
    unittest.main()
