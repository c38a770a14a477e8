"""A page asks nobody for anything: a proxy that every request of the browser passes sees none."""

import http.server
import pathlib
import tempfile
import threading
import unittest

from page import DEMO, REPORTS, browser

# What Chromium asks of its maker in its own name.
MAKER = (".google.com", ".googleapis.com", ".gvt1.com", ".gstatic.com", ".google")
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps", "--no-first-run",
         "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--no-pings", "--metrics-recording-only")
LEAK = """<!doctype html><title>leak</title><link rel="stylesheet" href="http://elsewhere.test/style"><img src="http://elsewhere.test/image">
<script>new Image().src = "https://secure.test/";</script>"""


class Proxy(http.server.ThreadingHTTPServer):
    """Notes who is asked. It answers for report.test alone, with the files of a folder."""

    def __init__(self):
        self.asked, self.files = [], {}
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        file = self.server.files.get(self.path)
        self.send_response(200 if file else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if file:
            self.wfile.write(file)

    def do_CONNECT(self):
        self.server.asked.append("https://" + self.path)
        self.send_error(404)

    do_POST = do_HEAD = do_PUT = do_GET

    def log_message(self, *_):
        pass


class Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.downloads, cls.proxy = tempfile.TemporaryDirectory(), Proxy()
        cls.page = browser(cls.downloads.name, *QUIET, f"--proxy-server=http://127.0.0.1:{cls.proxy.server_port}", "--proxy-bypass-list=<-loopback>")

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.proxy.shutdown()
        cls.proxy.server_close()
        cls.downloads.cleanup()

    # Whom the page asked, but for itself.
    def asked(self, address):
        self.proxy.asked.clear()
        self.page.get(address)
        self.page.execute_script("[...document.querySelectorAll('nav button')].filter((b) => b.getClientRects().length > 0).forEach((b) => b.click())")
        self.page.execute_async_script("setTimeout(arguments[0], 300)")
        host = lambda url: url.split("/")[2].split(":")[0]
        return [url for url in self.proxy.asked if url != address and not ("." + host(url)).endswith(MAKER)]

    def test_a_page_that_asks_is_caught(self):
        address = "http://report.test/leak.html"
        self.proxy.files[address] = LEAK.encode()
        asked = self.asked(address)
        self.assertIn("http://elsewhere.test/style", asked)
        self.assertIn("http://elsewhere.test/image", asked)
        self.assertTrue(any(url.startswith("https://secure.test") for url in asked), asked)
        file = pathlib.Path(self.downloads.name) / "leak.html"
        file.write_text(LEAK)
        self.assertIn("http://elsewhere.test/image", self.asked(file.as_uri()))

    def test_no_page_asks_from_disk(self):
        for name in ("demo/report.html", "words.html", "compared.html", "course.html"):
            self.assertEqual(self.asked((REPORTS / name).as_uri()), [], name)

    def test_no_page_asks_from_a_server(self):
        address = "http://report.test/demo/report.html"
        self.proxy.files[address] = DEMO.read_bytes()
        self.assertEqual(self.asked(address), [])
        local = f"http://localhost:{self.proxy.server_port}/report.html"  # as a server on this machine gives it
        self.proxy.files[local] = self.proxy.files["/report.html"] = DEMO.read_bytes()
        self.assertEqual([url for url in self.asked(local) if url != "/report.html"], [])


if __name__ == "__main__":
    unittest.main()
