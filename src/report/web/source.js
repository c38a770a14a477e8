// Where a run comes from. source.subscribe(onData) calls onData(piece) for each piece of the run. The first has all of
// page.cpp's JSON; later ones have what is new: their figures and their history are appended, and what else they hold
// (scores, sequences, verdict, …) takes the place of what was there.

// A finished run: one piece, which stands in this file. Where the file holds null, the run comes from elsewhere.
const embedded = {
  subscribe(onData) {
    const piece = JSON.parse(headlight.text.byId("data").textContent);
    if (piece !== null) onData(piece);
  },
};

// A run that still grows: whoever knows of it pushes its pieces.
class GrowingSource {
  constructor() {
    Object.assign(this, { pieces: [], listeners: [] });
  }

  push(piece) {
    this.pieces.push(piece);
    for (const listener of this.listeners) listener(piece);
  }

  subscribe(onData) {
    this.listeners.push(onData);
    this.pieces.forEach(onData);
  }
}

headlight.source = { embedded, GrowingSource };
