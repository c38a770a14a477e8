// The part of the address behind "#". It is a convenience: a page in a frame may have no address that it can
// write, as in srcdoc. Then what would stand there is kept here.

/** @type {string | null} */
let kept = null;

// "#heads&query=40", or "".
export function address() {
  return kept ?? location.hash;
}

/**
 * @param {string} hash
 * @param {object | null} state of the browser's history
 */
export function replaceAddress(hash, state = null) {
  try {
    history.replaceState(state, "", hash);
    kept = null;
  } catch {
    kept = hash;
  }
}

/**
 * As a step of the browser's history.
 *
 * @param {string} hash
 */
export function goToAddress(hash) {
  try {
    location.hash = hash;
    kept = null;
  } catch {
    kept = hash;
  }
}

/**
 * The name that a hash holds: "a b" of "#a%20b"; as it stands where it is no code.
 *
 * @param {string} hash
 */
export function nameIn(hash) {
  const name = hash.slice(1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
