// The part "Circuits": which head reads what another wrote, and what the weights of one head do to each
// token.

const { element, svgElement, byId, setOptions, fixed, capital } = headlight.text;
const { Factors, product } = headlight.factors;
const { Heatmap } = headlight.heatmap;
const { plain, signed } = headlight.why;

const READS = ["queries", "keys", "values"];
const HIGH = 38;
const STEP = 120; // pixels: of a head's box, from layer to layer
const STOPS = 24; // edges that Tab reaches: the strongest

class CircuitsPart {
  constructor(app, awake) {
    const { run, store, selection } = (this.app = app);
    this.button = document.querySelector("[data-tab=circuits]");
    const changed = (id, key, value) =>
      byId(id).addEventListener("input", (event) => store.change({ [key]: value(event.target.value) }));
    changed("circuits-reads", "reads", Number);
    changed("circuits-least", "least", Number);
    changed("circuits-distance", "distance", Number);
    changed("circuits-keys", "through", (value) => value === "1");
    byId("circuits-head").addEventListener("change", (event) =>
      selection.chooseHead(Number(event.target.value)),
    );
    this.qk = new Heatmap(byId("circuits-qk"), store, (...cell) =>
      this.tellCell("circuits-qk-readout", "attention score", ...cell),
    );
    this.ov = new Heatmap(byId("circuits-ov"), store, (...cell) =>
      this.tellCell("circuits-ov-readout", "logit", ...cell),
    );
    this.positions = new headlight.positions.PositionsPicture(app);
    store.subscribe(["data"], () => {
      this.button.hidden = !run.circuits;
    });
    const known = (state) => awake(state) && run.circuits !== null;
    store.subscribe(
      ["data", "reads", "least", "layer", "head", "view", "printing"],
      (state) => this.drawGraph(state),
      known,
    );
    store.subscribe(
      ["data", "layer", "head", "view", "printing", "distance", "through"],
      (state) => this.drawHead(state),
      known,
    );
  }

  // ---- The graph

  // The edges of one stack, strongest first: the ratio above that of random matrices.
  edges(stack, reads) {
    const { run } = this.app;
    return run.circuits.edges
      .filter(([from]) => run.stack(from) === stack)
      .map(([from, to, ratio, baseline]) => ({
        from,
        to,
        ratio: ratio[reads],
        baseline: baseline[reads],
        above: ratio[reads] - baseline[reads],
      }))
      .sort((one, other) => other.above - one.above);
  }

  drawGraph({ reads, least }) {
    const { run, selection } = this.app;
    const stack = run.stack(selection.head);
    const edges = this.edges(stack, reads);
    const root = byId("circuits-graph");
    const most = Math.max(edges[0]?.above ?? 0, 0.01);
    const from = least === null ? most / 2 : least * most;
    const slider = byId("circuits-least");
    byId("circuits-reads").value = reads;
    slider.value = least ?? 0.5;
    const shown = edges.filter(({ above }) => above >= from && above > 0);
    byId("circuits-shown").textContent =
      "from " + fixed(from) + " on: " + shown.length + " of " + edges.length;
    slider.setAttribute("aria-valuetext", byId("circuits-shown").textContent);
    root.replaceChildren();
    byId("circuits-strongest").textContent = this.strongest(edges, reads, stack);
    this.tell(null);
    root.append(this.graph(stack, shown, most, root.clientWidth || 640));
  }

  strongest(edges, reads, stack) {
    const { run } = this.app;
    if (edges.length === 0)
      return run.n_layers > 1
        ? "These strengths are not defined for heads" + run.stacks[stack].of + "."
        : "With one layer, no head can read what another wrote.";
    return "Strongest: " + this.words(edges[0], reads);
  }

  words({ from, to, ratio, baseline, above }, reads = this.app.store.state.reads) {
    const { run } = this.app;
    const code = (head) => run.headCode(head);
    return (
      "The " +
      READS[reads] +
      " of " +
      code(to) +
      " read what " +
      code(from) +
      " wrote with a strength of " +
      fixed(ratio) +
      ", " +
      fixed(Math.abs(above)) +
      (above < 0 ? " below" : " above") +
      " random matrices (" +
      fixed(baseline) +
      ")."
    );
  }

  graph(stack, edges, most, width) {
    const { run, selection } = this.app;
    const high = HIGH + (run.n_layers - 1) * STEP + 8;
    const first = stack * run.headsOfStack;
    const wide = Math.min(width, 150 * run.n_heads);
    const wideBox = Math.min(112, (wide / run.n_heads) * 0.86);
    const margin = (width - wide) / 2;
    const place = (head) => {
      const place = head - first;
      const layer = Math.floor(place / run.n_heads);
      return { x: margin + ((place % run.n_heads) + 0.5) * (wide / run.n_heads), y: 4 + layer * STEP };
    };
    const svg = svgElement("svg", {
      viewBox: [0, 0, width, high].join(" "),
      width,
      height: high,
      role: "group",
      "aria-label": "Heads, layer by layer, and the strengths between them",
    });
    const drawn = [...edges]
      .reverse()
      .map((edge) => this.edge(edge, place, most, edges.indexOf(edge) < STOPS));
    const boxes = Array.from({ length: run.headsOfStack }, (_, i) =>
      this.box(first + i, place(first + i), wideBox, first + i === selection.head),
    );
    svg.append(...drawn, ...boxes);
    return svg;
  }

  edge(edge, place, most, stop) {
    const { selection } = this.app;
    const from = place(edge.from);
    const to = place(edge.to);
    const start = from.y + HIGH;
    const end = to.y;
    const bend = (end - start) / 2;
    const d =
      "M" +
      [from.x, start] +
      "C" +
      [from.x, start + bend, to.x, end - bend, to.x, end].map((coordinate) => fixed(coordinate, 1));
    const share = edge.above / most;
    const words = this.words(edge);
    const chosen = [edge.from, edge.to].includes(selection.head);
    const group = svgElement(
      "g",
      {
        class: "edge" + (chosen ? " chosen" : ""),
        ...(stop ? { tabindex: 0, role: "img" } : {}),
        "aria-label": words,
      },
      svgElement("path", { class: "reach", d }),
      svgElement("path", {
        class: "line",
        d,
        "stroke-width": fixed(1 + 8 * share, 1),
        opacity: fixed(0.35 + 0.65 * share),
      }),
    );
    for (const event of ["pointerenter", "focus", "pointerdown"]) {
      group.addEventListener(event, () => this.tell(words));
    }
    for (const event of ["pointerleave", "blur"]) {
      group.addEventListener(event, (event) => event.pointerType !== "touch" && this.tell(null));
    }
    return group;
  }

  box(head, { x, y }, wide, chosen) {
    const { run, selection } = this.app;
    const described = run.scoreTable.describe(run.scores[head], run.found);
    const role = described?.known ? described.role.replace(/ head$/, "") : "";
    const text = (dy, more, words) =>
      svgElement("text", { x, y: y + dy, "text-anchor": "middle", ...more }, words);
    const room = role !== "" && wide >= 70;
    const label = run.headCode(head);
    const group = svgElement(
      "g",
      {
        class: "node",
        role: "button",
        tabindex: 0,
        "aria-pressed": chosen,
        "aria-label": (room ? label + " " + role : label) + ", " + run.headName(head),
        "data-head": head,
      },
      svgElement("rect", { x: x - wide / 2, y, width: wide, height: HIGH, rx: 6 }),
      text(room ? 16 : 24, { class: "code" }, label),
      ...(room
        ? [
            text(
              31,
              {
                class: "role",
                ...(role.length * 6.2 > wide - 6
                  ? { textLength: wide - 8, lengthAdjust: "spacingAndGlyphs" }
                  : {}),
              },
              " " + role,
            ),
          ]
        : []),
    );
    const choose = () => {
      selection.chooseHead(head);
      byId("circuits-graph")
        .querySelector("[data-head='" + head + "']")
        ?.focus({ preventScroll: true });
    };
    group.addEventListener("click", choose);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      choose();
    });
    return group;
  }

  tell(words) {
    byId("circuits-readout").textContent =
      words ??
      "Point at a line, or reach it with Tab, to read its strength. A click on a head shows " +
        "its matrices below.";
  }

  // ---- One head

  drawHead({ distance, through }) {
    const { run, selection } = this.app;
    const head = selection.head;
    const circuit = this.decoded(head);
    const choice = byId("circuits-head");
    setOptions(
      choice,
      run.scores.length === 0
        ? Array.from({ length: run.heads }, (_, one) => run.headCode(one))
        : run.scores.map((scores, other) => {
            const described = run.scoreTable.describe(scores, run.found);
            return run.headCode(other) + (described?.known ? ": " + described.role : "");
          }),
    );
    choice.value = head;
    byId("circuits-name").textContent = "What the weights of " + run.headCode(head) + " do to each token";
    byId("circuits-missing").textContent = run.circuits.no_matrices;
    byId("circuits-matrices").hidden = !circuit.qk;
    if (!circuit.qk) return;
    const texts = run.vocabulary.map((_, id) => run.tokenText(id));
    const composed = through && circuit.through !== undefined;
    this.chooseKeys(circuit, composed, head);
    this.chooseDistance(head, distance);
    const scores = this.scores(circuit, composed, this.turns(head) ? distance : 0);
    const written = composed ? "key: token that " + run.headCode(circuit.through.head) + " saw" : "key";
    this.qk.show(scores, texts, ["query", written]);
    byId("circuits-qk").setAttribute(
      "aria-label",
      "Attention scores of each pair of tokens, by the weights of " + run.headCode(head),
    );
    this.qkWords(scores, texts.length, circuit, composed);
    this.positions.show(circuit, head, this.turns(head));
    byId("circuits-ov-side").hidden = !circuit.ov;
    if (!circuit.ov) return;
    const logits = product(circuit.ov[0].values, circuit.ov[1].values, circuit.ov[0].shape[1]);
    this.ov.show(logits, texts, ["token looked at", "logit"]);
    byId("circuits-ov").setAttribute(
      "aria-label",
      "Logits raised by each token looked at, by the weights of " + run.headCode(head),
    );
    this.ovWords(logits, texts.length, circuit);
  }

  decoded(head) {
    const circuit = this.app.run.circuits.heads[head];
    circuit.known ??= {
      ...circuit,
      qk: circuit.qk?.map((factor) => new Factors(factor)),
      ov: circuit.ov?.map((factor) => new Factors(factor)),
      through: circuit.through && { ...circuit.through, right: new Factors(circuit.through.right) },
    };
    return circuit.known;
  }

  // Whether scores depend on the distance: where positions rotate queries and keys, which cross-attention's
  // are not.
  turns(head) {
    const { run } = this.app;
    return run.circuits.turn.length > 0 && run.stacks[run.stack(head)].letter !== "C";
  }

  // W_E·QK·W_Eᵀ, with the query `distance` positions behind the key.
  scores(circuit, composed, distance) {
    const [left, right] = circuit.qk;
    const width = left.shape[1];
    const { turn } = this.app.run.circuits;
    let queries = left.values;
    for (let step = 0; step < distance; ++step) {
      queries = product(queries, turn, width);
    }
    return product(queries, composed ? circuit.through.right.values : right.values, width);
  }

  chooseKeys({ through }, composed) {
    const { run } = this.app;
    const choice = byId("circuits-keys");
    choice.parentNode.hidden = through === undefined;
    if (through !== undefined)
      setOptions(choice, [
        "each token itself",
        "what " + run.headCode(through.head) + " writes when it looks at the token",
      ]);
    choice.value = composed ? "1" : "0";
  }

  chooseDistance(head, distance) {
    const slider = byId("circuits-distance");
    slider.parentNode.hidden = !this.turns(head);
    slider.max = Math.max(...this.app.run.sequences.map(({ tokens }) => tokens.length)) - 1;
    slider.value = distance;
    byId("circuits-far").textContent = distance === 0 ? "0: the query's own position" : distance + " back";
    slider.setAttribute("aria-valuetext", byId("circuits-far").textContent);
  }

  tellCell(id, what, row, column, value) {
    const { run } = this.app;
    const text = (token) => "‘" + run.tokenText(token) + "’";
    const words =
      id === "circuits-qk-readout"
        ? "query " + text(row ?? 0) + ", key " + text(column ?? 0)
        : "looks at " + text(row ?? 0) + ": logit of " + text(column ?? 0);
    byId(id).textContent =
      row === null
        ? "Point at a cell to read its number."
        : words + " " + (id === "circuits-qk-readout" ? plain(value) : signed(value));
  }

  // How the diagonal differs from the rest, and in how many rows it is the largest.
  diagonal(matrix, count) {
    let own = 0;
    let others = 0;
    let largest = 0;
    for (let i = 0; i < count; ++i) {
      const row = matrix.subarray(i * count, (i + 1) * count);
      const rest = row.reduce((sum, x) => sum + x, 0) - row[i];
      own += row[i] / count;
      others += rest / count / Math.max(1, count - 1);
      if (row[i] >= Math.max(...row)) ++largest;
    }
    return { own, others, largest };
  }

  qkWords(scores, count, circuit, composed) {
    const { run, glossary } = this.app;
    const { own, others, largest } = this.diagonal(scores, count);
    const keys = composed
      ? "Keys are what " +
        run.headCode(circuit.through.head) +
        " writes when it looks at a token, so the diagonal says whether a *query* finds the place " +
        "where that head saw the query's own token. "
      : "On the diagonal, a token meets itself. ";
    byId("circuits-qk-words").replaceChildren(
      ...glossary.nodes(
        keys +
          "The mean is " +
          plain(own) +
          " on the diagonal and " +
          plain(others) +
          " elsewhere. In " +
          largest +
          " of " +
          count +
          " rows the diagonal is the largest." +
          this.strongestColour(this.qk),
      ),
    );
  }

  strongestColour({ largest }) {
    return " The strongest colours are ±" + fixed(largest) + ".";
  }

  ovWords(logits, count, { eigen, olsson }) {
    const { glossary } = this.app;
    const { largest } = this.diagonal(logits, count);
    const score = (x) => (x === null ? "not defined" : plain(x));
    const apart =
      eigen !== null && olsson !== null && eigen - olsson > 0.5
        ? " The second compares the token's own rise with the sum of all other rises, so it is low " +
          "wherever a head raises many tokens a little."
        : "";
    const copies =
      eigen === null
        ? ""
        : eigen >= 0.5
          ? "By its eigenvalues, the head copies."
          : eigen <= -0.5
            ? "By its eigenvalues, the head lowers the token that it looks at."
            : "By its eigenvalues, the head does not copy.";
    byId("circuits-ov-words").replaceChildren(
      ...glossary.nodes(
        "In " +
          largest +
          " of " +
          count +
          " rows, no *logit* is raised more than that of the token looked at. " +
          "The *copying scores* go from −1 to 1: by eigenvalues " +
          score(eigen) +
          ", by raised logits " +
          score(olsson) +
          "." +
          apart +
          " " +
          copies +
          (this.app.run.certificate
            ? " The *certificate* tests copying in another way: by making the heads look elsewhere " +
              "in the whole model."
            : "") +
          this.strongestColour(this.ov),
      ),
    );
  }
}

headlight.circuits = { CircuitsPart };
