// Where a run comes from. source.subscribe(onData) calls onData(piece) for each piece of the run, an object
// with the members of page_data()'s JSON. The first has all of them. Of a later one, metrics and history are
// appended, and what else it has (scores, sequences, verdict, …) replaces what was there; what is absent or
// empty stays as it was.

const { byId } = headlight.text;

// A finished run: one piece, which stands in this file. Where the file holds null, the run comes from
// elsewhere.
const embedded = {
  subscribe(onData) {
    const piece = JSON.parse(byId("data").textContent);
    if (piece !== null) onData(piece);
  },
};

// A run that still grows: whoever knows of it pushes its pieces.
class GrowingSource {
  constructor() {
    this.pieces = [];
    this.listeners = [];
  }

  push(piece) {
    this.pieces.push(piece);
    for (const listener of this.listeners) {
      listener(piece);
    }
  }

  subscribe(onData) {
    this.listeners.push(onData);
    this.pieces.forEach(onData);
  }
}

/** @typedef {typeof names} Names */
const names = { embedded, GrowingSource };
headlight.source = names;
