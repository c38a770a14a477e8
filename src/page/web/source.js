// Where a run comes from. source.subscribe(onData) calls onData(piece) for each piece of the run, an object
// with the members of page_data()'s JSON. The first has all of them. Of a later one, metrics and history are
// appended, and what else it has (scores, sequences, verdict, …) replaces what was there; what is absent or
// empty stays as it was.

const { byId } = headlight.text;

// A finished run: one piece, which stands in this file. Where the file holds null, the run comes from
// elsewhere.
const embedded = {
  /** @param {(piece: Piece) => void} onData */
  subscribe(onData) {
    const piece = JSON.parse(byId("data").textContent);
    if (piece !== null) onData(piece);
  },
};

// A run that still grows: whoever knows of it pushes its pieces.
class GrowingSource {
  constructor() {
    /** @type {Piece[]} */
    this.pieces = [];
    /** @type {((piece: Piece) => void)[]} */
    this.listeners = [];
  }

  /** @param {Piece} piece */
  push(piece) {
    this.pieces.push(piece);
    for (const listener of this.listeners) {
      listener(piece);
    }
  }

  /** @param {(piece: Piece) => void} onData */
  subscribe(onData) {
    this.listeners.push(onData);
    this.pieces.forEach((piece) => onData(piece));
  }
}

/** @typedef {typeof names} Names */
const names = { embedded, GrowingSource };
headlight.source = names;
