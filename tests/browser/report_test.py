"""The report in a real browser: what a reader does with it, and what the page says then.

Run by ctest (./headlight test --browser). REPORTS names the folder with the pages: demo/, large/ and hostile.html.
"""

import base64
import json
import os
import pathlib
import re
import statistics
import sys
import tempfile
import unittest
import xml.dom.minidom

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

REPORTS = pathlib.Path(os.environ["REPORTS"])
DEMO = REPORTS / "demo" / "report.html"
LARGE = REPORTS / "large" / "report.html"
SCORES = {"previous_token": "previous token", "duplicate_token": "duplicate token", "induction": "induction"}


def browser(downloads):
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ["CHROMIUM"]
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000",
                     "--force-device-scale-factor=1"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": downloads,
                                              "profile.default_content_setting_values.automatic_downloads": 1})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(os.environ["CHROMEDRIVER"]), options=options)


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.downloads = tempfile.TemporaryDirectory()
        cls.page = browser(cls.downloads.name)

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.downloads.cleanup()

    def open(self, file=DEMO, part="heads"):
        self.page.get("about:blank")
        self.page.get(file.as_uri() + "#" + part)

    # Every test: no error on the console, no request but for the page itself.
    def tearDown(self):
        errors = [entry for entry in self.page.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [])
        for entry in self.page.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith(("file:", "data:", "blob:", "about:", "chrome:")), url)

    def text(self, identifier):
        return self.page.find_element(By.ID, identifier).text

    def script(self, code, *arguments):
        return self.page.execute_script(code, *arguments)

    def tab(self, name):
        self.page.find_element(By.CSS_SELECTOR, f"[data-tab={name}]").click()

    def keys(self, *keys):
        chain = ActionChains(self.page)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    # Centre of a cell of the large picture, relative to the picture's centre.
    def point(self, part, query, key):
        x, y = self.script(
            "const v = headlight.app.parts[arguments[0]].map, u = v.unit;"
            "return [v.left + (arguments[2] + .5) * u - v.width / 2, v.top + (arguments[1] + .5) * u - v.height / 2]", part, query, key)
        element = self.page.find_element(By.ID, part + "-map")
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        return ActionChains(self.page).move_to_element_with_offset(element, x, y)

    def summary(self, folder="demo"):
        return json.loads((REPORTS / folder / "summary.json").read_text())

    def test_shows_the_scores_of_the_summary(self):
        self.open()
        summary = self.summary()
        best = summary["best"]["induction"]
        name = f"{best['layer']}.{best['head']}"
        self.assertIn(f"Head {name} is an induction head, with a score of {best['score']:.2f}.", self.text("verdict"))
        self.assertEqual(self.text("heads-name"), "Head " + name)
        labels = [span.text for span in self.page.find_elements(By.CSS_SELECTOR, "#heads-grid span")]
        expected = []
        for head in summary["heads"]:
            strongest = max(SCORES, key=lambda score: head[score])
            expected.append(f"{head['layer']}.{head['head']} {SCORES[strongest]} {head[strongest]:.2f}")
        self.assertEqual(labels, expected)

    def test_about_lists_results_and_settings(self):
        self.open(part="about")
        summary = self.summary()
        about = self.text("part-about")
        self.assertIn(summary["command"], about)
        self.assertIn(summary["version"], about)
        self.assertIn(f"{100 * summary['accuracy']['held_out_period']:.1f} %", about)
        self.assertIn("train.learning_rate", about)

    def test_pointing_shows_query_key_and_weight(self):
        self.open()
        self.point("heads", 40, 21).perform()
        tokens = [t.text for t in self.page.find_elements(By.CSS_SELECTOR, "#heads-tokens .token")]
        self.assertEqual(len(tokens), 64)
        weight = self.script("return headlight.app.selection.patternNow().weight(40, 21)")
        self.assertEqual(self.text("heads-readout"), f"query 40 ‘{tokens[40]}’ → key 21 ‘{tokens[21]}’: weight {weight:.3f}")
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, "#heads-tokens .query")), 1)
        self.point("heads", 10, 30).perform()
        self.assertIn("a later token, which it cannot see", self.text("heads-readout"))

    def test_a_click_locks_and_a_second_click_or_escape_unlocks(self):
        self.open()
        self.point("heads", 40, 21).click().perform()
        self.assertIn("(locked)", self.text("heads-readout"))
        self.point("heads", 50, 5).perform()
        self.assertIn("query 40", self.text("heads-readout"))
        self.assertIn("key 5", self.text("heads-readout"))
        self.point("heads", 40, 30).click().perform()
        self.assertNotIn("(locked)", self.text("heads-readout"))
        self.point("heads", 33, 3).click().perform()
        self.assertIn("query 33", self.text("heads-readout"))
        self.keys(Keys.ESCAPE)
        self.assertNotIn("(locked)", self.text("heads-readout"))

    def test_escape_unlocks_wherever_the_focus_is(self):
        self.open(part="time")
        self.point("time", 40, 21).click().perform()
        self.page.find_element(By.ID, "time-slider").send_keys(Keys.ARROW_LEFT)
        self.assertIn("(locked)", self.text("time-readout"))
        self.keys(Keys.ESCAPE)
        self.assertNotIn("(locked)", self.text("time-readout"))

    def test_arrows_flip_between_heads_and_layers(self):
        self.open()
        self.page.find_elements(By.CSS_SELECTOR, "#heads-grid button")[0].click()
        self.assertEqual(self.text("heads-name"), "Head 0.0")
        for key, name in ((Keys.ARROW_LEFT, "0.0"), (Keys.ARROW_RIGHT, "0.1"), (Keys.ARROW_DOWN, "1.1"), (Keys.ARROW_DOWN, "1.1"),
                          (Keys.ARROW_LEFT, "1.0"), (Keys.ARROW_UP, "0.0")):
            self.keys(key)
            self.assertEqual(self.text("heads-name"), "Head " + name)
        pressed = self.page.find_elements(By.CSS_SELECTOR, "#heads-grid [aria-pressed=true]")
        self.assertEqual([p.text.split()[0] for p in pressed], ["0.0"])
        self.assertEqual(self.page.switch_to.active_element, pressed[0])

    def test_all_of_it_can_be_reached_by_keyboard(self):
        self.open()
        seen = []
        for _ in range(40):
            self.keys(Keys.TAB)
            active = self.page.switch_to.active_element
            seen.append(active.get_attribute("id") or active.get_attribute("data-tab") or active.get_attribute("class") or active.text)
            if active.get_attribute("id") == "heads-map":
                break
        for expected in ("heads", "time", "reading", "about", "sequence", "scale", "heads-map"):
            self.assertIn(expected, seen)
        outline = self.script("return getComputedStyle(document.activeElement).outlineWidth")
        self.assertEqual(outline, "3px")
        shift = ActionChains(self.page).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_LEFT).key_up(Keys.SHIFT)
        shift.perform()
        self.assertRegex(self.text("heads-readout"), "query 32 .* → key 30 ")
        self.keys(Keys.ENTER)
        self.assertIn("(locked)", self.text("heads-readout"))
        self.keys(Keys.ENTER)
        self.assertNotIn("(locked)", self.text("heads-readout"))

    def test_other_sequences_can_be_chosen(self):
        self.open()
        choice = Select(self.page.find_element(By.CSS_SELECTOR, "#part-heads .sequence"))
        labels = [option.text for option in choice.options]
        self.assertEqual(len(labels), 6)
        self.assertTrue(any("never trained on" in label for label in labels))
        first = self.text("heads-tokens")
        choice.select_by_index(3)
        other = self.text("heads-tokens")
        self.assertNotEqual(other, first)

        # "Time" shows the first sequence; what was chosen is still chosen afterwards.
        # A token locked elsewhere would be another one there.
        self.point("heads", 40, 21).click().perform()
        self.tab("time")
        self.assertIn(labels[0], self.text("time-sequence"))
        self.assertEqual(self.text("time-readout"), "Point at a cell, or at a token.")
        self.tab("reading")
        reading = Select(self.page.find_element(By.CSS_SELECTOR, "#part-reading .sequence"))
        self.assertEqual(reading.first_selected_option.text, labels[3])
        self.page.back()
        self.assertEqual(self.page.find_element(By.CSS_SELECTOR, "[aria-current]").text, "Time")
        self.tab("heads")
        self.assertEqual(choice.first_selected_option.text, labels[3])
        self.assertEqual(self.text("heads-tokens"), other)

    def test_the_slider_shows_every_kept_step(self):
        self.open(part="time")
        lines = [json.loads(line) for line in (REPORTS / "demo" / "metrics.jsonl").read_text().splitlines()]
        figures = {line["step"]: line for line in lines}
        slider = self.page.find_element(By.ID, "time-slider")
        count = int(slider.get_attribute("max")) + 1
        self.assertEqual(count, 40)
        steps = self.script("return headlight.app.run.moments.map(m => m.step)")
        self.assertEqual((steps[0], steps[-1]), (0, max(figures)))
        notes = "return [...document.querySelectorAll('.chart p')].map(p => p.textContent)"
        for moment in (0, 12, 25, count - 1):
            self.script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", slider, moment)
            self.assertEqual(self.text("time-step"), f"step {steps[moment]}")
            line = figures[steps[moment]]
            loss, right, *_ = self.script(notes)
            self.assertEqual(loss, f"predictable {line['loss_predictable']:.2f}, unpredictable {line['loss_unpredictable']:.2f}")
            self.assertEqual(right, f"{100 * line['accuracy_predictable']:.1f} %")
            labels = [span.text for span in self.page.find_elements(By.CSS_SELECTOR, "#time-grid span")]
            for label, head in zip(labels, line["heads"]):
                self.assertTrue(label.endswith(f" {max(head[score] for score in SCORES):.2f}"), (label, head))
        slider.send_keys(Keys.ARROW_LEFT)
        self.assertEqual(self.text("time-step"), f"step {steps[-2]}")

    def test_weights_along_training_are_given_with_their_rounding(self):
        self.open(part="time")
        self.point("time", 40, 21).perform()
        exact = self.script("return headlight.app.selection.patternNow().weight(40, 21)")  # the last moment is the trained model
        shown = float(re.search(r"weight (\S+) ± 0.002$", self.text("time-readout")).group(1))
        self.assertLessEqual(abs(shown - exact), 0.0025)

    def test_the_stripe_appears_along_training(self):
        self.open(part="time")
        slider = self.page.find_element(By.ID, "time-slider")
        stripe = """
            const { run, selection } = headlight.app, tokens = run.sequences[0].tokens, pattern = selection.patternThen(), weights = [];
            tokens.forEach((token, i) => {
              const earlier = i > 0 ? tokens.lastIndexOf(token, i - 1) : -1;
              if (earlier >= 0) weights.push(pattern.weight(i, earlier + 1));
            });
            return weights.reduce((a, b) => a + b) / weights.length"""
        weights = []
        for moment in (0, int(slider.get_attribute("max"))):
            self.script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", slider, moment)
            weights.append(self.script(stripe))
        self.assertLess(weights[0], 0.2)
        self.assertGreater(weights[1], 0.5)

    def test_the_slider_redraws_within_50_ms(self):
        for file in (DEMO, LARGE):
            self.open(file, "time")
            times = self.page.execute_async_script("""
                const done = arguments[0], slider = document.getElementById("time-slider"), times = [];
                let moment = 0;
                const next = () => {
                  if (moment > Number(slider.max)) return done(times);
                  const start = performance.now();
                  slider.value = moment++;
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
            self.assertLess(late, 50)

    def test_opens_within_a_second(self):
        for file, limit in ((DEMO, 1000), (LARGE, 3000)):
            self.open(file)
            ready = self.page.execute_async_script(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(headlight.app.firstPicture)))")
            print(f"{file.parent.name}: {file.stat().st_size / 1e6:.2f} MB, first picture after {ready:.0f} ms")
            self.assertLess(ready, limit)

    def test_files_stay_small(self):
        self.assertLess(DEMO.stat().st_size, 2_000_000)
        self.assertLess(LARGE.stat().st_size, 20_000_000)

    def test_long_sequences_can_be_explored(self):
        self.open(LARGE)
        self.assertEqual(self.script("return headlight.app.selection.patternNow().queries"), 256)
        self.point("heads", 200, 100).perform()
        self.assertRegex(self.text("heads-readout"), r"query (199|200|201) .* → key (99|100|101) ")
        start = self.script("const t = performance.now(); headlight.app.selection.hover(201, 50); return performance.now() - t")
        self.assertLess(start, 100)

    def test_reading_says_what_comes_next(self):
        self.open(part="reading")
        self.assertRegex(self.text("reading-count"), r"Predictable: \d+ of 44 right\.")
        self.page.find_elements(By.CSS_SELECTOR, "#reading-tokens .token")[30].click()
        self.assertIn("position 30", self.text("reading-readout"))
        rows = self.page.find_elements(By.CSS_SELECTOR, "#reading-guesses tr")
        self.assertEqual(len(rows), 5)
        following = self.page.find_elements(By.CSS_SELECTOR, "#reading-tokens .token")[31].text
        self.assertTrue(rows[0].text.startswith(following))
        self.assertIn("✓ comes next", rows[0].text)
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, "#reading-looks tr")), 8)
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, "#reading-tokens .predictable")), 44)

    def test_reading_moves_and_locks_from_token_to_token(self):
        self.open(part="reading")
        token = self.page.find_elements(By.CSS_SELECTOR, "#reading-tokens .token")[30]
        token.click()
        self.assertIn("(locked)", self.text("reading-readout"))
        token.click()
        self.assertRegex(self.text("reading-readout"), r"position 30 .*’$")
        self.script("document.getElementById('reading-tokens').focus()")
        ActionChains(self.page).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
        self.assertIn("position 32 ", self.text("reading-readout"))

    def test_own_tokens_are_read_without_a_claim_about_chance(self):
        self.open(REPORTS / "own.html", "reading")
        tokens = [t.text for t in self.page.find_elements(By.CSS_SELECTOR, "#reading-tokens .token")]
        self.assertEqual("".join(tokens), "HEADLIGTHEADLIGT")
        self.assertRegex(self.text("reading-count"), r"^Right: \d+ of 15\.$")
        self.assertEqual(self.page.find_elements(By.CSS_SELECTOR, "#reading-tokens .predictable"), [])
        self.tab("time")
        self.assertIn("your own tokens", self.text("time-sequence"))

    def test_a_model_of_one_head(self):
        for part in ("heads", "time", "reading", "about"):
            self.open(REPORTS / "one" / "report.html", part)
        self.assertIn("No induction head was found", self.text("verdict"))

    def test_says_so_where_a_cell_stands_for_several_weights(self):
        self.open()
        self.assertIn("Each row adds up to 1.", self.text("part-heads"))
        self.open(REPORTS / "pooled.html")
        for part in ("heads", "time", "reading"):
            self.tab(part)
            self.assertIn("each cell shows the largest of 2 × 2 weights", self.text("part-" + part))
        self.tab("heads")
        self.assertNotIn("Each row adds up to 1.", self.text("part-heads"))
        self.point("heads", 3, 1).perform()
        self.assertRegex(self.text("heads-readout"), "query 6–7 → key 2–3: largest weight 0.143")

    def test_pictures_can_be_saved(self):
        folder = pathlib.Path(self.downloads.name)
        saves_of = {"heads": ["heads-save", "heads-grid-save"], "time": ["time-save", "time-grid-save", "time-charts"],
                    "reading": ["reading-save"]}
        for part, saves in saves_of.items():
            self.open(part=part)
            for save in saves:
                for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
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
        self.assertEqual(tokens[1:8], ["\"'&<b>", "␣", "␊", "␀", "🙂", "<img␣src=x␣onerror=alert(2)>", "{{data}}"])
        self.assertEqual(tokens[8:12], ["U+2028", "�", "∅", "é"])
        self.assertEqual(tokens[15], "U+202E")
        self.assertEqual(self.page.title, "Headlight: </title><script>alert(4)</script>")
        self.assertEqual(self.text("verdict"), "Head 1.0 & <b>nothing</b> else.")
        for part in ("time", "reading", "about"):
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
                for part in ("heads", "time", "reading", "about"):
                    self.open(file, part)
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 360, (file.parent.name, part))
        finally:
            self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_prints_every_part(self):
        self.open()
        self.script("window.dispatchEvent(new Event('beforeprint'))")
        for part in ("heads", "time", "reading", "about"):
            self.assertTrue(self.page.find_element(By.ID, "part-" + part).is_displayed())
            if part in ("heads", "reading"):
                self.assertTrue(self.page.find_element(By.CSS_SELECTOR, f"#part-{part} .printed").get_attribute("textContent"))
        self.script("window.dispatchEvent(new Event('afterprint'))")
        self.assertFalse(self.page.find_element(By.ID, "part-time").is_displayed())
        pdf = base64.b64decode(self.page.print_page())
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreaterEqual(pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page "), 4)
        self.assertFalse(self.script("return headlight.app.store.state.printing"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "ReportTest." + sys.argv[1]] if len(sys.argv) > 1 else sys.argv)
