// The settings of a new model. Names, help and choices are those of the terminal; the engine says what cannot
// be.

import { byId, element, sentence } from "../kit/text.js";

const FIRST = ["name", "n_layers", "n_heads"]; // at sight; the others are unfolded
const PARTS = [
  ["task", "The task"],
  ["model", "The model"],
  ["train", "Its training"],
];

/**
 * The largest number up to `most` that divides a batch; of an impossible batch, which the engine refuses, 1.
 *
 * @param {unknown} batch
 * @param {number} most
 */
function divisor(batch, most) {
  const count = Number(batch);
  if (!(count >= 1 && Number.isInteger(count))) return 1;
  return Array.from({ length: most }, (_, i) => most - i).find((shards) => count % shards === 0);
}

/**
 * What the engine says, without hints of the terminal: flags, and settings that the form lacks.
 *
 * @param {unknown} error
 * @param {LabConfig} config
 * @param {{ key: string }[]} fields
 */
export function refusal(error, config, fields) {
  const [what, hint = ""] = sentence(error).split(" Hint: ");
  const offered = fields.map(({ key }) => key);
  const lacking = Object.values(config)
    .flatMap((part) => Object.keys(part))
    .filter((key) => !offered.includes(key));
  /** @type {(clause: string) => boolean} */
  const possible = (clause) =>
    !clause.includes("--") && !lacking.some((key) => new RegExp(`\\b${key}\\b`).test(clause));
  const hints = hint.split("; ").filter((clause) => clause !== "" && possible(clause));
  return hints.length === 0 ? what : `${what} Hint: ${hints.join("; ").replace(/[.]$/, "")}.`;
}

/**
 * In what the config of one model differs from that of another, in the fields of a form.
 *
 * @param {{ part: string; key: string }[]} fields
 * @param {LabConfig} one
 * @param {LabConfig} other
 */
export function differences(fields, one, other) {
  const changed = fields.filter(({ part, key }) => one[part][key] !== other[part][key]);
  const words = changed.map(({ part, key }) => `${key} ${one[part][key]} instead of ${other[part][key]}`);
  return words.join(", ") || "the same settings as the first";
}

export class Form {
  /** @param {LabData} lab */
  constructor({ config, form }) {
    this.config = config;
    this.fields = form.map(({ part, key, help, choices }) => {
      const now = config[part][key];
      const control =
        choices !== undefined
          ? element(
              "select",
              {},
              ...choices.map((name) => element("option", { selected: name === now }, name)),
            )
          : typeof now === "boolean"
            ? element("input", { type: "checkbox", checked: now })
            : element("input", { type: "number", min: 0, step: "any", value: Number(now) });
      control.id = "lab-" + key;
      return {
        part,
        key,
        control,
        label: element("label", {}, help + " ", element("small", {}, key), " ", control),
      };
    });
    const first = this.fields.filter(({ key }) => FIRST.includes(key));
    byId("lab-form").replaceChildren(...first.map(({ label }) => label));
    for (const [part, title] of PARTS) {
      const others = this.fields.filter((field) => field.part === part && !first.includes(field));
      const controls = element("div", { class: "controls" }, ...others.map(({ label }) => label));
      byId("lab-more").append(element("fieldset", {}, element("legend", {}, title), controls));
    }
  }

  /** @param {Form["fields"][number]} field */
  value({ control }) {
    if (control instanceof HTMLSelectElement) return control.value;
    return control.type === "checkbox" ? control.checked : Number(control.value);
  }

  // The run's config with the choices; of another task, or in another context, with its own defaults.
  chosen() {
    const chosen = structuredClone(this.config);
    const values = this.fields.map((field) => ({ ...field, value: this.value(field) }));
    const other = values.some(({ part, key, value }) => part === "task" && value !== this.config.task[key]);
    if (other) chosen.task = {};
    for (const { part, key, value } of values) {
      chosen[part][key] = value;
    }
    chosen.model.d_head = 0; // the width over the heads
    chosen.train.steps = 1_000_000;
    // The form has no field for the shards.
    chosen.train.shards = divisor(chosen.train.batch, Number(chosen.train.shards));
    const changed = values.filter(({ part, key, value }) => value !== this.config[part][key]);
    const words = changed.map(({ key, value }) => `${key} ${value}`).join(", ") || "the settings of the run";
    return { chosen, words, settings: changed.map(({ part, key, value }) => `${part}.${key}=${value}`) };
  }

  // The settings of a model that there was before.
  /** @param {LabConfig} config */
  show(config) {
    this.put(this.fields.map(({ part, key }) => `${part}.${key}=${config[part][key]}`));
  }

  /**
   * Puts settings, such as "task.n_ctx=16", into the form, and the run's into the rest.
   *
   * @param {string[]} settings
   */
  put(settings) {
    const given = new Map(settings.map((one) => /** @type {[string, string]} */ (one.split("="))));
    for (const { part, key, control } of this.fields) {
      const value = given.get(part + "." + key) ?? String(this.config[part][key]);
      if (control instanceof HTMLInputElement && control.type === "checkbox")
        control.checked = value === "true";
      else control.value = value;
    }
  }
}
