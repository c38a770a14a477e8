// A text of the terminal in a page: what one would type, or open in an editor, is pressed.

/**
 * @param {string} text
 * @param {[string, (found: string) => void][]} acts expressions with one pair of brackets each, and what is
 *   done with what stands in these
 */
export function pressable(text, acts) {
  const block = document.createElement("pre");
  const any = new RegExp(acts.map(([words]) => words).join("|"), "g");
  let from = 0;
  for (const found of text.matchAll(any)) {
    block.append(text.slice(from, found.index));
    from = found.index + found[0].length;
    const act = acts.findIndex(([words]) => new RegExp(`^(?:${words})$`).test(found[0]));
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = found[0];
    button.addEventListener("click", () => acts[act][1](found[act + 1]));
    block.append(button);
  }
  block.append(text.slice(from));
  return block;
}
