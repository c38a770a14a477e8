"""Pages of any kind and size: on screens, on paper, as files, and with texts that mean harm."""

import base64
import pathlib
import statistics
import unittest
import xml.dom.minidom

from selenium.webdriver.support.ui import WebDriverWait

from page import DEMO, LARGE, REPORTS, PageTest

HOSTILE = REPORTS / "hostile.html"


class Test(PageTest):
    def test_the_slider_draws_each_step_once(self):
        self.open(part="training")
        drawn, times = self.page.execute_async_script("""
            const done = arguments[0], { map, charts } = headlight.app.parts.training, slider = document.getElementById("training-slider"), drawn = [0, 0];
            const show = map.show, draw = charts[0].draw;
            map.show = function (...all) { ++drawn[0]; return show.apply(this, all); };
            charts[0].draw = function (...all) { ++drawn[1]; return draw.apply(this, all); };
            for (slider.value = 0; Number(slider.value) < 5; ++slider.value) slider.dispatchEvent(new Event("input"));
            const times = [], counted = [...drawn];
            Object.assign(map, { show });
            Object.assign(charts[0], { draw });
            const next = () => {
              if (times.length === 20) return done([counted, times]);
              const start = performance.now();
              slider.value = times.length;
              slider.dispatchEvent(new Event("input"));
              requestAnimationFrame(() => {  // painted right after this
                const painted = new MessageChannel();
                painted.port1.onmessage = () => { times.push(performance.now() - start); next(); };
                painted.port2.postMessage(null);
              });
            };
            next();""")
        self.assertEqual(drawn, [5, 0])  # five pictures, and no chart anew
        print(f"a step: on the screen in {statistics.median(times):.1f} ms (median), {sorted(times)[17]:.1f} ms (nine of ten)")

    def test_files_stay_small(self):
        self.assertLess(DEMO.stat().st_size, 2_200_000)
        self.assertLess(LARGE.stat().st_size, 20_000_000)

    def test_a_model_of_one_head(self):
        self.open(REPORTS / "one" / "report.html")
        for part in ("training", "predictions", "about"):
            self.tab(part)
        self.assertIn("No head has an induction score of 0.5", self.script("return document.getElementById('part-start').textContent"))

    def test_says_so_where_a_cell_stands_for_several_weights(self):
        self.open()
        self.assertIn("Each row adds up to 1.", self.text("part-heads"))
        self.open(REPORTS / "pooled.html")
        for part in ("training", "predictions", "heads"):
            self.tab(part)
            self.assertIn("each cell shows the largest of 2 × 2 attention weights", self.text("part-" + part))
        self.assertNotIn("Each row adds up to 1.", self.text("part-heads"))
        self.point("heads", 3, 1).perform()
        self.assertRegex(self.text("heads-readout"), "query 6–7 → key 2–3: largest attention weight 0.143")

    # Every kind of picture once, each in every format.
    def test_pictures_can_be_saved(self):
        self.open()
        folder = pathlib.Path(self.downloads.name)
        for part, save, words in (("heads", "heads-save", "Save this pattern: SVG PNG CSV"), ("heads", "heads-grid-save", "Save all heads: SVG PNG CSV"),
                                  ("training", "training-charts", ""), ("predictions", "predictions-save", "Save this sequence: SVG PNG CSV")):
            self.tab(part)
            self.assertIn(words, self.text(save))
            before = set(folder.iterdir())
            self.script("""
                const buttons = [...document.getElementById(arguments[0]).querySelectorAll("button")];
                for (const kind of ["SVG", "PNG", "CSV"]) buttons.find((button) => button.textContent === kind).click()""", save)
            saved = lambda: {f.suffix: f for f in set(folder.iterdir()) - before if f.suffix in (".svg", ".png", ".csv") and f.stat().st_size > 0}
            WebDriverWait(self.page, 10).until(lambda _: len(saved()) == 3)
            self.assertTrue(saved()[".png"].read_bytes().startswith(b"\x89PNG"), save)
            self.assertTrue(saved()[".csv"].read_bytes().startswith(b"head,query,key,weight\n" if part == "heads" else b""), save)
            self.assertEqual(xml.dom.minidom.parse(str(saved()[".svg"])).documentElement.tagName, "svg")

    def test_hostile_tokens_are_only_text(self):
        self.open(HOSTILE)
        tokens = self.script("return [...document.querySelectorAll('#heads-tokens .token')].map((token) => token.textContent)")
        self.assertEqual(tokens[0], "</script><script>alert(1)</script>")
        self.assertEqual(tokens[1:8], ["\"'&<b>", "␣", "↵", "␀", "🙂", "<img␣src=x␣onerror=alert(2)>", "{{data}}"])
        self.assertEqual(tokens[8:12], ["U+2028", "�", "∅", "é"])
        self.assertEqual(tokens[15], "U+202E")
        self.assertEqual(self.page.title, "Headlight: </title><script>alert(4)</script>")
        self.assertEqual(self.script("return document.getElementById('verdict').textContent"), "Head 1.0 & <b>nothing</b> else.")
        for part in ("training", "predictions", "about"):
            self.tab(part)
        self.assertEqual((len(self.all("script")), self.all("img")), (2, []))

    def test_small_screens_need_no_sideways_scrolling(self):
        with self.screen(360, 740, phone=True):
            for file in (DEMO, LARGE, HOSTILE):
                self.open(file)
                for part in ("heads", "training", "predictions", "about"):
                    self.tab(part)
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 360, (file.parent.name, part))

    def test_follows_dark_screens(self):
        self.open()
        ground = "return getComputedStyle(document.body).backgroundColor"
        light = self.script(ground)
        self.theme("dark")
        self.assertNotEqual(self.script(ground), light)

    def test_prints_every_part(self):
        self.open()
        self.script("window.dispatchEvent(new Event('beforeprint'))")
        for part in ("heads", "training", "predictions", "about"):
            self.assertTrue(self.one("#part-" + part).is_displayed())
            if part in ("heads", "predictions"):
                self.assertTrue(self.one(f"#part-{part} .printed").get_attribute("textContent"))
        self.script("window.dispatchEvent(new Event('afterprint'))")
        self.assertFalse(self.one("#part-training").is_displayed())
        pdf = base64.b64decode(self.page.print_page())
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreaterEqual(pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page "), 4)
        self.assertFalse(self.script("return headlight.app.store.state.printing"))


if __name__ == "__main__":
    unittest.main()
