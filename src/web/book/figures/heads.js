// Lesson 13: heads of the model that was trained in the page, switched off.

const { figures, frame, element, button, choice } = headlight.live;
const { model, drawPattern, patternBox, STEPS } = headlight.model;

const FRESH = 64; // sequences

figures.heads = (root) => {
  if (!model.there) return;
  const off = new Set();
  let way = "mean";
  let boxes = [];
  const pictures = element("div", { class: "side patterns" });
  const train = button("Train the model first", () => model.train());
  const ways = choice(
    "in place of a head's output",
    [
      ["mean", "its mean"],
      ["zero", "zero"],
      ["resample", "another sequence's"],
    ],
    (key) => {
      way = key;
      show();
    },
  );
  const say = frame(
    root,
    "Press a head to switch it off, and on again. What takes the place of its output?",
    train,
    ways.node,
    pictures,
  );
  async function show() {
    const done = model.kept.at(-1)?.step === STEPS;
    train.hidden = done;
    if (model.failed) return say("The engine does not run here: " + model.failed);
    if (!done)
      return say(
        model.running
          ? `The model is at step ${model.kept.at(-1)?.step ?? 0} of ${STEPS}.`
          : "The model of lesson 12 must be trained in this page first. It takes seconds.",
      );
    if (boxes.length === 0)
      boxes = model.kept.at(-1).patterns.map((_, head) => {
        const box = patternBox("");
        const press = button(model.code(head), () => {
          off.has(head) ? off.delete(head) : off.add(head);
          show();
        });
        box.node.firstChild.append(press);
        pictures.append(box.node);
        return { ...box, press };
      });
    const codes = [...off].sort().map((head) => model.code(head));
    const changes = { off: codes, way };
    const patterns = await model.look(changes);
    boxes.forEach(({ canvas, press, node }, head) => {
      drawPattern(canvas, patterns[head]);
      press.setAttribute("aria-pressed", String(!off.has(head)));
      node.classList.toggle("off", off.has(head));
    });
    const [whole, now] = [
      await model.engine.ask("evaluate", {}, FRESH),
      await model.engine.ask("evaluate", changes, FRESH),
    ];
    const numbers = (e) => `accuracy ${e.accuracy.toFixed(2)}, loss ${e.loss.toFixed(2)}`;
    say(
      (off.size === 0
        ? `With all heads: ${numbers(whole)}`
        : `Without ${codes.join(", ")}: ${numbers(now)}. With all heads: ${numbers(whole)}`) +
        `, on ${FRESH} fresh sequences.`,
    );
  }
  model.watching.push(show);
  show();
};
