"""The boxes under the exercises of the book, from a server on this machine.

SITE names what `./headlight site --solve` wrote, which takes too long for every test run: `./headlight test --everywhere
solve` calls this file.
"""

import functools
import http.server
import json
import os
import pathlib
import tarfile
import threading
import time
import unittest

from page import PageTest

ROOT = pathlib.Path(__file__).parents[3]
SITE = pathlib.Path(os.environ["SITE"])
LESSON = "02_derivatives"
BOX = "#lesson-02 div.solve "


class Quiet(http.server.SimpleHTTPRequestHandler):
    lost = None  # part of the name of a file that does not come
    before = ""  # a script that runs before the worker's own

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.lost and self.lost in self.path:
            return self.send_error(503)
        if self.before and self.path.endswith("/worker.js"):
            script = (self.before + "\n" + (SITE / "solve" / "worker.js").read_text()).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript")
            self.send_header("Content-Length", str(len(script)))
            self.end_headers()
            return self.wfile.write(script)
        return super().do_GET()


class Test(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_port}/"

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        super().tearDownClass()

    # No error on the console, and nothing is asked of another server.
    def tearDown(self):
        errors = [entry for entry in self.page.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [])
        for entry in self.page.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith((self.address, "data:", "blob:", "about:", "chrome:")), url)

    def until(self, what, most=180):
        end = time.monotonic() + most
        while time.monotonic() < end:
            if found := what():
                return found
            time.sleep(0.05)
        return self.fail("it took too long")

    # The box with this text in it, ready.
    def write(self, text, kept=None):
        self.page.get(self.address + "book.html")
        self.script(
            "localStorage.clear(); for (const [path, text] of Object.entries(arguments[0])) localStorage.setItem('headlight my/' + path, text)",
            {f"{LESSON}.cpp": text, **(kept or {})},
        )
        self.page.get(self.address + "book.html?again#lesson-02-the-exercise")
        self.until(lambda: self.all(BOX))
        self.one(BOX + "button").click()
        self.until(lambda: "ready" in self.one(BOX + ".step").text)

    def check(self):
        begin = time.monotonic()
        self.one(BOX + ".check").click()
        self.until(lambda: self.one(BOX + ".check").is_enabled())
        return self.one(BOX + ".said").text, time.monotonic() - begin

    def shipped(self):
        return (ROOT / "lessons" / LESSON / "exercise.cpp").read_text()

    def solved(self):
        return (ROOT / "lessons" / LESSON / "solution.cpp").read_text()

    def test_the_size_is_told_and_nothing_loads_before(self):
        self.page.get(self.address + "book.html#lesson-02-the-exercise")
        self.until(lambda: self.all(BOX))
        self.assertRegex(self.one(BOX).text, r"Write it here The compiler comes into this page: \d\d MB, once")
        loaded = self.script("return performance.getEntriesByType('resource').map((each) => each.name)")
        self.assertFalse([name for name in loaded if name.endswith(".xz") or "editor" in name])

    def test_the_first_verdict_and_the_next(self):
        self.write(self.shipped())
        said, first = self.check()
        self.assertIn("This part is not written yet.", said)
        self.script("localStorage.setItem('headlight my/02_derivatives.cpp', arguments[0])", self.solved())
        print(f"first verdict {first:.1f} s, limit 20")
        self.assertLess(first, 60)  # cores may be shared
        line = self.one(BOX + ".said pre button:last-of-type")
        self.assertRegex(line.text, r"my/02_derivatives.cpp:\d+")

    def test_a_solution_is_right_and_draws(self):
        self.write(self.solved())
        said, seconds = self.check()
        print(f"verdict on the solution {seconds:.1f} s")
        self.assertIn("All parts are solved.", said)
        self.assertEqual(self.one(BOX + ".parts").text, "6 of 6 parts are solved")
        self.one(BOX + ".said > button").click()
        self.until(lambda: self.all(BOX + ".more img"))
        self.until(lambda: self.script("return document.querySelector(arguments[0]).naturalWidth", BOX + ".more img") > 100)

    def test_what_does_not_compile_is_marked(self):
        self.write(self.solved().replace("return", "retrun", 1))
        said, _ = self.check()
        self.assertRegex(said, r"my/02_derivatives.cpp:\d+:\d+: it does not compile.")
        marks = "return document.querySelector(arguments[0]).shadowRoot.querySelectorAll('.cm-lintRange-error').length"
        self.assertGreater(self.script(marks, BOX + ".editor"), 0)

    def test_an_endless_loop_is_ended(self):
        self.write(self.shipped().replace("{ todo(); }", "{ for (;;) static_cast<void>(b); return a; }", 1))
        said, seconds = self.check()
        self.assertIn("it was stopped after 10 seconds of computing", said)
        self.assertLess(seconds, 120)

    def test_a_crash_has_its_line(self):
        self.write(self.shipped().replace("{ todo(); }", "{ std::vector<int> v(3);\n  return v[7] > 0 ? a : b;\n}", 1))
        said, _ = self.check()
        self.assertIn("Your code crashed in line 14: an index is out of range", said)

    def test_hints_come_one_by_one_and_the_text_stays(self):
        self.write(self.shipped())
        self.one(BOX + ".acts button:nth-of-type(2)").click()
        self.until(lambda: "hint 1 of" in self.one(BOX + ".more").text)
        self.one(BOX + ".acts button:nth-of-type(2)").click()
        self.until(lambda: "hint 2 of" in self.one(BOX + ".more").text)
        self.page.get(self.address + "book.html?later#lesson-02-the-exercise")
        self.assertEqual(self.script("return localStorage.getItem('headlight my/02_derivatives.cpp')"), self.shipped())

    def test_my_folder_can_be_downloaded(self):
        self.write(self.shipped(), {"03_reverse_mode.cpp": "// three"})
        self.one(BOX + ".acts summary").click()
        self.one(BOX + ".acts details button:nth-of-type(2)").click()
        file = pathlib.Path(self.downloads.name) / "my.tar"
        self.until(file.exists)
        with tarfile.open(file) as tar:
            self.assertEqual(tar.extractfile("my/03_reverse_mode.cpp").read(), b"// three")

    def test_it_fits_a_phone(self):
        with self.screen(390, 844, phone=True):
            self.write(self.solved())
            self.check()
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)

    def test_a_network_that_is_lost_is_said(self):
        self.page.get(self.address + "book.html")
        self.script("localStorage.clear(); return caches.delete('headlight-solve')")
        self.page.get(self.address + "book.html?again#lesson-02-the-exercise")
        self.until(lambda: self.all(BOX))
        self.page.execute_cdp_cmd("Network.clearBrowserCache", {})
        Quiet.lost = "libexercise"
        self.one(BOX + "button").click()
        self.until(lambda: "libexercise.a.xz cannot be loaded: the server answers 503" in self.one(BOX + ".step").text)
        Quiet.lost = None
        self.assertIn("not written yet", self.check()[0])  # the rest comes
        self.page.get_log("browser")  # which names the failed request

    # As in a private window of some browsers.
    def test_a_window_that_keeps_nothing_says_so(self):
        script = "Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError') }"
        added = self.page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        try:
            self.page.get(self.address + "book.html")  # a page that stands there already would not load again
            self.script("localStorage.clear()")
            self.page.get(self.address + "book.html?again#lesson-02-the-exercise")
            self.until(lambda: self.all(BOX))
            self.one(BOX + "button").click()
            self.until(lambda: "ready" in self.one(BOX + ".step").text)
            self.assertIn("This window keeps nothing: download my/", self.one(BOX + ".step").text)
            self.assertIn("not written yet", self.check()[0])
        finally:
            self.page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)

    def test_a_browser_without_room_says_so(self):
        Quiet.before = "WebAssembly.Instance = function () { throw new RangeError('Out of memory') };"
        try:
            self.page.get(self.address + "book.html")
            self.script("localStorage.clear()")
            self.page.execute_cdp_cmd("Network.clearBrowserCache", {})
            self.page.get(self.address + "book.html?again#lesson-02-the-exercise")
            self.until(lambda: self.all(BOX))
            self.one(BOX + "button").click()
            self.until(lambda: "ready" in self.one(BOX + ".step").text)
            self.one(BOX + ".check").click()
            self.until(lambda: "This browser has no room for the compiler" in self.one(BOX).text)
        finally:
            Quiet.before = ""


if __name__ == "__main__":
    unittest.main(verbosity=2)
