"""The page of the course: its map, and sheets to print."""

import base64
import re
import unittest

from page import REPORTS, PageTest

COURSE = REPORTS / "course.html"


class Test(PageTest):
    def pages(self):
        pdf = self.page.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
        return len(re.findall(rb"/Type\s*/Page[^s]", base64.b64decode(pdf)))

    def test_each_part_prints_on_one_sheet(self):
        self.page.get(COURSE.as_uri())
        parts = self.script("return document.querySelectorAll('.part').length")
        self.assertGreaterEqual(parts, 3)
        self.assertEqual(self.pages(), 1 + parts)  # the map, and a sheet for each
        self.script("const p = document.querySelector('.part .lessons'); p.innerHTML += p.innerHTML.repeat(3)")
        self.assertGreater(self.pages(), 1 + parts, "a longer part would take two")

    # Also where every part is solved, which makes the longest line.
    def test_the_words_of_the_map_stay_inside_their_boxes(self):
        self.page.get(COURSE.as_uri())
        outside = self.script("""
            const boxes = [...document.querySelectorAll('.map svg rect')].slice(1).map((rect) => rect.getBBox());
            const outside = [];
            for (const text of document.querySelectorAll('.map svg text')) {
              text.textContent = text.textContent.replace(/ min$/, ' min · 7/7 solved ✓');
              const { x, y, width, height } = text.getBBox();
              const box = boxes.find((one) => x > one.x && x < one.x + one.width && y > one.y && y < one.y + one.height);
              if (box && (x + width > box.x + box.width - 4 || y + height > box.y + box.height)) outside.push(text.textContent);
            }
            return outside""")
        self.assertEqual(outside, [])

    def test_it_fits_a_phone(self):
        with self.screen(390, 844, phone=True):
            self.page.get(COURSE.as_uri())
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)
            self.assertEqual(self.script("return document.querySelectorAll('.map svg rect').length"),
                             1 + self.script("return document.querySelectorAll('.part section').length"))


if __name__ == "__main__":
    unittest.main()
