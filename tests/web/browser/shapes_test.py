"""Patterns that are not causal: of an encoder (12 × 12), and from one sequence to another (6 × 10)."""

import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import DEMO, REPORTS, PageTest

ENCODER, CROSS = REPORTS / "encoder.html", REPORTS / "cross.html"


# As the pages are made: head, query, key.
def weight(h, i, j, keys):
    return (1 + (i + j * (h + 1)) % 3) / sum(1 + (i + k * (h + 1)) % 3 for k in range(keys))


class Test(PageTest):
    def tinted(self, identifier):
        return self.script("return [...document.querySelectorAll(`#${arguments[0]} .token`)].map((token) => token.style.background !== '')", identifier)

    def test_an_encoder_sees_later_tokens(self):
        self.open(ENCODER)
        self.assertIn("any token of the sequence", self.text("part-heads"))
        self.assertFalse(self.page.find_element(By.ID, "heads-keys").is_displayed())
        for query, key in ((2, 9), (9, 2), (11, 11)):
            self.point("heads", query, key).perform()
            letters = "abcdefghijkl"
            self.assertEqual(self.text("heads-readout"), f"query {query} ‘{letters[query]}’ → key {key} ‘{letters[key]}’: "
                                                         f"attention weight {weight(1, query, key, 12):.3f}")
        self.assertEqual(self.tinted("heads-tokens"), [True] * 12)
        self.script("headlight.app.store.change({ query: 2, key: 2 }); document.getElementById('heads-map').focus()")
        self.actions().key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
        self.assertIn("→ key 3 ", self.text("heads-readout"))

    def test_pictures_have_every_cell(self):
        cells = """
            const { run, look } = headlight.app, [part, head, queries, keys] = arguments, { map, grid } = headlight.app.parts[part];
            const small = grid.buttons[head].firstChild, pixels = new Uint32Array(small.getContext("2d").getImageData(0, 0, keys, queries).data.buffer);
            return { size: [small.width, small.height], pixels: [...pixels].map((p) => look.scale().pixels.indexOf(p)) }"""
        for file, queries, keys in ((ENCODER, 12, 12), (CROSS, 6, 10)):
            self.open(file)
            for part in ("heads", "training"):
                self.tab(part)
                for head in (0, 1):
                    drawn = self.script(cells, part, head, queries, keys)
                    self.assertEqual(drawn["size"], [keys, queries])
                    for at, level in enumerate(drawn["pixels"]):
                        self.assertLessEqual(abs(level - 255 * weight(head, at // keys, at % keys, keys)), 2)

    def test_a_key_that_is_not_seen_has_a_colour_of_its_own(self):
        grey = """
            const small = headlight.app.parts.heads.grid.buttons[0].firstChild, scale = headlight.app.look.scale();
            const copy = new OffscreenCanvas(small.width, 1).getContext("2d");
            copy.drawImage(small, 0, 0);
            const pixels = new Uint32Array(copy.getImageData(0, 0, small.width, 1).data.buffer);
            return [0, small.width - 1].map((last) => pixels[last] === scale.unseenPixel && !scale.pixels.includes(pixels[last]))"""
        self.open(DEMO)
        for scale, words in (("heat", "attention weight"), ("paper_powers", "attention weight, by powers of 10 (middle: 0.01)")):
            self.script("headlight.app.store.change({ scale: arguments[0] })", scale)
            self.assertIn(words, self.one("#part-heads .legend").text)
            self.assertEqual(self.script(grey), [False, True])
            self.assertIn("not seen", self.one("#part-heads .legend").text)
        self.open(ENCODER)
        self.assertEqual(self.script(grey), [False, False])
        self.assertNotIn("not seen", self.one("#part-heads .legend").text)

    def test_another_sequence_has_keys_of_its_own(self):
        self.open(CROSS)
        self.assertIn("any token of the other sequence", self.text("part-heads"))
        self.assertEqual(self.text("heads-keys").split(), list("zyxwvutsrq"))
        self.point("heads", 5, 9).perform()
        self.assertEqual(self.text("heads-readout"), f"query 5 ‘f’ → key 9 ‘q’: attention weight {weight(1, 5, 9, 10):.3f}")
        self.assertEqual(self.tinted("heads-tokens"), [False] * 6)
        self.assertEqual(self.tinted("heads-keys"), [True] * 10)
        self.all("#heads-tokens .token")[1].click()
        self.all("#heads-keys .token")[7].click()
        self.assertEqual(self.text("heads-readout"), f"query 1 ‘b’ (locked) → key 7 ‘s’: attention weight {weight(1, 1, 7, 10):.3f}")
        self.tab("training")
        self.point("training", 0, 8).click().perform()
        self.assertIn("(locked)", self.text("training-readout"))

    def test_the_saved_picture_has_both_axes(self):
        self.open(CROSS)
        svg = self.script("return headlight.app.parts.heads.picture().outerHTML")
        self.assertIn("M9 5h1v1h-1z", svg)
        for letter in "abcdefqrstuvwxyz":
            self.assertEqual(svg.count(f">{letter}</text>"), 1)
        self.assertIn('width="10" height="6"', svg)
        self.tab("predictions")
        reading = self.script("return headlight.app.parts.predictions.picture().outerHTML")
        self.assertIn(">z</text>", reading)

    def test_a_part_without_predictions(self):
        for file, keys in ((ENCODER, 12), (CROSS, 10)):
            self.open(file, "predictions")
            self.assertFalse(self.page.find_element(By.ID, "predictions-next").is_displayed())
            self.assertEqual(self.text("predictions-count"), "")
            self.all("#predictions-tokens .token")[2].click()
            self.assertIn("position 2 ‘c’ (locked)", self.text("predictions-readout"))
            tinted = "predictions-tokens" if file == ENCODER else "predictions-keys"
            self.assertEqual(self.tinted(tinted), [True] * keys)

    def test_metrics_that_were_not_measured_are_left_out(self):
        self.open(ENCODER, "training")
        titles = [title.text for title in self.all(".chart:not([hidden]) h4")]
        self.assertEqual(titles, ["Loss, in nats", "Previous-token score", "Induction score"])
        notes = "return [...document.querySelectorAll('.chart:not([hidden]) p')].map(p => p.textContent)"
        self.assertEqual(self.script(notes), ["", "", ""])
        self.slide(0)
        self.assertEqual(self.script(notes), ["predictable 2.50", "L0H1 0.10", "L0H1 0.30"])


if __name__ == "__main__":
    unittest.main()
