"""Pages of any kind and size: on screens, on paper, as files, and with texts that mean harm."""

import base64
import pathlib
import statistics
import unittest
import xml.dom.minidom

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from page import DEMO, LARGE, REPORTS, PageTest


FIRST_WORDS = {"heads": b"head,query,key,weight\n", "training": b"", "predictions": b""}  # of the numbers


class Test(PageTest):
    def test_the_slider_draws_each_step_once(self):
        for file in (DEMO, LARGE):
            self.open(file, "training")
            drawn = self.script("""
                const { map, charts } = headlight.app.parts.training, slider = document.getElementById("training-slider"), drawn = [0, 0];
                const show = map.show, draw = charts[0].draw;
                map.show = function (...all) { ++drawn[0]; return show.apply(this, all); };
                charts[0].draw = function (...all) { ++drawn[1]; return draw.apply(this, all); };
                for (slider.value = 0; Number(slider.value) < 5; ++slider.value) slider.dispatchEvent(new Event("input"));
                return drawn""")
            self.assertEqual(drawn, [5, 0])  # five pictures, and no chart anew
            times = self.page.execute_async_script("""
                const done = arguments[0], slider = document.getElementById("training-slider"), times = [];
                let snapshot = 0;
                const next = () => {
                  if (snapshot > Number(slider.max)) return done(times);
                  const start = performance.now();
                  slider.value = snapshot++;
                  slider.dispatchEvent(new Event("input"));
                  requestAnimationFrame(() => {  // painted right after this
                    const painted = new MessageChannel();
                    painted.port1.onmessage = () => { times.push(performance.now() - start); next(); };
                    painted.port2.postMessage(null);
                  });
                };
                next();""")
            late = sorted(times)[int(0.9 * len(times))]
            print(f"{file.parent.name}: on the screen in {statistics.median(times):.1f} ms (median), {late:.1f} ms (nine of ten)")

    def test_opens_with_a_picture(self):
        for file in (DEMO, LARGE):
            self.open(file)
            ready = self.page.execute_async_script(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(headlight.app.firstPicture)))")
            print(f"{file.parent.name}: {file.stat().st_size / 1e6:.2f} MB, first picture after {ready:.0f} ms")
            self.assertGreater(ready, 0)

    def test_files_stay_small(self):
        self.assertLess(DEMO.stat().st_size, 2_000_000)
        self.assertLess(LARGE.stat().st_size, 20_000_000)

    def test_long_sequences_can_be_explored(self):
        self.open(LARGE)
        self.assertEqual(self.script("return headlight.app.selection.patternNow().queries"), 256)
        self.point("heads", 200, 100).perform()
        self.assertRegex(self.text("heads-readout"), r"query (199|200|201) .* → key (99|100|101) ")
        self.script("headlight.app.selection.hover(201, 50)")
        self.assertRegex(self.text("heads-readout"), "query 201 .* → key 50 ")

    def test_a_model_of_one_head(self):
        for part in ("heads", "training", "predictions", "about"):
            self.open(REPORTS / "one" / "report.html", part)
        self.assertIn("No induction head was found", self.script("return document.getElementById('story-verdict').textContent"))

    def test_says_so_where_a_cell_stands_for_several_weights(self):
        self.open()
        self.assertIn("Each row adds up to 1.", self.text("part-heads"))
        self.open(REPORTS / "pooled.html")
        for part in ("heads", "training", "predictions"):
            self.tab(part)
            self.assertIn("each cell shows the largest of 2 × 2 attention weights", self.text("part-" + part))
        self.tab("heads")
        self.assertNotIn("Each row adds up to 1.", self.text("part-heads"))
        self.point("heads", 3, 1).perform()
        self.assertRegex(self.text("heads-readout"), "query 6–7 → key 2–3: largest attention weight 0.143")

    def test_pictures_can_be_saved(self):
        folder = pathlib.Path(self.downloads.name)
        saves_of = {"heads": ["heads-save", "heads-grid-save"], "training": ["training-save", "training-grid-save", "training-charts"],
                    "predictions": ["predictions-save"]}
        for part, saves in saves_of.items():
            self.open(part=part)
            for save in saves:
                for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("CSV", FIRST_WORDS[part])):
                    with self.subTest(save=save, kind=kind):
                        before = set(folder.iterdir())
                        button = self.page.find_element(By.XPATH, f"//*[@id='{save}']//button[text()='{kind}']")
                        self.script("arguments[0].click()", button)
                        extension = "." + kind.lower()
                        saved = lambda _=None: [f for f in set(folder.iterdir()) - before
                                                if f.suffix == extension and f.stat().st_size > 0]
                        WebDriverWait(self.page, 10).until(saved)
                        (file,) = saved()
                        self.assertTrue(file.read_bytes().startswith(start))
                        if kind == "SVG":
                            xml.dom.minidom.parse(str(file))
                        file.unlink()

    def test_hostile_tokens_are_only_text(self):
        self.open(REPORTS / "hostile.html")
        tokens = [t.get_attribute("textContent") for t in self.page.find_elements(By.CSS_SELECTOR, "#heads-tokens .token")]
        self.assertEqual(tokens[0], "</script><script>alert(1)</script>")
        self.assertEqual(tokens[1:8], ["\"'&<b>", "␣", "↵", "␀", "🙂", "<img␣src=x␣onerror=alert(2)>", "{{data}}"])
        self.assertEqual(tokens[8:12], ["U+2028", "�", "∅", "é"])
        self.assertEqual(tokens[15], "U+202E")
        self.assertEqual(self.page.title, "Headlight: </title><script>alert(4)</script>")
        self.assertEqual(self.text("verdict"), "Head 1.0 & <b>nothing</b> else.")
        for part in ("training", "predictions", "about"):
            self.open(REPORTS / "hostile.html", part)
        self.assertEqual(len(self.page.find_elements(By.TAG_NAME, "script")), 2)
        self.assertEqual(self.page.find_elements(By.TAG_NAME, "img"), [])

    def test_follows_dark_and_small_screens(self):
        self.open()
        light = self.script("return getComputedStyle(document.body).backgroundColor")
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.assertNotEqual(self.script("return getComputedStyle(document.body).backgroundColor"), light)
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        phone = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
        self.page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        try:
            for file in (DEMO, LARGE, REPORTS / "hostile.html"):
                for part in ("heads", "training", "predictions", "about"):
                    self.open(file, part)
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 360, (file.parent.name, part))
        finally:
            self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_prints_every_part(self):
        self.open()
        self.script("window.dispatchEvent(new Event('beforeprint'))")
        for part in ("heads", "training", "predictions", "about"):
            self.assertTrue(self.page.find_element(By.ID, "part-" + part).is_displayed())
            if part in ("heads", "predictions"):
                self.assertTrue(self.page.find_element(By.CSS_SELECTOR, f"#part-{part} .printed").get_attribute("textContent"))
        self.script("window.dispatchEvent(new Event('afterprint'))")
        self.assertFalse(self.page.find_element(By.ID, "part-training").is_displayed())
        pdf = base64.b64decode(self.page.print_page())
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreaterEqual(pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page "), 4)
        self.assertFalse(self.script("return headlight.app.store.state.printing"))


if __name__ == "__main__":
    unittest.main()
