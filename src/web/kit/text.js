// Tokens as text. Whatever a vocabulary holds is shown and nothing of it is run: text reaches the page
// through textContent alone.

const INVISIBLE = new RegExp(
  "[\\u0080-\\u00a0\\u00ad\\u061c\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u21b5\\u2400-\\u2426" +
    "\\u3000\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff]",
);

/**
 * What has no look of its own gets one: ␣ for a space, ↵ for a line feed, which more fonts have than ␊,
 * U+200B for what has no symbol, and U+2423 for ␣ itself.
 *
 * @param {string} text
 */
export function visible(text) {
  if (text === "") return "∅";
  return Array.from(text, (character) => {
    const code = character.codePointAt(0);
    if (character === "\n") return "↵";
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x20) return "␣";
    if (code === 0x7f) return "␡";
    return INVISIBLE.test(character) ? "U+" + code.toString(16).toUpperCase().padStart(4, "0") : character;
  }).join("");
}

/**
 * L1H0: of the heads of all layers, in one row.
 *
 * @param {number} head
 * @param {number} nHeads in a layer
 */
export function headCode(head, nHeads) {
  return `L${Math.floor(head / nHeads)}H${head % nHeads}`;
}

/**
 * An element without the attributes that are false, null or undefined.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...(string | Node)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/**
 * No line begins with the comma after a term or a head.
 *
 * @param {HTMLElement} node
 * @param {string} close
 */
export function glued(node, close) {
  return close === "" ? node : element("span", { class: "glued" }, node, close);
}

/**
 * A row of a table: its first cell is its heading.
 *
 * @param {string | Node} first
 * @param {...(string | Node)} others
 */
export function tableRow(first, ...others) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, first),
    ...others.map((cell) => element("td", {}, cell)),
  );
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...(string | Node)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/**
 * @template {string} Id
 * @param {Id} id
 * @returns {Id extends keyof PageElements ? PageElements[Id] : HTMLElement}
 */
export function byId(id) {
  return /** @type {any} */ (document.getElementById(id));
}

/**
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
export function elements(selector) {
  return document.querySelectorAll(selector);
}

/**
 * What an event happened on.
 *
 * @param {Event} event
 */
export function targetOf(event) {
  return /** @type {Element} */ (event.target);
}

/**
 * Choices of a select, in place: it may be open.
 *
 * @param {HTMLSelectElement} select
 * @param {string[]} texts
 */
export function setOptions(select, texts) {
  if (select.length !== texts.length)
    select.replaceChildren(...texts.map((_, value) => element("option", { value })));
  texts.forEach((text, i) => {
    if (select.options[i].textContent !== text) select.options[i].textContent = text;
  });
}

/**
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits = 2) {
  return value.toFixed(digits);
}

/**
 * "0.31 instead of 0.98"
 *
 * @param {number} now
 * @param {number} before
 */
export function insteadOf(now, before) {
  const [one, other] = [fixed(now), fixed(before)];
  return one === other ? `${one} as before` : `${one} instead of ${other}`;
}

/**
 * "97.5 %". 100 stands only for all of it, and 0 only for nothing: 0.9999 is ">99.9 %", 0.0001 is "<0.1 %".
 *
 * @param {number} part
 * @param {number} digits
 */
export function percent(part, digits = 1) {
  const least = 10 ** -digits;
  const text = fixed(100 * part, digits);
  if (part < 1 && text === fixed(100, digits)) return ">" + fixed(100 - least, digits) + " %";
  if (part > 0 && text === fixed(0, digits)) return "<" + fixed(least, digits) + " %";
  return text + " %";
}

/**
 * What an error says, with its full stop.
 *
 * @param {unknown} error
 */
export function sentence(error) {
  const { message } = /** @type {Error} */ (error);
  return /[.!?]$/.test(message) ? message : message + ".";
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
