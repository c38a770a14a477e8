// What the lab gives away as files: weights and config, the large pattern, and the page itself as it is.

const { byId, visible } = headlight.text;
const { asInFile } = headlight.damage;
const { mapPicture } = headlight.picture;
const { download, patternRows, saveButtons } = headlight.save;

/** @type {HTMLElement | null} */
let asOpened = null;

// Keeps the document as it came, so that it can be saved without what the scripts draw into it.
function keepDocument() {
  asOpened = asInFile(document);
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/**
 * The page with a model in its lab, and an address that it opens at.
 *
 * @param {KeptLab} kept
 * @param {string} address
 */
function pageWith(kept, address) {
  const data = asOpened.querySelector("#data");
  const before = data.textContent;
  const page = JSON.parse(before);
  page.lab.kept = kept;
  page.address = address;
  data.textContent = JSON.stringify(page).replaceAll("<", "\\u003c");
  const html = "<!doctype html>\n" + asOpened.outerHTML + "\n";
  data.textContent = before;
  return html;
}

class Saving {
  /** @param {InstanceType<Headlight["lab_part"]["LabPart"]>} part */
  constructor(part) {
    this.part = part;
    const { app, play } = part;
    byId("lab-save").addEventListener("click", () => this.weights());
    byId("lab-save-page").addEventListener("click", () => this.page());
    const head = () => play.code(play.head);
    const picture = () => {
      const texts = play.tokens.map((id) => visible(play.model.vocabulary[id]));
      const note = "Sequence: " + texts.join(play.letters ? "" : " ") + ". " + byId("lab-words").textContent;
      const pattern = play.now.patterns.pattern(play.head);
      return mapPicture(pattern, [texts, texts], app.look.scale(), "Attention pattern of " + head(), note);
    };
    byId("lab-picture").append(
      saveButtons(app.run, "this pattern", picture, head, () =>
        patternRows({ headCode: head }, [play.head], () => play.now.patterns.pattern(play.head)),
      ),
    );
  }

  async weights() {
    const weights = await this.part.training.first.call("weights");
    download("model.safetensors", new Blob([weights.slice()], { type: "application/octet-stream" }));
    const config = JSON.stringify(this.part.model.config, null, 2);
    download("config.json", new Blob([config], { type: "application/json" }));
  }

  async page() {
    const { part } = this;
    const weights = base64(await part.training.first.call("weights"));
    const kept = {
      config: part.model.config,
      weights,
      words: part.words(),
      settings: part.settings ?? [],
      step: part.last?.step ?? part.base,
    };
    const html = pageWith(kept, location.hash);
    download("headlight lab.html", new Blob([html], { type: "text/html" }));
  }
}

/** @typedef {typeof names} Names */
const names = { Saving, keepDocument, pageWith };
headlight.lab_saving = names;
