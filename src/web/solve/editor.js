// The editor of a box.
import { cpp } from "@codemirror/lang-cpp";
import { indentWithTab } from "@codemirror/commands";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.modifier], color: "var(--word)" },
  { tag: [tags.string, tags.character], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--warm)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.processingInstruction, tags.meta], color: "var(--soft)" },
]);

const look = EditorView.theme({
  "&": {
    backgroundColor: "var(--ground)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "4px",
  },
  "&.cm-focused": { outline: "2px solid var(--link)" },
  ".cm-scroller": {
    maxHeight: "min(70vh, 40rem)",
    overflow: "auto",
    fontFamily: "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    fontSize: "13.5px",
    lineHeight: "1.45",
  },
  ".cm-gutters": {
    backgroundColor: "var(--ground)",
    color: "var(--soft)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--link) 8%, transparent)",
  },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--lit)",
  },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
  },
});

/**
 * @param {HTMLElement} place
 * @param {{ text: string; label: string; onChange: (text: string) => void; onCheck: () => void }} how
 */
export function openEditor(place, { text, label, onChange, onCheck }) {
  // In a shadow tree its styles need no element, which the page's policy refuses.
  const root = place.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    doc: text,
    extensions: [
      keymap.of([{ key: "Mod-Enter", run: () => (onCheck(), true) }, indentWithTab]),
      basicSetup,
      cpp(),
      indentUnit.of("  "),
      syntaxHighlighting(colours),
      lintGutter(),
      look,
      innerWidth < 700 ? EditorView.lineWrapping : [],
      EditorView.contentAttributes.of({
        "aria-label": label,
        spellcheck: "false",
        autocapitalize: "off",
        autocorrect: "off",
      }),
      EditorView.updateListener.of((/** @type {any} */ update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
    ],
  });
  let marked = { number: 0, from: 0 };
  const lineAt = (/** @type {number} */ number) =>
    view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  return {
    text: () => view.state.doc.toString(),
    replace: (/** @type {string} */ whole) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: whole } }),
    focus: () => view.focus(),
    /**
     * Marks a line; column 0 is all of it.
     *
     * @param {number} number
     * @param {number} column
     * @param {boolean} wrong
     * @param {string} message
     */
    mark(number, column, wrong, message) {
      const line = lineAt(number);
      const from = Math.min(line.from + Math.max(column - 1, line.text.search(/\S|$/)), line.to);
      const word = /^\w+|^\S?/.exec(line.text.slice(from - line.from))[0];
      const to = column > 0 ? from + word.length : line.to;
      marked = { number, from };
      view.dispatch(setDiagnostics(view.state, [{ from, to, severity: wrong ? "error" : "info", message }]));
      view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) });
    },
    unmark: () => view.dispatch(setDiagnostics(view.state, [])),
    go(/** @type {number} */ number) {
      const line = lineAt(number);
      view.dispatch({
        selection: { anchor: marked.number === number ? marked.from : line.from },
        effects: EditorView.scrollIntoView(line.from, { y: "center" }),
      });
      view.focus();
    },
  };
}
