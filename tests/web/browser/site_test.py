"""What `./headlight site` writes, opened as files without a network."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from page import PageTest

ROOT = pathlib.Path(__file__).parents[3]


class Test(PageTest):
    @classmethod
    def setUpClass(cls):
        if not (ROOT / "build/lab/engine.gz").exists() or not shutil.which("pandoc"):
            raise unittest.SkipTest("./headlight lab and book have not installed what a site needs")
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.folder.name) / "public"
        subprocess.run([ROOT / "headlight", "site", "--no-papers", "-o", cls.site], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()
        super().tearDownClass()

    def test_every_link_leads_to_what_is_there(self):
        pages = sorted(self.site.rglob("*.html"))
        self.assertEqual([page.name for page in pages], ["book.html", "index.html", "lab.html"])
        for page in pages:
            text = page.read_text()
            links = set(re.findall(r'<a href="([^":#]+)(?:#([^"&]*))?[^"]*"', text))
            self.assertTrue(page.name == "book.html" or len(links) > 2)
            for link, part in links:
                with self.subTest(page=page.name, link=link, part=part):
                    self.assertTrue((page.parent / link).exists())
                    self.assertIn(f'id="{part}"' if part not in ("", "lab") else "", (page.parent / link).read_text())

    def test_the_front_begins_with_the_first_minute_and_leads_to_a_model_to_train(self):
        self.page.get((self.site / "index.html").as_uri())
        self.assertTrue(self.script("return document.getElementById('minute').getBoundingClientRect().height > 300"))
        self.script("document.querySelector(\"footer a[href='lab.html']\").click()")
        self.assertTrue(self.page.current_url.partition("#")[0].endswith("/lab.html"))
        self.assertIn("Train: ten seconds", self.page.find_element("tag name", "main").text)

    def test_a_folder_of_other_files_is_left_alone(self):
        (folder := pathlib.Path(self.folder.name) / "mine").mkdir()
        (folder / "index.html").write_text("mine")
        ended = subprocess.run([ROOT / "headlight", "site", "-o", folder], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stdout), (2, ""))
        self.assertIn("holds other files. Hint: name a new folder with --out.", ended.stderr)
        self.assertEqual([file.name for file in folder.iterdir()], ["index.html"])


if __name__ == "__main__":
    unittest.main()
