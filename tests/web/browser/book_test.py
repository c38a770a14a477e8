"""The book of the lessons: its links, formulas, terms and search."""

import pathlib
import re
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from page import MOVE_SLIDER, REPORTS, PageTest

BOOK = REPORTS / "book.html"


class Test(PageTest):
    # To turn to another chapter of the book that is open costs less than to open the book again. Each figure is used by
    # one test alone.
    def read(self, place):
        if self.page.current_url.startswith("file:"):
            self.script("location.hash = arguments[0]", place)
            WebDriverWait(self.page, 10).until(lambda _: self.script("return document.querySelector('article.open').id") == place[: len("lesson-00")])
        else:
            self.page.get(f"file://{BOOK}#{place}")

    def shown(self):
        return [article.get_attribute("id") for article in self.page.find_elements(By.TAG_NAME, "article") if article.is_displayed()]

    def test_every_link_leads_somewhere(self):
        self.read("start")
        missing = self.script("return [...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))"
                              ".filter((href) => !href.startsWith('lab.html#lab')).filter((href) => !href.startsWith('#') || !document.getElementById(decodeURIComponent(href.slice(1))))")
        self.assertEqual(missing, [])
        lessons = list((pathlib.Path(__file__).resolve().parents[3] / "lessons").glob("[0-9][0-9]_*"))
        self.assertEqual(self.script("return document.querySelectorAll('article').length"), len(lessons) + 3)  # start, the one file, words

    def test_a_link_opens_its_chapter_and_what_is_folded(self):
        self.read("start")
        self.assertEqual(self.shown(), ["start"])
        self.read("lesson-03-4-softmax")
        self.assertEqual(self.shown(), ["lesson-03"])
        self.assertLess(abs(self.script("return document.getElementById('lesson-03-4-softmax').getBoundingClientRect().top")), 200)
        self.read("lesson-09-answers-answers")
        self.assertTrue(self.script("return document.getElementById('lesson-09-answers').open"))
        self.assertEqual(self.script("return document.querySelector('nav [aria-current]').textContent"), "The backward pass of attention")

    def test_the_way_back_leads_to_the_same_place(self):
        self.read("lesson-03")
        self.script("scrollTo(0, 3000)")
        time.sleep(0.5)  # until the place is kept
        self.script("location.hash = 'lesson-05'")
        WebDriverWait(self.page, 10).until(lambda _: self.shown() == ["lesson-05"])
        self.page.back()
        WebDriverWait(self.page, 10).until(lambda _: self.shown() == ["lesson-03"])
        WebDriverWait(self.page, 10).until(lambda _: abs(self.script("return scrollY") - 3000) < 5)

    def test_formulas_and_pictures_are_drawn(self):
        self.read("lesson-09")
        self.assertGreater(self.script("return document.querySelectorAll('#lesson-09 math').length"), 10)
        self.assertNotIn("\\frac", self.script("return document.body.innerText"))
        self.assertNotRegex(self.script("return [...document.querySelectorAll('article p')].map((p) => p.textContent).join(' ')"), r"\$[^$]+\$")
        self.assertNotIn("![", self.script("return [...document.querySelectorAll('article p')].map((p) => p.textContent).join(' ')"))
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

    # A term that another road has not explained yet, too; in the singular or the plural.
    def test_a_term_is_linked_where_it_occurs_first(self):
        for lesson, terms in (("lesson-02", ["tape", "op"]), ("lesson-05", ["op", "vjp"]), ("lesson-10", ["cosine"]),
                              ("lesson-16", ["sufficiency"]), ("lesson-18", ["long double"]), ("lesson-19", ["sanitizer", "sweep"])):
            self.read(lesson)
            marked = self.script("return [...document.querySelectorAll('article.open .term')].map((one) => one.textContent.toLowerCase())")
            for term in terms:
                with self.subTest(lesson=lesson, term=term):
                    self.assertEqual(len([one for one in marked if one.rstrip("s") == term.rstrip("s")]), 1)

    def test_a_search_finds_sections(self):
        self.read("start")
        self.page.find_element(By.ID, "search").send_keys("causal mask")
        links = self.page.find_elements(By.CSS_SELECTOR, "#found a")
        self.assertGreater(len(links), 1)
        links[0].click()
        self.assertTrue(self.shown()[0].startswith("lesson-"))
        self.assertFalse(self.page.find_element(By.ID, "found").is_displayed())
        self.page.find_element(By.ID, "search").send_keys("zebra crossing")
        self.assertEqual(self.script("return document.getElementById('found').innerText"), "Nothing found")

    def test_a_result_is_opened_at_its_words_which_are_marked(self):
        self.read("start")
        self.page.find_element(By.ID, "search").send_keys("residual stream")
        self.assertIn("residual", [one.text.lower() for one in self.all("#found mark")])
        self.all("#found a[href^='#lesson']")[1].click()
        WebDriverWait(self.page, 10).until(lambda _: self.shown()[0].startswith("lesson-"))
        marked = self.script("return [...(CSS.highlights.get('found') ?? [])].map((range) => [String(range).toLowerCase(),"
                             "range.getBoundingClientRect().top, range.getBoundingClientRect().bottom])")
        self.assertEqual({word for word, _, _ in marked}, {"residual", "stream"})
        height = self.script("return innerHeight")
        self.assertTrue(any(0 < top and bottom < height for _, top, bottom in marked))
        self.keys("\ue00c")
        self.assertEqual(self.script("return CSS.highlights.get('found').size"), 0)

    def test_the_contents_have_the_sections_of_the_chapter(self):
        self.read("lesson-07")
        headings = self.script("return [...document.querySelectorAll('article.open > h2')].map((one) => one.id)")
        links = self.script("return [...document.querySelectorAll('#sections a')].map((one) => one.hash.slice(1))")
        self.assertEqual(links, headings)
        self.all("#sections a")[4].click()
        here = "return document.querySelector('#sections [aria-current]')?.hash.slice(1)"
        WebDriverWait(self.page, 10).until(lambda _: self.script(here) == headings[4])
        self.script("document.getElementById(arguments[0]).scrollIntoView()", headings[6])
        WebDriverWait(self.page, 10).until(lambda _: self.script(here) == headings[6])
        self.read("start")
        self.assertEqual(self.all("#sections"), [])

    def test_the_question_before_a_text_can_be_answered_and_answers_back(self):
        for lesson in self.lessons():
            self.read(lesson)
            guesses = self.all("article.open .guess summary")
            self.assertGreaterEqual(len(guesses), 2, lesson)
            for guess in guesses:
                self.script("arguments[0].click()", guess)
                opened = self.all("article.open .guess [open]")
                self.assertEqual(len(opened), 1, "one answer at a time")
                self.assertGreater(len(opened[0].text), len(guess.text) + 30)

    def lessons(self):
        self.read("start")
        return self.script("return [...document.querySelectorAll('article')].map((one) => one.id).filter((id) => id.startsWith('lesson-'))")

    def test_what_is_printed(self):
        for lesson, figures in (("lesson-07", 2), ("lesson-14", 2), ("lesson-10", 1)):
            self.read(lesson)
            self.script("for (const fold of document.querySelectorAll('article.open details')) fold.open = false;"
                        "dispatchEvent(new Event('beforeprint'))")
            self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            seen = "return [...document.querySelectorAll('article.open ' + arguments[0])].filter((one) => one.checkVisibility())"
            self.assertEqual(len(self.script(seen, ".live")), figures)
            self.assertEqual([one.text for one in self.script(seen, ":is(.live input[type=range], .guess, details:not([open]))")], [])
            self.assertEqual(self.script(seen, ".live .choice [aria-pressed=false]"), [])
            self.assertGreater(len(self.script(seen, "details[open]")), 0)
            self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
            self.script("dispatchEvent(new Event('afterprint'))")
            self.assertEqual(self.all("article.open details[open]"), [])

    def test_formulas_that_were_typed_are_set(self):
        self.read("start")
        typed = self.script(r"""
            const found = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
              const { parentElement, data } = walk.currentNode;
              if (!parentElement.closest("code, pre, math, svg, .live") && /√|\b[A-Za-z]_[A-Za-z]/.test(data)) found.push(data);
            }
            return found""")
        self.assertEqual(typed, [])
        self.assertIn("√d_k", self.script("return [...document.querySelectorAll('#lesson-07 math')].map((one) => one.getAttribute('alttext'))"))

    # At 1280 pixels; on a phone only tables that a program prints may be wider than their box.
    def test_code_is_no_wider_than_the_column(self):
        wide = """
            const column = document.querySelector("article.open > p").getBoundingClientRect().right + 1;
            return [...document.querySelectorAll("article.open pre" + arguments[0])]
              .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > column)
              .map((one) => one.textContent)"""
        for size, chosen in ((1280, ""), (390, ":not(.text)")):
            with self.screen(size, 900, phone=size == 390):
                for lesson in self.lessons():
                    self.read(lesson)
                    self.script("for (const fold of document.querySelectorAll('article.open details')) fold.open = true")
                    self.assertEqual(self.script(wide, chosen), [], lesson)

    def test_a_dark_page_has_no_slabs(self):
        self.read("start")
        self.assertEqual(self.script("return getComputedStyle(document.querySelector('.map rect')).fill"), "none")
        ground = "return [...document.querySelectorAll('img')].filter((one) => /rect width=%22100%25%22/.test(one.src)).length"
        self.assertEqual(self.script(ground), 0)

    # The live figure of a lesson, and what its status line says.
    def figure(self, lesson, name):
        self.read(f"lesson-{lesson:02}")
        figure = self.page.find_element(By.CSS_SELECTOR, f"article.open figure[data-live={name}]")
        self.script("arguments[0].scrollIntoView({ block: 'center' })", figure)
        return figure

    def says(self, figure):
        return figure.find_element(By.CSS_SELECTOR, "[role=status]").text

    def press(self, figure, text):
        self.script("[...arguments[0].querySelectorAll('button')].find((one) => one.innerText === arguments[1]).click()", figure, text)

    def slide(self, figure, number, value):
        self.script(MOVE_SLIDER, figure.find_elements(By.CSS_SELECTOR, "input[type=range]")[number], value)

    # The first test by its name, so that no chapter has been opened yet.
    def test_a_chapter_that_is_opened_has_its_live_figures_filled(self):
        names = {1: ["strides"], 3: ["paths"], 7: ["scale", "mask"], 9: ["graph"], 10: ["norms"],
                 12: ["forming"], 13: ["heads", "patching"], 14: ["weights", "sharpness"]}
        self.read("start")
        empty = "return [...document.querySelectorAll('figure.live:empty')].map((one) => one.dataset.live)"
        self.assertEqual(self.script(empty), [name for lesson in names.values() for name in lesson])
        engine = self.script("return document.getElementById('lab-engine') !== null")
        for lesson, figures in names.items():
            if lesson in (12, 13) and not engine:  # they stay empty, and so unseen
                continue
            self.read(f"lesson-{lesson:02}")
            says = "return [...document.querySelectorAll('article.open figure.live [role=status]')].map((one) => one.textContent)"
            self.assertEqual(len([text for text in self.script(says) if text != ""]), len(figures), lesson)

    def test_strides_walk_over_the_buffer(self):
        figure = self.figure(1, "strides")
        self.assertEqual(self.says(figure), "x[1,2] stands at offset 1·3 + 2·1 = 5, and that is 15.")
        self.press(figure, "its transpose")
        self.press(figure, "Step")
        self.assertEqual(self.says(figure), "Element [0,1] stands at offset 0·1 + 1·3 = 3, and that is 13.")
        self.assertEqual([cell.text for cell in figure.find_elements(By.CSS_SELECTOR, "td.lit")], ["13", "13"])
        stride = figure.find_elements(By.CSS_SELECTOR, "input[type=number]")[2]
        stride.clear()
        stride.send_keys("6")
        self.press(figure, "Back")
        self.assertIn("offset 2·6 + 1·3 = 15. That is out of range", self.says(figure))
        self.press(figure, "row x[0,:] broadcast")
        self.press(figure, "Play")
        self.page.execute_async_script(
            "const [figure, done] = arguments, look = () => figure.textContent.includes('Element [0,1]') ? done() : setTimeout(look, 20); look()",
            figure)
        self.press(figure, "Pause")
        self.assertIn("Element [0,1]", self.says(figure))

    def test_paths_lead_from_an_entry_to_the_loss(self):
        figure = self.figure(3, "paths")
        self.assertIn("1·3 + 10·4 = 43.", self.says(figure))
        figure.find_element(By.CSS_SELECTOR, "[aria-label='W[1,0], 3']").click()
        self.press(figure, "Next path")
        self.assertIn("through Y[1,0]: its slopes are 5 and 100. W̄[1,0] is the sum of both paths, 2·1 + 5·100 = 502.",
                      self.says(figure))
        self.assertIn("5·100 = 500", figure.find_element(By.CSS_SELECTOR, ".paths .lit").text)

    # The means of the lesson's table are 0.56, 0.85 and 0.94 for q·k, and 0.24, 0.24 and 0.26 for q·k/√d_k.
    def test_the_weights_of_random_keys_follow_the_scale(self):
        figure = self.figure(7, "scale")
        for place, raw, scaled in ((3, 0.56, 0.24), (6, 0.85, 0.24), (9, 0.94, 0.26)):
            self.slide(figure, 0, place)
            found = [float(number) for number in re.findall(r"(?:weight|it) is (0\.\d+)", self.says(figure))]
            self.assertAlmostEqual(found[0], raw, delta=0.031)
            self.assertAlmostEqual(found[1], scaled, delta=0.031)
        self.slide(figure, 1, 0)
        self.assertIn("the query times 0. Of q·k the largest weight is 0.06", self.says(figure))

    def test_a_mask_is_drawn(self):
        figure = self.figure(7, "mask")
        self.press(figure, "both")
        self.assertIn("The rows 0, 1, 2 see no key", self.says(figure))
        self.assertEqual(len(figure.find_elements(By.CSS_SELECTOR, "td.nothing")), 24)
        self.press(figure, "no mask")
        cells = figure.find_elements(By.CSS_SELECTOR, ".square button")
        self.actions().click_and_hold(cells[0]).move_to_element(cells[1]).move_to_element(cells[2]).release().perform()
        self.assertIn("3 of 64 cells are hidden.", self.says(figure))
        self.keys("\ue015", " ")  # down to the cell below the first, which the space bar hides
        self.assertIn("4 of 64 cells are hidden.", self.says(figure))
        self.assertEqual(cells[8].get_attribute("aria-pressed"), "false")

    def test_a_node_of_the_graph_shows_its_cotangent(self):
        figure = self.figure(9, "graph")
        for name, lit, expected in (("V", 1, "dV[0,1] = ½·2 + ¼·1 = 1.25"), ("P", 1, "dP[0,2] = 1·4 + 2·4 = 12"),
                                    ("X", 3, "dX = dQ W_Qᵀ + dK W_Kᵀ + dV W_Vᵀ")):
            figure.find_element(By.CSS_SELECTOR, f".node[aria-label^='{name},']").click()
            self.assertIn(expected, figure.text)
            self.assertEqual(len(figure.find_elements(By.CSS_SELECTOR, ".edge.lit")), lit)
        figure.find_element(By.TAG_NAME, "a").click()
        self.assertEqual(self.script("return location.hash"), "#lesson-09-5-back-through-the-projections")

    def test_the_norm_moves(self):
        figure = self.figure(10, "norms")
        self.press(figure, "norm after the sum")
        self.assertIn("the size 1.00 behind block 0 and 1.00 behind block 23", self.says(figure))
        self.assertEqual(len(figure.find_elements(By.CSS_SELECTOR, ".box.norm")), 1)
        self.press(figure, "no norm")
        self.assertIn("1547 behind block 23", self.says(figure))
        self.assertEqual(len(figure.find_elements(By.CSS_SELECTOR, ".box.norm")), 0)

    def test_the_hand_set_heads_follow_their_sharpness(self):
        figure = self.figure(14, "sharpness")
        self.assertIn("The model predicts d with probability 1.00, and that is right.", self.says(figure))
        self.press(figure, "position 0 not hidden")
        self.assertIn("The follower d has 0.50, and position 0 has 0.50. The model predicts b and d with probability 0.50 each",
                      self.says(figure))
        self.slide(figure, 0, 0)
        self.assertIn("S = 1, query 4, b. The token before has the weight 0.40", self.says(figure))

    def test_path_patching_takes_three_runs(self):
        figure = self.figure(13, "patching")
        lit = lambda: [node.text for node in figure.find_elements(By.CSS_SELECTOR, ".box.lit")]
        self.assertEqual(lit(), ["tokens", "L0H0", "L0H1", "L0H2", "L0H3", "queries", "keys", "values", "L1", "logits"])
        self.press(figure, "run 2")
        self.assertEqual(lit(), ["L0H1", "queries", "keys", "values"])
        self.press(figure, "run 3")
        self.assertEqual(lit(), ["L0H1", "keys", "L1", "logits"])
        self.assertIn("The accuracy is 0.04; with no change it is 1.00.", self.says(figure))
        table = self.page.find_element(By.XPATH, "//article[contains(@class,'open')]//pre[contains(.,'into queries')]")
        rows = [line.split()[2:] for line in table.text.splitlines() if line.startswith("L0H")]
        for row, sender in zip(rows, ("L0H0", "L0H1", "L0H2", "L0H3"), strict=True):
            self.press(figure, sender)
            for accuracy, into in zip(row, ("queries", "keys", "values"), strict=True):
                self.press(figure, f"into {into}")
                self.assertIn(f"Only the {into} of the three induction heads", self.says(figure))
                self.assertIn(f"The accuracy is {accuracy};", self.says(figure))

    def test_hand_set_weights_can_be_written_over(self):
        figure = self.figure(14, "weights")
        self.assertEqual(self.says(figure), "At query 4 the model says d; d is right. Of the four queries it is right at 4.")

        def write(matrix, row, column, value):
            cell = figure.find_element(By.CSS_SELECTOR, f"input[aria-label='{matrix}, row {row}, column {column}']")
            cell.clear()
            cell.send_keys(value)
            return cell.get_attribute("aria-invalid")

        write("W_O", "d", "d", "0")
        write("W_O", "d", "a", "1")
        self.assertEqual(self.says(figure), "At query 4 the model says a; d is right. Of the four queries it is right at 3.")
        self.press(figure, "query 5, d")
        self.assertIn("At query 5 the model says a; a is right.", self.says(figure))
        self.assertEqual(write("W_K", "b", "b", "much"), "true")
        self.assertIn("right at 3.", self.says(figure))
        self.press(figure, "As set by hand")
        self.assertIn("At query 5 the model says a; a is right. Of the four queries it is right at 4.", self.says(figure))

    def test_lessons_lead_to_the_laboratory(self):
        for lesson, place in ((12, "lab.html#lab&new=model.n_layers=2&step=300"), (13, "lab.html#lab&new=model.n_layers=2&step=400")):
            self.read(f"lesson-{lesson}")
            link = self.page.find_element(By.CSS_SELECTOR, "article.open .lab a")
            self.assertTrue(link.is_displayed())
            self.assertEqual(link.get_attribute("href"), BOOK.parent.as_uri() + "/" + place)

    def test_a_phone_needs_no_sideways_scrolling(self):
        with self.screen(390, 844, phone=True):
            for lesson in range(1, 20):
                self.read(f"lesson-{lesson:02}")
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390, lesson)
            self.page.find_element(By.ID, "open-contents").click()
            self.assertTrue(self.page.find_element(By.ID, "contents").is_displayed())

    def test_a_model_is_trained_and_its_heads_are_switched_off(self):
        self.read("lesson-12")
        if not self.script("return document.getElementById('lab-engine') !== null"):
            self.skipTest("./headlight lab has not built the engine")
        forming = self.page.find_element(By.CSS_SELECTOR, "figure[data-live=forming]")
        said = lambda: forming.find_element(By.CSS_SELECTOR, "[role=status]").text
        self.assertEqual(said(), "Before the training there is nothing to see.")
        self.script("arguments[0].querySelector('button').click()", forming)
        WebDriverWait(self.page, 60, 0.1).until(lambda _: said().startswith("Step 400: loss 1."))
        self.assertIn("accuracy 1.00 on tokens that can be known.", said())
        self.script("const one = arguments[0].querySelector('input'); one.value = 0; one.dispatchEvent(new Event('input'))", forming)
        self.assertRegex(said(), r"^Step 0: accuracy 0\.\d\d on tokens that can be known")
        self.script("location.hash = 'lesson-13'")
        heads = self.page.find_element(By.CSS_SELECTOR, "figure[data-live=heads]")
        line = lambda: heads.find_element(By.CSS_SELECTOR, "[role=status]").text
        WebDriverWait(self.page, 20, 0.1).until(lambda _: line().startswith("With all heads: accuracy "))
        whole = float(line().split("accuracy ")[1][:4])
        for button in heads.find_elements(By.CSS_SELECTOR, ".patterns button")[2:]:
            self.script("arguments[0].click()", button)
        WebDriverWait(self.page, 20, 0.1).until(lambda _: line().startswith("Without L1H0, L1H1: accuracy "))
        self.assertLess(float(line().split("accuracy ")[1][:4]), whole - 0.5)


if __name__ == "__main__":
    unittest.main()
