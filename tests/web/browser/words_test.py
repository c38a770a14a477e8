"""Words and numbers from a stranger's run: they are shown, and nothing else."""

import unittest

from page import DEMO, REPORTS, PageTest

WORDS = REPORTS / "words.html"
PARTS = ("heads", "predictions", "training", "certificate", "about")
PAGES = (DEMO, WORDS, REPORTS / "compared.html", REPORTS / "course.html")


class Test(PageTest):
    def check(self):
        self.assertTrue(self.page.title.startswith("Headlight: </script><script>document.title='run'"), self.page.title)
        names = self.script("return [...new Set([...document.querySelectorAll('*')].map((e) => e.tagName.toLowerCase()))]")
        for name in ("img", "iframe", "object", "embed", "form", "base"):
            self.assertNotIn(name, names)
        self.assertEqual(self.script("return [document.scripts.length, document.querySelectorAll('style').length]"), [2, 1])
        self.assertEqual(self.script("return [...document.querySelectorAll('*')].flatMap((e) => [...e.attributes])"
                                     ".filter((a) => a.name.startsWith('on') || /^(href|src|action)$/.test(a.name) && a.value !== 'data:,').length"), 0)
        # What turns the direction of writing around, or has no look, is named.
        self.assertFalse(self.script(r"return /[\u202a-\u202e\u2066-\u2069\u0000\u001b]/.test(document.querySelector('main').innerText)"))

    def test_every_part_shows_them_as_text_and_every_control_works(self):
        self.open(WORDS)
        for part in PARTS:
            self.tab(part)
            self.check()
            self.assertTrue(self.script("return document.getElementById('part-' + arguments[0]).offsetHeight > 0", part), part)
            self.script("""
                const all = (kind) => [...document.querySelectorAll("#part-" + arguments[0] + " " + kind)];
                for (const button of all("button").slice(0, 60)) if (!/^(SVG|PNG):/.test(button.ariaLabel)) button.click();
                for (const option of [1, 0]) for (const s of all("select")) {
                  s.selectedIndex = option;
                  s.dispatchEvent(new Event("change"));
                }""", part)
            self.check()

    def test_tokens_that_a_script_knows_are_tokens(self):
        self.open(WORDS)
        tokens = self.script("return [...document.querySelectorAll('#heads-tokens .token')].map((t) => t.textContent)")
        for word in ("__proto__", "constructor", "toString", "hasOwnProperty", "javascript:alert(1)", "]]>", "&lt;", "\\", "*head*", "U+200F"):
            self.assertIn(word, tokens)
        self.assertIn("x" * 10000, tokens)

    def test_no_number_breaks_a_chart(self):
        self.open(WORDS, "training")
        shapes = self.script("return [...document.querySelectorAll('#training-charts svg *')].flatMap((e) => [...e.attributes].map((a) => a.value))")
        self.assertGreater(len(shapes), 100)
        self.assertEqual([value for value in shapes if "NaN" in value or "Infinity" in value or "undefined" in value], [])

    def test_a_phone_needs_no_sideways_scrolling(self):
        with self.screen(390, 844, phone=True):
            self.open(WORDS)
            for part in PARTS:
                self.tab(part)
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390, part)

    def test_no_page_allows_more_than_its_own_script_and_style(self):
        for file in PAGES:
            self.page.get(file.as_uri())
            policy = self.one("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
            self.assertTrue(policy.startswith("default-src 'none'; style-src 'sha256-"), policy)
            for word in ("unsafe", "http", "*", "self", "eval"):
                self.assertNotIn(word, policy.replace("sha256", ""))
            self.assertTrue(self.script("return getComputedStyle(document.body).maxWidth").endswith("px"))  # the style was let in


if __name__ == "__main__":
    unittest.main()
