"""A damaged page says so in a sentence; a whole one never does."""

import copy
import http.server
import json
import pathlib
import threading
import time
import unittest

from selenium.webdriver.support.ui import WebDriverWait

from page import DEMO, REPORTS, PageTest, data_of, pieces_of

SENTENCE = ("This page is not complete: its file was cut short or changed. Load the page again, or write a new one with "
            "./headlight report RUN.")
UNSEEN = 2  # seconds during which the sentence is not seen, because the page may still be loading


# Gives an empty page, and in its frame the demo's: first up to its data, the rest only when it may.
class SlowServer(http.server.ThreadingHTTPServer):
    def __init__(self):
        self.may_end = threading.Event()
        super().__init__(("127.0.0.1", 0), SlowHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class SlowHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        before, data, after = (piece.encode() for piece in pieces_of(DEMO))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if self.path == "/":
            return
        self.wfile.write(before + data[:1000])
        self.server.may_end.wait(60)
        self.wfile.write(data[1000:] + after)

    def log_message(self, *_):
        pass


class Test(PageTest):
    def open(self, file):
        self.spoil()  # its contents are others each time
        super().open(file)

    def write(self, text):
        file = pathlib.Path(self.downloads.name) / "damaged.html"
        file.write_text(text)
        return file

    # The demo's page with this data, or with data that were changed.
    def with_data(self, text):
        before, _, after = pieces_of(DEMO)
        return self.write(before + text + after)

    def changed(self, change):
        data = copy.deepcopy(data_of(DEMO))
        change(data)
        return self.with_data(json.dumps(data))

    # What a reader sees of the sentence; nothing if it is not there.
    def sentence(self):
        return self.script("return [...document.querySelectorAll('#damaged')].map((p) => p.innerText).join()")

    # The errors behind the sentence. They are on the console, and none came through uncaught.
    def errors(self):
        errors = [entry["message"] for entry in self.page.get_log("browser")]
        self.assertEqual([error for error in errors if "Uncaught" in error], [])
        return errors

    def check_reported(self, what):
        sentence = self.sentence()
        self.assertTrue(sentence.startswith(SENTENCE + " What failed: "), sentence)
        self.assertRegex(sentence, what)
        self.assertNotEqual(self.errors(), [])
        self.assertTrue(self.one("#damaged").is_displayed())

    # Nothing else is on the page, on the screen and on paper.
    def check_nothing_else(self):
        self.script("window.dispatchEvent(new Event('beforeprint'))")
        for media in ("print", "screen"):
            self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
            seen = self.one("body").text
            self.assertEqual(seen, "Headlight\n" + self.sentence())
        self.errors()

    def test_data_that_are_no_json(self):
        data = pieces_of(DEMO)[1]
        for text in ("", data[:len(data) // 2], data + "}"):
            self.open(self.with_data(text))
            self.check_reported("JSON")
            self.check_nothing_else()

    def test_data_that_are_no_run(self):
        for text in ("{}", "7"):
            self.open(self.with_data(text))
            self.check_reported("sequence")
            self.check_nothing_else()
        self.open(self.changed(lambda data: data.update(sequences=[])))
        self.check_reported(r"What failed: the run has no sequence\.$")
        self.check_nothing_else()

    def test_a_file_that_ends_within_its_data(self):
        before, data, _ = pieces_of(DEMO)
        for length in (0, len(data) - 1):
            self.open(self.write(before + data[:length]))
            self.check_reported("JSON")
            self.check_nothing_else()
        self.open(self.write(before + data))  # behind its data it is whole
        self.assertEqual((self.sentence(), self.text("heads-name")), ("", "Layer 1, head 0"))

    def test_a_file_that_ends_before_its_data(self):
        before, _, _ = pieces_of(DEMO)
        for end in (before.index("</main>"), before.index('"use strict"') + 1000, before.rindex("</script>")):
            self.open(self.write(before[:end]))
            self.assertEqual(self.box("#damaged")["bottom"] - self.box("#damaged")["top"], 0)
            self.assertEqual(self.sentence(), "")
            unseen = self.script("const [late] = document.getElementById('damaged').getAnimations(), { endTime } = late.effect.getComputedTiming();"
                                 "late.finish(); return endTime")
            self.assertEqual(unseen, 1000 * UNSEEN)
            self.assertEqual(self.sentence(), SENTENCE)

    def test_what_can_be_drawn_is_drawn(self):
        self.open(self.changed(lambda data: data["sequences"][0]["tokens"].__setitem__(3, 999)))
        self.check_reported(r"What failed: the vocabulary has no token 999\.$")
        self.assertEqual(self.text("heads-name"), "Layer 1, head 0")
        self.tab("training")
        self.assertEqual(self.text("training-name"), "Layer 1, head 0")
        self.errors()
        self.open(self.changed(lambda data: data["sequences"][0]["patterns"]["data"].update(data="%")))
        self.check_reported("atob")
        self.tab("about")
        self.assertIn("./headlight demo", self.text("about-settings") + self.text("about-results"))
        self.errors()

    def test_a_part_that_is_opened_later(self):
        def damage(data):
            data["metrics"][-1]["scores"] = None
        self.open(self.changed(damage))
        self.assertEqual((self.sentence(), self.errors()), ("", []))
        self.tab("training")
        self.check_reported("null")
        self.tab("heads")
        self.assertEqual(self.text("heads-name"), "Layer 1, head 0")
        self.errors()

    def test_patterns_that_are_prepared_before_they_are_looked_at(self):
        self.open(self.changed(lambda data: data["history"]["patterns"]["data"].update(data="%")))
        WebDriverWait(self.page, 10, 0.05).until(lambda _: self.sentence() != "")
        self.check_reported("atob")

    def test_the_sentence_is_seen_in_light_and_dark(self):
        file = self.with_data("")
        for theme in ("light", "dark"):
            with self.screen(390, 844, theme, phone=True):
                self.open(file)
                self.check_reported("JSON")
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)

    def test_a_whole_page_says_nothing_of_it(self):
        for file in (DEMO, REPORTS / "one" / "report.html", REPORTS / "course.html"):
            self.open(file)
            self.script("window.dispatchEvent(new Event('beforeprint'))")
            self.assertEqual(self.script("return document.querySelectorAll('#damaged').length"), 0, file)
            self.assertNotIn("not complete", self.one("body").text)

    def test_a_page_whose_script_is_switched_off_says_that_alone(self):
        self.page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.addCleanup(self.page.execute_cdp_cmd, "Emulation.setScriptExecutionDisabled", {"value": False})
        self.page.get(DEMO.as_uri())
        time.sleep(UNSEEN)
        seen = self.one("body").text
        self.assertIn("JavaScript is switched off, so this page cannot draw its pictures.", seen)
        self.assertNotIn("not complete", seen)
        self.assertNotIn("story", seen)

    def test_a_page_that_loads_slowly_says_nothing_of_it(self):
        server = SlowServer()
        in_frame = ("const page = document.querySelector('iframe').contentDocument, byId = (id) => page.getElementById(id);"
                    "return ")
        try:
            self.page.get(f"http://127.0.0.1:{server.server_port}/")
            self.script("const frame = document.createElement('iframe'); frame.src = '/report.html'; document.body.append(frame)")
            while not self.script(in_frame + "byId('data') !== null"):
                pass
            time.sleep(1.2 * UNSEEN)
            self.assertEqual(self.script(in_frame + "[page.readyState, byId('damaged') === null]"), ["loading", True])
            server.may_end.set()
            while self.script(in_frame + "page.readyState") != "complete":
                pass
            self.assertEqual(self.script(in_frame + "[byId('run').textContent, byId('damaged') === null]"),
                             ["demo", True])
        finally:
            server.may_end.set()
            server.shutdown()
            server.server_close()
        self.page.get_log("performance")  # this page may come from a server


if __name__ == "__main__":
    unittest.main()
