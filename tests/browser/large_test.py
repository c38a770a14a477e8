"""A page of 20 MB does not freeze: opening it, and each click, keeps the browser for a second at most."""

import unittest

from selenium.webdriver.common.by import By

from page import LARGE, REPORTS, PageTest

HEAVY = REPORTS / "heavy.html"
MOST = 1000  # ms
# The longest task since the last look, once the page has been drawn.
LONGEST = """
    const done = arguments[0];
    requestAnimationFrame(() => setTimeout(() => {
      const tasks = [...(window.tasks ?? []), ...window.observer.takeRecords().map((t) => t.duration)];
      window.tasks = [];
      done(Math.max(0, ...tasks));
    }, 50))"""
OBSERVE = """
    window.tasks = [];
    window.observer = new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((t) => t.duration)));
    window.observer.observe({ type: 'longtask', buffered: true });"""


class Test(PageTest):
    def longest(self):
        return self.page.execute_async_script(LONGEST)

    def open_watched(self, file, part):
        self.open(file, part)
        self.script(OBSERVE)
        self.page.execute_async_script("setTimeout(arguments[0], 100)")
        return self.longest()

    def watch(self, what, times):
        times[what] = max(times.get(what, 0), round(self.longest()))

    def test_it_is_large(self):
        self.assertGreater(HEAVY.stat().st_size, 20e6)

    def test_a_long_task_is_noticed(self):
        self.open_watched(LARGE, "heads")
        self.script("setTimeout(() => { const end = performance.now() + 400; while (performance.now() < end); })")
        self.page.execute_async_script("setTimeout(arguments[0], 600)")
        self.assertGreaterEqual(self.longest(), 390)

    def test_it_does_not_freeze(self):
        times = {}
        for part in ("heads", "predictions", "training", "about"):
            times["open " + part] = round(self.open_watched(HEAVY, part))
        self.open_watched(HEAVY, "heads")
        for part in ("predictions", "training", "about", "heads"):
            self.tab(part)
            self.watch("to " + part, times)
        for part, selector in (("heads", "#heads-grid button"), ("training", "#training-grid button"), ("predictions", "#predictions-looks button"),
                               ("predictions", "#predictions-tokens .token")):
            self.tab(part)
            self.longest()
            for button in self.page.find_elements(By.CSS_SELECTOR, selector)[1:100:40]:
                self.script("arguments[0].click()", button)
                self.watch(f"click {selector}", times)
        self.tab("training")
        self.longest()
        for moment in (3, 9, 15):
            self.slide(moment)
            self.watch(f"moment {moment}", times)
        self.script("window.dispatchEvent(new Event('resize'))")
        self.watch("resize", times)
        print(times)
        self.assertEqual({what: ms for what, ms in times.items() if ms > MOST}, {})


if __name__ == "__main__":
    unittest.main()
