"""No serious fault of accessibility, as axe-core finds them."""

import os
import pathlib
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from page import DEMO, LARGE, REPORTS, PageTest

AXE = pathlib.Path(os.environ["AXE"])
FAULTS = """
    const done = arguments[1];
    axe.run(document.querySelector(arguments[0])).then(({ violations }) => done(violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
      .map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).slice(0, 3).join("; "))))"""


class Test(PageTest):
    def faults(self, part="html"):
        if not self.script("return 'axe' in window"):
            self.script(AXE.read_text() + "; window.axe = axe;")
        return self.page.execute_async_script(FAULTS, part)

    # axe-core reads the whole document, whichever part it checks: the closed chapters are taken out meanwhile.
    def faults_of_open_chapter(self):
        self.script("""
            const open = document.querySelector("article.open");
            window.chapters = [...document.querySelectorAll("article")];
            window.chapters.filter((one) => one !== open).forEach((one) => one.remove());""")
        faults = self.faults("article.open")
        self.script("""
            const open = document.querySelector("article.open"), at = window.chapters.indexOf(open);
            open.before(...window.chapters.slice(0, at));
            open.after(...window.chapters.slice(at + 1));""")
        return faults

    def check(self, width, height, theme):
        with self.screen(width, height, theme, phone=width == 390):
            self.open()
            for part in ("certificate", "heads", "predictions", "training", "circuits", "about"):
                self.tab(part)
                self.script("headlight.app.store.change({ query: 40, key: 21, locked: true, off: '1,4' })")
                self.tell_all()
                self.script("document.querySelector('#story .term').focus()")
                self.assertEqual(self.faults(), [], (width, theme, part))

    def test_no_serious_fault_on_a_phone(self):
        self.check(390, 844, "light")

    def test_no_serious_fault_on_a_desk(self):
        self.check(1400, 1000, "dark")

    def test_no_serious_fault_of_other_pages(self):
        with self.screen(1400, 1000, "light"):
            for file in (LARGE, REPORTS / "own.html", REPORTS / "cross.html", REPORTS / "words.html"):
                self.open(file, "predictions")
                self.assertEqual(self.faults(), [], file.name)
        for name, theme in (("compared.html", "light"), ("course.html", "dark")):
            with self.screen(1400, 1000, theme):
                self.page.get((REPORTS / name).as_uri())
                self.assertEqual(self.faults(), [], name)

    @unittest.skipUnless((REPORTS / "book.html").exists(), "pandoc is not installed")
    def test_no_serious_fault_of_chapters_with_live_figures(self):
        self.page.get((REPORTS / "book.html").as_uri())
        for width, theme, lessons in ((390, "light", ("01", "07", "10")), (1400, "dark", ("03", "09", "14"))):
            with self.screen(width, 900, theme, phone=width == 390):
                for lesson in lessons:
                    self.script("location.hash = 'lesson-' + arguments[0]", lesson)
                    WebDriverWait(self.page, 10).until(lambda page: page.find_element(By.CSS_SELECTOR, "article.open").get_attribute("id") == "lesson-" + lesson)
                    self.assertEqual(self.faults_of_open_chapter(), [], (width, theme, lesson))

    def test_every_row_of_a_table_has_a_heading(self):
        for part in ("certificate", "predictions", "heads", "about"):
            self.open(part=part)
            self.script("headlight.app.store.change({ query: 40, key: 21, locked: true })")
            rows = self.script("return [...document.querySelectorAll('tbody tr')].filter((r) => r.getClientRects().length > 0)"
                               ".map((r) => [r.closest('section').id, r.firstChild.tagName, r.firstChild.scope])")
            self.assertGreater(len(rows), 0, part)
            self.assertEqual([row for row in rows if row[1:] != ["TH", "row"]], [], part)

    def test_texts_in_charts_can_be_read(self):
        for theme in ("light", "dark"):
            with self.screen(1400, 1000, theme):
                self.open(part="training")
                contrasts = self.script("""
                    const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
                    const light = (css) => css.match(/\\d+/g).slice(0, 3).reduce((sum, v, i) => sum + linear(Number(v)) * [0.2126, 0.7152, 0.0722][i], 0);
                    const paper = light(getComputedStyle(document.body).backgroundColor);
                    return [...document.querySelectorAll(".chart text")].map((t) => {
                      const [low, high] = [light(getComputedStyle(t).fill), paper].sort((a, b) => a - b);
                      return [(high + 0.05) / (low + 0.05), t.textContent];
                    })""")
                self.assertGreater(len(contrasts), 20)
                self.assertEqual([c for c in contrasts if c[0] < 4.5], [], theme)

    def test_every_tint_of_a_token_can_be_read(self):
        self.open()
        contrasts = self.script("""
            const { look } = headlight.app, light = (css) => css.match(/\\w\\w/g).map((h) => parseInt(h, 16) / 255)
              .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            return Array.from({ length: 256 }, (_, level) => {
              const { background, color } = look.tint(level / 255), [low, high] = [light(background), light(color)].sort((a, b) => a - b);
              return (high + 0.05) / (low + 0.05);
            })""")
        self.assertGreaterEqual(min(contrasts), 4.5)

    def test_the_parts_say_which_is_shown(self):
        self.open(part="training")
        current = self.page.find_elements(By.CSS_SELECTOR, "nav [aria-current=page]")
        self.assertEqual([c.text for c in current], ["Training"])
        self.assertEqual([b.text for b in self.page.find_elements(By.CSS_SELECTOR, "nav button:not([hidden])")],
                         ["Certificate", "Heads", "Predictions", "Training", "Circuits", "About"])


if __name__ == "__main__":
    unittest.main()
