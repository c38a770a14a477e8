// A button with a small picture for every head; layers are rows.

const { element } = headlight.text;
const { drawPattern } = headlight.map;

class HeadGrid {
  constructor(root, { run, look, selection }) {
    Object.assign(this, { root, run, look, selection, buttons: [] });
    root.style.gridTemplateColumns = "repeat(" + run.n_heads + ", minmax(" + (run.n_heads > 6 ? 3.4 : 4.2) + "rem, 1fr))";
    for (let head = 0; head < run.heads; ++head) {
      const button = element("button", { type: "button" }, element("canvas", { "aria-hidden": "true" }), element("span"));
      button.addEventListener("click", () => selection.chooseHead(head));
      this.buttons.push(button);
      root.append(button);
    }
  }

  // pattern(head) and the scores of each head, where there are any.
  show(pattern, scores) {
    const { run, selection } = this;
    this.buttons.forEach((button, head) => {
      const canvas = button.firstChild, table = run.scoreTable;
      drawPattern(canvas, pattern(head), this.look.scale());
      canvas.style.aspectRatio = Math.min(Math.max(canvas.width / canvas.height, 0.5), 2);
      const best = scores[head] ? table.strongest(scores[head]).value : 0;
      button.lastChild.textContent = (run.headName(head) + " " + table.strongestText(scores[head])).trim();
      button.lastChild.className = best >= run.found ? "found" : "";
      button.title = "Head " + run.headName(head) + (scores[head] ? ": " + table.text(scores[head]) : "");
      button.setAttribute("aria-pressed", head === selection.head);
    });
    // The focus moves with the choice when it stands on one of the heads.
    if (this.head !== selection.head && this.root.contains(document.activeElement)) this.buttons[selection.head].focus();
    this.head = selection.head;
  }
}

headlight.grid = { HeadGrid };
