"""The terms of the glossary in the text: by mouse, by keyboard, in every part."""

import json
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import PageTest


class Test(PageTest):
    def term(self, name):
        return next(t for t in self.all("#part-heads .term") if t.text == name)

    def definition(self):
        box = self.one(".definition")
        return box.text if box.is_displayed() else ""

    def test_terms_by_mouse(self):
        self.open()
        to = lambda element: self.actions().move_to_element(element).perform()
        to(self.term("query"))
        to(self.one("#run"))  # only passes over it
        time.sleep(0.4)
        self.assertEqual(self.definition(), "")
        to(self.term("query"))
        time.sleep(0.4)
        self.assertRegex(self.definition(), "^query: ")
        to(self.one(".definition"))
        time.sleep(0.4)
        self.assertRegex(self.definition(), "^query: ")
        self.one(".definition .term").click()
        self.assertNotRegex(self.definition(), "^(query: |$)")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.definition(), "")
        self.script("document.activeElement.blur()")
        to(self.term("query"))
        to(self.one("#run"))
        time.sleep(0.4)
        self.assertEqual(self.definition(), "")
        self.term("query").click()
        to(self.one("#run"))
        time.sleep(0.4)
        self.assertRegex(self.definition(), "^query: ")
        self.one("#run").click()
        self.assertEqual(self.definition(), "")

    def test_terms_by_keyboard(self):
        self.open()
        term = self.term("query")
        self.script("arguments[0].focus()", term)
        self.assertRegex(self.definition(), "^query: ")
        self.assertEqual(term.get_attribute("aria-expanded"), "true")
        described = self.page.find_element(By.ID, term.get_attribute("aria-describedby")).get_attribute("textContent")
        self.assertEqual("query: " + described, self.definition())
        self.keys(Keys.TAB)
        self.assertEqual(self.page.switch_to.active_element.text, "key")  # the next term of the text
        self.script("arguments[0].focus()", term)
        self.keys(Keys.ENTER, Keys.TAB)
        inner = self.page.switch_to.active_element
        self.assertTrue(self.script("return !!arguments[0].closest('.definition')", inner))
        name = inner.text.rstrip("s")
        self.keys(Keys.ENTER)
        self.assertRegex(self.definition(), "^" + name)
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.definition(), "")
        self.assertEqual(self.page.switch_to.active_element, term)
        self.assertEqual(term.get_attribute("aria-expanded"), "false")
        self.keys(Keys.ENTER)
        self.assertRegex(self.definition(), "^query: ")
        self.keys(Keys.ENTER)
        self.assertEqual(self.definition(), "")

    def test_terms_in_the_text_of_every_part(self):
        self.open(part="training")
        self.assertEqual(self.script("return [...document.querySelectorAll('dfn')].filter(d => !d.querySelector('.term')).length"), 0)
        self.assertEqual({t.text for t in self.all("#part-training dfn .term")}, {"snapshot", "head", "loss", "period"})
        term = self.one(".chart h4 .term")
        self.assertEqual(term.text, "nats")
        term.click()
        self.assertRegex(self.definition(), "^nat: ")
        self.tab("about")
        self.assertEqual([t.text for t in self.all("#about-results .term")], ["nats"] * 5)

    def test_heads_have_no_numbers_that_read_as_scores(self):
        self.open()
        for part in ("predictions", "training", "heads", "about"):
            self.tab(part)
            self.assertNotRegex(self.script("return document.body.innerText"), r"(?i)head \d\.\d")
        data = json.loads(self.script("return document.getElementById('data').textContent"))
        rows = self.script("return [...document.querySelectorAll('#about-settings tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")
        self.assertEqual(rows, [[name, value, meaning.replace("*", "")] for name, value, meaning in data["settings"]])
        for text in (data["task"]["what"], data["task"]["success"], data["task"]["look_for"]):
            self.assertIn(text.replace("*", ""), self.text("part-about"))


if __name__ == "__main__":
    unittest.main()
