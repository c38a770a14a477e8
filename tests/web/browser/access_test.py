"""No serious fault of accessibility, as axe-core finds them."""

import os
import pathlib
import unittest

from selenium.webdriver.support.ui import WebDriverWait

from page import REPORTS, PageTest

AXE = pathlib.Path(os.environ["AXE"])
FAULTS = """
    const done = arguments[1];
    axe.run(document.querySelector(arguments[0]), { resultTypes: ["violations"], preload: false })
      .then(({ violations }) => done(violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).slice(0, 3).join("; "))))"""
CHOOSE = "headlight.app.store.change({ query: 40, key: 21, locked: true, off: arguments[0] })"
LINEAR = """
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = (rgb) => rgb.reduce((sum, v, i) => sum + linear(v / 255) * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = (...colours) => {
      const [low, high] = colours.map(light).sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };"""


class Test(PageTest):
    def faults(self, part="html"):
        if not self.script("return 'axe' in window"):
            self.script(AXE.read_text() + "; window.axe = axe;")
        return self.page.execute_async_script(FAULTS, part)

    # All parts, one below the other, each as it looks when it is chosen.
    def check(self, width, height, theme):
        with self.screen(width, height, theme, phone=width == 390):
            self.open()
            self.spoil()
            for part in ("start", "certificate", "heads", "predictions", "training", "circuits", "about"):
                self.tab(part)
                self.script(CHOOSE, "1,4")
            self.tab("heads")
            self.script("document.querySelectorAll('main section').forEach((part) => part.classList.add('shown'));"
                        "document.querySelector('#part-heads .term').focus()")
            self.assertEqual(self.faults(), [], (width, theme))

    def test_no_serious_fault_on_a_phone(self):
        self.check(390, 844, "light")

    def test_no_serious_fault_on_a_desk(self):
        self.check(1400, 1000, "dark")

    def test_no_serious_fault_of_other_pages(self):
        for name, theme in (("cross.html", "light"), ("words.html", "light"), ("compared.html", "light"), ("course.html", "dark")):
            with self.screen(1400, 1000, theme):
                self.page.get((REPORTS / name).as_uri() + "#predictions")
                self.assertEqual(self.faults(), [], name)

    @unittest.skipUnless((REPORTS / "book.html").exists(), "pandoc is not installed")
    def test_no_serious_fault_of_chapters_with_live_figures(self):
        self.page.get((REPORTS / "book.html").as_uri())
        for lesson in ("01", "03", "07", "10", "14", "09"):
            self.script("location.hash = 'lesson-' + arguments[0]", lesson)
            WebDriverWait(self.page, 10).until(lambda page: self.one("article.open").get_attribute("id") == "lesson-" + lesson)
        # axe-core reads the whole document: one chapter stays, with the figures of all.
        figures = self.script("""
            const open = document.querySelector("article.open"), figures = [...document.querySelectorAll("figure.live:not(:empty)")];
            open.append(...figures.filter((figure) => !open.contains(figure)));
            for (const chapter of document.querySelectorAll("article:not(.open)")) chapter.remove();
            return figures.length""")
        self.assertEqual(figures, 8)
        for width, theme in ((390, "light"), (1400, "dark")):
            with self.screen(width, 900, theme, phone=width == 390):
                self.assertEqual(self.faults("article.open"), [], (width, theme))

    def test_every_row_of_a_table_has_a_heading(self):
        self.open()
        for part in ("certificate", "predictions", "heads", "about"):
            self.tab(part)
            self.script(CHOOSE, "")
            rows = self.script("return [...document.querySelectorAll('tbody tr')].filter((r) => r.getClientRects().length > 0)"
                               ".map((r) => [r.closest('section').id, r.firstChild.tagName, r.firstChild.scope])")
            self.assertGreater(len(rows), 0, part)
            self.assertEqual([row for row in rows if row[1:] != ["TH", "row"]], [], part)

    def test_texts_in_charts_and_on_tiles_can_be_read(self):
        for theme in ("light", "dark"):
            with self.screen(1400, 1000, theme):
                self.open(part="training")
                texts, tiles = self.script(LINEAR + """
                    const rgb = (css) => css.match(/\\d+/g).slice(0, 3).map(Number), hex = (css) => css.match(/\\w\\w/g).map((h) => parseInt(h, 16));
                    const paper = rgb(getComputedStyle(document.body).backgroundColor);
                    const texts = [...document.querySelectorAll(".chart text")].map((t) => [contrast(rgb(getComputedStyle(t).fill), paper), t.textContent]);
                    const tiles = Array.from({ length: 256 }, (_, level) => headlight.app.look.tint(level / 255));
                    return [texts, tiles.map(({ background, color }) => contrast(hex(background), hex(color)))]""")
                self.assertGreater(len(texts), 20)
                self.assertEqual([text for text in texts if text[0] < 4.5], [], theme)
                self.assertGreaterEqual(min(tiles), 4.5, theme)

    def test_the_parts_say_which_is_shown(self):
        self.open(part="training")
        self.assertEqual([c.text for c in self.all("nav [aria-current=page]")], ["Training"])
        self.assertEqual([b.text for b in self.all("nav button:not([hidden])")],
                         ["Start", "Certificate", "Heads", "Predictions", "Training", "Circuits", "About"])


if __name__ == "__main__":
    unittest.main()
