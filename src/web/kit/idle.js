/** @type {(next: () => void, options: { timeout: number }) => unknown} */
const later = globalThis.requestIdleCallback ?? ((next) => setTimeout(next, 50));

// After what is being drawn, when nobody waits.
export function idle() {
  return /** @type {Promise<void>} */ (new Promise((done) => void later(() => done(), { timeout: 500 })));
}
