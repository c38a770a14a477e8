"""The book of the lessons: its links, formulas, terms and search."""

import pathlib
import time
import unittest

from selenium.webdriver.common.by import By

from page import REPORTS, PageTest

BOOK = REPORTS / "book.html"


class Test(PageTest):
    def setUp(self):
        super().setUp()
        self.read("start")

    def read(self, place):
        self.page.get("about:blank")
        self.page.get(f"file://{BOOK}#{place}")

    def shown(self):
        return [article.get_attribute("id") for article in self.page.find_elements(By.TAG_NAME, "article") if article.is_displayed()]

    def test_every_link_leads_somewhere(self):
        missing = self.script("return [...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))"
                              ".filter((href) => !href.startsWith('#') || !document.getElementById(decodeURIComponent(href.slice(1))))")
        self.assertEqual(missing, [])
        self.assertEqual(self.script("return document.querySelectorAll('article').length"), 17)

    def test_a_link_opens_its_chapter_and_what_is_folded(self):
        self.assertEqual(self.shown(), ["start"])
        self.read("lesson-03-4-softmax")
        self.assertEqual(self.shown(), ["lesson-03"])
        self.assertLess(abs(self.script("return document.getElementById('lesson-03-4-softmax').getBoundingClientRect().top")), 200)
        self.read("lesson-09-answers-answers")
        self.assertTrue(self.script("return document.getElementById('lesson-09-answers').open"))
        self.assertEqual(self.script("return document.querySelector('nav [aria-current]').textContent"), "The backward pass of attention")

    def test_formulas_and_pictures_are_drawn(self):
        self.read("lesson-09")
        self.assertGreater(self.script("return document.querySelectorAll('#lesson-09 math').length"), 10)
        self.assertNotIn("\\frac", self.script("return document.body.innerText"))
        self.assertNotRegex(self.script("return [...document.querySelectorAll('article p')].map((p) => p.textContent).join(' ')"), r"\$[^$]+\$")
        time.sleep(0.3)
        broken = "return [...document.querySelectorAll('article.open img')].filter((i) => i.naturalWidth === 0).length"
        self.assertEqual(self.script(broken), 0)

    def test_a_term_says_what_it_means(self):
        self.read("lesson-03")
        term = next(one for one in self.page.find_elements(By.CSS_SELECTOR, "#lesson-03 .term") if one.text == "matrix" or one.text == "chain rule")
        self.script("arguments[0].scrollIntoView({ block: 'center' })", term)
        term.click()
        self.assertIn("chain rule: The slope of steps one after the other", self.script("return document.getElementById('meaning').innerText"))
        self.keys("\ue00c")
        self.assertFalse(self.page.find_element(By.ID, "meaning").is_displayed())

    def test_a_search_finds_sections(self):
        self.page.find_element(By.ID, "search").send_keys("causal mask")
        links = self.page.find_elements(By.CSS_SELECTOR, "#found a")
        self.assertGreater(len(links), 1)
        links[0].click()
        self.assertTrue(self.shown()[0].startswith("lesson-"))
        self.assertFalse(self.page.find_element(By.ID, "found").is_displayed())
        self.page.find_element(By.ID, "search").send_keys("zebra crossing")
        self.assertEqual(self.script("return document.getElementById('found').innerText"), "Nothing found")

    def test_a_phone_needs_no_sideways_scrolling(self):
        with self.screen(390, 844, phone=True):
            for lesson in range(1, 16):
                self.read(f"lesson-{lesson:02}")
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390, lesson)
            self.page.find_element(By.ID, "open-contents").click()
            self.assertTrue(self.page.find_element(By.ID, "contents").is_displayed())


if __name__ == "__main__":
    unittest.main()
