// The worker in which one program runs that has a learner's code in it. Who started it ends it when its time
// is over.
import { runChecker } from "./programs.js";

/** @param {MessageEvent<Program>} event */
self.onmessage = ({ data }) => {
  try {
    const end = runChecker(data, {
      onOutput: (output) => self.postMessage({ output }),
      onErrors: (errors) => self.postMessage({ errors }),
      onAllow: (allow) => self.postMessage({ allow }),
    });
    self.postMessage({ end });
  } catch (error) {
    self.postMessage({ errors: String(error), end: { status: 137, signal: 9 } });
  }
};
