"""A page whose run still grows: the demo's, given piece by piece."""

import base64
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from page import DEMO, REPORTS, PageTest, data_of, expanded

WAITING = REPORTS / "waiting.html"

# What a reader can see of a part, with the picture of every pattern.
SEEN = """
    const part = document.getElementById("part-" + arguments[0]), all = (what) => [...part.querySelectorAll(what)];
    return { text: part.innerText, curves: all("polyline").map((line) => line.getAttribute("points")),
             pictures: all("canvas").map((canvas) => canvas.toDataURL()) }"""


class Test(PageTest):
    def setUp(self):
        super().setUp()
        self.run_data = data_of(DEMO)
        self.steps = self.run_data["history"]["steps"]

    # The snapshots first … last - 1, and what was measured up to the last of them.
    def piece(self, first, last, **more):
        packed, (begin, end) = self.run_data["history"]["patterns"], (self.steps[first - 1] if first else -1, self.steps[last - 1])
        raw = expanded(packed["data"])
        size = len(raw) // len(self.steps)
        data = base64.b64encode(raw[first * size:last * size]).decode()
        metrics = [f for f in self.run_data["metrics"] if begin < f["step"] <= end]
        return {"metrics": metrics, "history": {"steps": self.steps[first:last], "patterns": {**packed, "data": data}},
                "scores": metrics[-1]["scores"], **more}

    def start(self, first, part):
        self.open(WAITING, part)
        self.script("window.source = new headlight.source.GrowingSource(); headlight.main.start(source);")
        self.push({**self.run_data, **first})

    def push(self, piece):
        self.script("source.push(arguments[0])", piece)

    def slider(self):
        slider = self.page.find_element(By.ID, "training-slider")
        return int(slider.get_attribute("value")), int(slider.get_attribute("max"))

    def points(self):
        return self.script("return [...document.querySelectorAll('#training-charts .chart')].map(c => c.querySelector('polyline').points.length)")

    def test_slider_and_curves_lengthen_and_the_end_is_followed(self):
        self.start(self.piece(0, 10), "training")
        self.assertEqual((self.slider(), self.text("training-step")), ((9, 9), f"step {self.steps[9]}"))
        before = self.points()
        self.push(self.piece(10, 25))
        self.assertEqual((self.slider(), self.text("training-step")), ((24, 24), f"step {self.steps[24]}"))
        measured = len([f for f in self.run_data["metrics"] if f["step"] <= self.steps[24]])
        self.assertEqual(self.points(), [measured] * 4)
        self.assertLess(max(before), measured)

    def test_what_was_chosen_stays(self):
        self.start(self.piece(0, 10), "heads")
        Select(self.page.find_element(By.CSS_SELECTOR, "#part-heads .sequence")).select_by_index(3)
        self.page.find_elements(By.CSS_SELECTOR, "#heads-grid button")[1].click()
        self.push(self.piece(10, 11, sequences=self.run_data["sequences"]))
        chosen = Select(self.page.find_element(By.CSS_SELECTOR, "#part-heads .sequence")).first_selected_option.text
        self.assertEqual(chosen, self.run_data["sequences"][3]["label"])
        self.assertEqual(self.text("heads-name"), "Layer 0, head 1")
        self.tab("training")
        self.slide(5)
        self.point("training", 40, 21).click().perform()
        readout = self.text("training-readout")
        self.assertIn("(locked)", readout)
        nothing = {key: [] for key in ("sequences", "scores", "results", "settings", "charts", "vocabulary")}
        self.push({**self.piece(11, 40), **nothing, "score_kinds": self.run_data["score_kinds"]})
        self.assertEqual((self.slider(), self.text("training-step")), ((5, 39), f"step {self.steps[5]}"))
        self.assertEqual((self.text("training-readout"), self.text("training-name")), (readout, "Layer 0, head 1"))
        self.slide(39)
        self.assertEqual(self.text("training-step"), f"step {self.steps[39]}")

    def test_a_run_that_grew_looks_like_the_finished_one(self):
        seen = []
        for finished in (True, False):
            if finished:
                self.open(DEMO)
            else:
                self.start({**self.piece(0, 7), "verdict": "Not yet.", "results": [], "sequences": self.run_data["sequences"][:1]}, "heads")
                self.assertEqual(self.text("verdict"), "Not yet.")
                self.push(self.piece(7, 30))
                self.push(self.piece(30, 40, **{key: self.run_data[key] for key in ("verdict", "results", "sequences")}))
                self.push({"scores": self.run_data["scores"]})
            self.page.find_elements(By.CSS_SELECTOR, "#heads-grid button")[4].click()
            seen.append([])
            for part in ("heads", "training", "predictions", "about"):
                self.tab(part)
                seen[-1].append(self.script(SEEN, part))
        self.assertEqual(seen[0], seen[1])

    def test_a_run_of_which_nothing_was_measured_yet(self):
        nothing = {"metrics": [], "history": {"steps": []}, "scores": [], "results": []}
        self.start(nothing, "heads")
        self.assertEqual(self.page.find_element(By.CSS_SELECTOR, "#heads-grid .caption").text, "L0H0")
        for part in ("training", "predictions", "about", "training"):
            self.tab(part)
        self.page.find_element(By.ID, "training-play").click()
        self.assertEqual(self.text("training-step"), "")
        self.push(self.piece(0, 2))
        self.assertEqual((self.slider(), self.text("training-step")), ((1, 1), f"step {self.steps[1]}"))
        self.assertEqual(len(self.page.find_elements(By.CSS_SELECTOR, "#training-charts .chart:not([hidden])")), 4)


if __name__ == "__main__":
    unittest.main()
