// What makes the lab's model, as the address holds it: "new=model.n_layers=1,task.n_ctx=16&step=300".

/**
 * @param {string} settings "model.n_layers=1,task.n_ctx=16"
 * @param {string | null} step
 */
export function originOf(settings, step) {
  return `new=${settings}&step=${Number(step) || 0}`;
}

/**
 * The model that an address asks for: a new one with these settings, after so many steps; null for the run's.
 *
 * @param {string} lab
 */
export function originIn(lab) {
  const parts = new URLSearchParams(lab);
  const settings =
    parts
      .get("new")
      ?.split(",")
      .filter((one) => one !== "") ?? null;
  return { settings, step: Number(parts.get("step")) };
}

/**
 * Whether two addresses ask for the same model.
 *
 * @param {string} one
 * @param {string} other
 */
export function sameOrigin(one, other) {
  const [first, second] = [originIn(one), originIn(other)];
  if (first.settings === null || second.settings === null) return first.settings === second.settings;
  const sorted = (/** @type {string[]} */ settings) => [...settings].sort().join();
  return sorted(first.settings) === sorted(second.settings) && first.step === second.step;
}

/**
 * The address in a page that holds the model itself.
 *
 * @param {string} address
 */
export function withoutOrigin(address) {
  return address
    .split("&")
    .filter((choice) => !/^(new|step)=/.test(choice))
    .join("&");
}
