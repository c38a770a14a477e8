// The settings of a new model. Names, help and choices are those of the terminal; the engine says what cannot
// be.

import { byId, element } from "../kit/text.js";

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
    byId("lab-form").replaceChildren(...this.fields.map(({ label }) => label));
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
    const changed = values.filter(({ part, key, value }) => value !== this.config[part][key]);
    const words = changed.map(({ key, value }) => `${key} ${value}`).join(", ") || "the settings of the run";
    return { chosen, words, settings: changed.map(({ part, key, value }) => `${part}.${key}=${value}`) };
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
