"""A page of the report in a real browser, for the tests beside this file.

They are run by ctest (./headlight test --browser). REPORTS names the folder with the pages that `run` prepares.
"""

import base64
import contextlib
import json
import os
import pathlib
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

REPORTS = pathlib.Path(os.environ["REPORTS"])
DEMO = REPORTS / "demo" / "report.html"
LARGE = REPORTS / "large" / "report.html"
EXPANDED = {}
SIZES = {390: 844, 820: 1180, 1400: 1000, 2560: 1300}
# Takes a page that is open back to how it began; false if another page is open, or this one cannot be taken back.
BEGIN_AGAIN = """
    const [path, part] = arguments, section = document.getElementById("part-" + part);
    if (!window.begun || location.pathname !== path || !section || section.hidden) return false;
    const { store, glossary } = headlight.app, { view } = store.state;
    document.activeElement.blur();
    glossary.hide();
    for (const folded of document.querySelectorAll("details")) folded.open = false;
    history.replaceState(null, "", "#" + part);
    store.change({ ...window.begun, view, tab: part, opened: part });
    scrollTo(0, 0);
    return true"""
MOVE_SLIDER = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"


# A page in three pieces: what stands before the run's data, the data as text, and the rest.
def pieces_of(file):
    before, opening, rest = file.read_text().partition('id="data">')
    data, closing, after = rest.partition("</script>")
    return before + opening, data, closing + after


def data_of(file):
    return json.loads(pieces_of(file)[1])


# What src/web/page/compress.h describes, written a third time.
def expanded(packed):
    key = packed if isinstance(packed, str) else packed["data"]
    if key not in EXPANDED:
        code = base64.b64decode(key)
        EXPANDED[key] = code if isinstance(packed, str) else decode(code, packed["size"], packed["stride"])
    return EXPANDED[key]


def decode(code, size, stride):
    low, high, x, rest = 0, 0xffffffff, int.from_bytes(code[:4], "big"), iter(code[4:])
    chances, out = {}, bytearray(size)

    def bit(context):
        nonlocal low, high, x
        p, distance = chances.get(context, 2048), high - low
        middle = low + (distance >> 12) * p + ((distance & 0xfff) * p >> 12)
        one = x <= middle
        low, high = (low, middle) if one else (middle + 1, high)
        chances[context] = p + (4096 - p >> 4) if one else p - (p >> 4)
        while low >> 24 == high >> 24:
            low, high, x = low << 8 & 0xffffffff, high << 8 & 0xffffffff | 0xff, x << 8 & 0xffffffff | next(rest, 0)
        return int(one)

    before, same = 0, 0
    for i in range(size):
        above = out[i - stride] if i >= stride else 0
        context = (above.bit_length(), before.bit_length())
        same, before = bit((context, "same", same)), above
        if not same:
            node = 1
            for _ in range(8):
                node = 2 * node + bit((context, node))
            before = node & 0xff
        out[i] = before
    return bytes(out)


def browser(downloads, *more):
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ["CHROMIUM"]
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000",
                     "--force-device-scale-factor=1", *more):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(os.environ["CHROMEDRIVER"]), options=options)
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": downloads})
    return driver


# A file of tests starts Chromium once: each start takes more than a second of processor time.
class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.downloads = tempfile.TemporaryDirectory()
        cls.page = browser(cls.downloads.name)

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()
        cls.downloads.cleanup()

    # Every test begins with no key held and nothing emulated.
    def setUp(self):
        self.actions().reset_actions()
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})

    # A report as it opens. Tests share the page of a file, because to open it takes a second of processor time.
    def open(self, file=DEMO, part="heads"):
        away = self.actions()
        away.w3c_actions.pointer_action.move_to_location(0, 0)
        away.perform()
        if not self.script(BEGIN_AGAIN, file.as_uri().removeprefix("file://"), part):
            self.page.get("about:blank")
            self.page.get(file.as_uri() + "#" + part)
            self.script("window.begun = window.headlight && { ...headlight.app.store.state }")

    # What follows cannot be undone: the next test opens the page again.
    def spoil(self):
        self.script("window.begun = undefined")

    # Every test: no error on the console, no request but for the page itself.
    def tearDown(self):
        errors = [entry for entry in self.page.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [])
        for entry in self.page.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertTrue(url.startswith(("file:", "data:", "blob:", "about:", "chrome:")), url)

    # A window of this size, with touch instead of a mouse where it is a phone's.
    def emulate(self, width, height, theme="light", phone=False):
        command = self.page.execute_cdp_cmd
        command("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})
        command("Emulation.setTouchEmulationEnabled", {"enabled": phone})
        self.theme(theme)
        self.frames()

    # Such a window for a while. On a phone a page is opened anew, because few readers turn another window into one.
    @contextlib.contextmanager
    def screen(self, width, height, theme="light", phone=False):
        if phone:
            self.spoil()
        self.emulate(width, height, theme, phone)
        try:
            yield
        finally:
            if phone:
                self.spoil()
            self.page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
            self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
            self.page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
            self.frames()

    # Until the page has seen its new size.
    def frames(self):
        self.page.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def theme(self, name):
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def box(self, selector):
        return self.script("const r = document.querySelector(arguments[0]).getBoundingClientRect();"
                           "return { left: r.left, top: r.top, right: r.right, bottom: r.bottom }", selector)

    def one(self, selector):
        return self.page.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.page.find_elements(By.CSS_SELECTOR, selector)

    def text(self, identifier):
        return self.page.find_element(By.ID, identifier).text

    def script(self, code, *arguments):
        return self.page.execute_script(code, *arguments)

    def tab(self, name):
        self.page.find_element(By.CSS_SELECTOR, f"[data-tab={name}]").click()

    # Keys and moves of the pointer, which would take a quarter of a second each.
    def actions(self):
        return ActionChains(self.page, duration=0)

    def keys(self, *keys):
        chain = self.actions()
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    # Moves to the centre of a cell of the large picture. WebDriver counts whole pixels from the element's centre, rounded down.
    def point(self, part, query, key):
        element = self.page.find_element(By.ID, part + "-map")
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        x, y = self.script(
            "const v = headlight.app.parts[arguments[0]].map, u = v.unit, box = arguments[3].getBoundingClientRect();"
            "const from = (low, high, place) => Math.round(low + place - Math.floor((low + high) / 2));"
            "return [from(box.left, box.right, v.left + (arguments[2] + .5) * u), from(box.top, box.bottom, v.top + (arguments[1] + .5) * u)]",
            part, query, key, element)
        return self.actions().move_to_element_with_offset(element, x, y)

    def summary(self, folder="demo"):
        return json.loads((REPORTS / folder / "summary.json").read_text())

    def slide(self, snapshot):
        self.script(MOVE_SLIDER, self.page.find_element(By.ID, "training-slider"), snapshot)
