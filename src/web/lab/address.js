// What is played with, as the address holds it: a link shows it to others.

/**
 * "tokens:5,16,57;off:L0H1;head:L1H0;cell:40,23;cut:L1H0-40-23;new:model.n_layers=1;step:300"
 *
 * @param {Play} play
 */
export function stateOf(play) {
  const { off } = play.changes;
  const { cell } = play.reason;
  return [
    "tokens:" + play.tokens.join(),
    ...(off.length > 0 ? ["off:" + off.map((head) => play.code(head)).join()] : []),
    "head:" + play.code(play.head),
    ...(cell ? [`cell:${cell.query},${cell.key}`] : []),
    ...(play.cut.length > 0
      ? ["cut:" + play.cut.map(([head, query, key]) => [play.code(head), query, key].join("-")).join()]
      : []),
    ...play.origin(),
  ].join(";");
}

/**
 * The model that a state asks for: a new one with these settings, after so many steps; null for the run's.
 *
 * @param {string} state
 */
export function originIn(state) {
  const parts = partsOf(state);
  const settings =
    parts
      .get("new")
      ?.split(",")
      .filter((one) => one !== "") ?? null;
  return { settings, step: Number(parts.get("step") ?? 0) };
}

/**
 * Whether two states ask for the same model.
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

/** @param {string} state */
function partsOf(state) {
  return new Map(state.split(";").map((part) => /** @type {[string, string]} */ (part.split(":"))));
}

/**
 * Whether the state has a sequence for this model. What else is no part of the model is left out.
 *
 * @param {Play} play
 * @param {string} state
 */
export function restore(play, state) {
  const { vocabulary, n_ctx, n_layers, n_heads } = play.model;
  const parts = partsOf(state);
  const numbers = (/** @type {string} */ name) => (parts.get(name) ?? "").split(",").map(Number);
  const tokens = numbers("tokens");
  if (!parts.has("tokens") || tokens.length > n_ctx || !tokens.every((id) => id in vocabulary)) return false;
  const codes = Array.from({ length: n_layers * n_heads }, (_, head) => play.code(head));
  play.allOn();
  for (const code of (parts.get("off") ?? "").split(",")) {
    if (codes.includes(code)) play.off.add(codes.indexOf(code));
  }
  play.cut = (parts.get("cut") ?? "").split(",").flatMap((edge) => {
    const [code, query, key] = edge.split("-");
    const known = codes.includes(code) && Number(key) <= Number(query) && Number(query) < tokens.length;
    return known ? [/** @type {Cut} */ ([codes.indexOf(code), Number(query), Number(key)])] : [];
  });
  play.head = Math.max(0, codes.indexOf(parts.get("head") ?? ""));
  const [query, key] = numbers("cell");
  play.reason.cell = key <= query && query < tokens.length ? { query, key } : null;
  play.put(tokens);
  return true;
}
