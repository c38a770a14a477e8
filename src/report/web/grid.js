// A button with a small picture for every head; layers are rows.

const { element, capital } = headlight.text;
const { drawPattern } = headlight.map;

class HeadGrid {
  constructor(root, { run, look, selection }) {
    Object.assign(this, { root, run, look, selection, buttons: [] });
    root.style.gridTemplateColumns = "repeat(" + run.n_heads + ", minmax(" + (run.n_heads > 6 ? 3.4 : 4.2) + "rem, var(--thumb)))";
    for (let head = 0; head < run.heads; ++head) {
      const caption = element("span", {}, element("b", {}, run.headCode(head)), element("i"), element("span"), element("small"));
      const button = element("button", { type: "button" }, element("canvas", { "aria-hidden": "true" }), caption);
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
      this.caption(button.lastChild, table.describe(scores[head], run.found));
      button.title = capital(run.headName(head)) + (scores[head] ? ": " + table.text(scores[head]) : "");
      button.setAttribute("aria-pressed", head === selection.head);
    });
    // The focus moves with the choice when it stands on one of the heads.
    if (this.head !== selection.head && this.root.contains(document.activeElement)) this.buttons[selection.head].focus();
    this.head = selection.head;
  }

  // "L1H0 0.98", "induction head"; below the threshold "L1H1", "no known kind", "previous 0.06".
  caption(node, is) {
    const [, score, role, strongest] = node.children;
    score.textContent = is?.known ? is.score : "";
    role.textContent = is?.role ?? "";
    strongest.textContent = is && !is.known ? is.score : "";
    node.className = is?.known ? "caption found" : "caption";
  }

  // The caption of a head on one line or two, for a saved picture.
  captionLines(head) {
    const [code, score, role, strongest] = Array.from(this.buttons[head].lastChild.children, (part) => part.textContent);
    return [[code, score].join(" ").trim(), [role, strongest].join(" ").trim()];
  }
}

headlight.grid = { HeadGrid };
