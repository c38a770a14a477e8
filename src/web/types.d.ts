// The types that scripts share, checked by tests/web/page_scripts. No part of a page.

/** The open page, for tests and for the console. */
declare var headlight: {
  app: App;
  termsOf: typeof import("./page/reasons/terms.js").termsOf;
  PartWords: typeof import("./page/reasons/part_words.js").PartWords;
  Reason: typeof import("./page/reasons/score_reason.js").Reason;
  selfTest: typeof import("./model/self_test.js").selfTest;
  productRate: typeof import("./model/self_test.js").productRate;
};

// ---- Classes, and records

type Run = import("./page/web/run.js").Run;
type Store = import("./kit/store.js").Store;
type Look = import("./page/web/look.js").Look;
type Choices = import("./page/web/selection.js").Selection;
type Glossary = import("./page/web/glossary.js").Glossary;
type Tip = import("./page/web/tip.js").Tip;
type Without = import("./page/views/without.js").Without;
type Patterns = import("./kit/codec.js").Patterns;
type Pattern = ReturnType<Patterns["pattern"]>;
type Factors = import("./kit/factors.js").Factors;
type ScoreTable = import("./page/web/scores.js").ScoreTable;
type HeadGrid = import("./page/web/grid.js").HeadGrid;
type MapView = import("./page/web/map.js").MapView;
type TokenText = import("./page/web/tokens.js").TokenText;
type HeadTerms = import("./page/reasons/terms.js").HeadTerms;
type LogitTerms = import("./page/reasons/terms.js").LogitTerms;
type PartWords = import("./page/reasons/part_words.js").PartWords;
type Scale = import("./kit/scale.js").Scale;
type Engine = import("./model/engine.js").Engine;
type Form = import("./lab/form.js").Form;
type LiveModel = import("./model/live.js").LiveModel;
type OwnSequence = import("./page/web/typing.js").OwnSequence;
type SharedTraining = import("./model/training.js").SharedTraining;

interface App {
  /** What the page shows, and what it came with: the lab can put another run in its place. */
  data: RunData;
  original: RunData;
  /** Aborted when the page is opened on another run, in place. */
  closed: AbortSignal;
  close(): void;
  /** The page on another run; `engine` has its model, if there is one already. */
  reopen(data: RunData, engine?: Engine | null): void;
  /** Null while the page is being opened. */
  lab: import("./lab/part.js").LabPart | null;
  run: Run;
  store: Store;
  look: Look;
  selection: Choices;
  glossary: Glossary;
  tip: Tip;
  without: Without;
  /** The engine with the run's model; null where the page has none that takes it. */
  live: LiveModel | null;
  /** What the reader types; null where there is no engine. */
  own: OwnSequence | null;
  parts: Record<string, object> & { start?: import("./page/views/start.js").StartPart };
  /** Milliseconds from opening the page until it was on the screen. */
  firstPicture: number | null;
}

// What the reader has chosen; main.js says what each choice means.
interface State {
  tab: string;
  opened: string | null;
  sequence: number;
  layer: number;
  head: number;
  query: number | null;
  key: number | null;
  locked: boolean;
  place: Place;
  snapshot: number;
  zoom: number;
  tokens: string;
  off: string;
  way: number;
  cut: string;
  mlps: string;
  patch: string;
  remembered: string;
  scale: string;
  view: string;
  printing: boolean;
  guess: number | null;
  reads: number;
  least: number | null;
  distance: number;
  lab: string;
  engine: number;
  trained: number;
  through: boolean;
}
type Place = "map" | "finger" | "tokens" | null;
type Awake = (state: State) => boolean;

// A cell of a pattern, in tokens.
interface Cell {
  query: number;
  key: number;
}

// A snapshot of the model along training.
interface Snapshot {
  step: number;
  pattern: (head: number) => Pattern;
}

// A sequence as one stack of heads sees it; `keys` are the tokens attended to.
interface View extends Omit<SequenceData, "patterns" | "views"> {
  keys: number[];
  /** Whether the keys are another sequence. */
  crossed: boolean;
  patterns: Patterns;
  /** What the encoder reads, for a decoder's own heads. */
  source?: number[];
  /** Whether the guesses are those without some heads. */
  without?: boolean;
}
interface RunSequence extends View {
  views: View[];
}

// Neighbouring tokens of one copy of the segment; `repeat` is -1 for tokens of none, and null where nothing
// is known.
interface Copy {
  repeat: number | null;
  tokens: number[];
}

// A curve of a chart. `value` of a point may be undefined or null.
interface Curve<Point> {
  name: string;
  brief: string;
  color: string;
  dashed?: boolean;
  head?: number;
  value: (point: Point) => number | null | undefined;
}
interface ChartOptions<Point> {
  title: string;
  curves: Curve<Point>[];
  /** The end of the axis; null: above the largest value. */
  high: number | null;
  note: (point: Point) => string;
  pick: (step: number) => void;
  axis?: string;
}

// The product of what a query's source and a key's source wrote. `above`: its excess over the mean of the
// row's other keys.
interface Product {
  reads: TermPart;
  written: TermPart;
  value: number;
  above: number;
}

// Of the amount by which a logit exceeds others: what one part of the key makes, or (null) the places alone.
interface Cause {
  written: TermPart | null;
  amount: number;
  placed: number;
}

// A place in the window.
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Attributes = Record<string, string | number | boolean | null | undefined>;

// ---- The page's JSON

type Packed = string | { size: number; stride: number; data: string };

interface PackedPatterns {
  bits: number;
  cell: number;
  causal: boolean;
  window?: number;
  queries: number;
  keys: number;
  /** Null where the weights are given as numbers. */
  data: Packed | null;
  decoded?: Uint8Array | Uint16Array;
}

interface PackedFactors {
  shape: number[];
  steps: number[];
  data: string;
}

// The scores of a head in the order of the table of scores; empty without scores.
type Scores = (number | null)[];

interface ScoreKind {
  key: string;
  name: string;
  brief?: string;
  role: string;
  help: string;
  drawing: string;
  charted: boolean;
}

interface Stack {
  letter: string;
  of: string;
  title: string;
}

type Guess = [token: number, probability: number];

interface ViewData {
  tokens: number[];
  patterns: PackedPatterns;
  keys?: number[];
}

interface SequenceData extends ViewData {
  label: string;
  /** -1 where there is no target. */
  targets: number[];
  predictable: number[];
  guesses: Guess[][];
  /** The guess after the embedding and after each layer but the last, at each position. */
  lens?: Guess[][];
  /** The copy of the segment that each token belongs to. */
  repeats?: number[];
  views?: ViewData[];
  terms?: TermsData;
}

// What wrote to the residual stream.
// `back`: 1 for what a smeared key takes from the position before it.
type TermPart = [kind: "embed" | "pos_embed" | "mlp" | "bias" | "head", index: number, back?: 0 | 1];

interface HeadTermsData {
  parts: TermPart[];
  q: PackedFactors;
  k: PackedFactors;
  /** The share of a key's own position, where keys are smeared. */
  smear?: number;
  bias?: PackedFactors;
  cap?: number;
  sink?: number;
  window?: number;
}

interface TermsData {
  heads: HeadTermsData[];
  logits: { parts: TermPart[]; contributions: PackedFactors };
}

// What was measured at a step of training.
interface Metrics {
  step: number;
  values: Record<string, number>;
  scores: Scores[];
}

interface CurveData {
  key: string;
  name: string;
  brief: string;
  level_of?: string;
}

interface ChartData {
  title: string;
  share: boolean;
  curves: CurveData[];
}

interface HistoryData {
  steps: number[];
  patterns?: PackedPatterns;
  views?: PackedPatterns[];
}

interface StoryData {
  sequence: number;
  /** The run's task and result in one plain sentence; empty: the verdict stands instead. */
  headline?: string;
  /** Each with the kind of evidence for it, if it is about the model. */
  sentences: { words: string; kind: string }[];
  layer?: number;
  head?: number;
  query?: number;
  key?: number;
}

// See src/web/page/minute.h.
interface MinuteData {
  tokens: number[];
  predictable: number[];
  ask: number;
  note_writers: number[];
  finders: number[];
  control: number[];
  lines: number;
  /** How far back, in these lines, the same token stands at the least. */
  shortest: number;
  shares: number[];
  others?: { heads: number[]; weights: number[]; share: number };
  steps: number[];
  frames: Packed;
  fool?: { tokens: number[]; place: number; ask: number; frames: Packed };
}
type Line = import("./page/minute/frames.js").Line;
// What the first screen stands on at one moment.
interface Situation {
  line: Line;
  frame: import("./page/minute/frames.js").AnyFrame;
  /** What is off: see OFF in frames.js. */
  state: number;
  /** The place that is looked at; null: the asked one. */
  query?: number | null;
  text: (token: number) => string;
  /** Whether a lamp was switched, the slider moved. */
  touched?: boolean;
  dragged?: boolean;
  /** The mean strength of the notes before training. */
  untrained?: number;
  /** The step of the first weights that were kept. */
  begins?: number;
  /** Whether the changed line has been read. */
  begun?: boolean;
  /** Whether the reader wrote the line. */
  own?: boolean;
}
interface MinuteGuess {
  token: number;
  probability: number;
  right: boolean;
  /** The place after which it is guessed. */
  after: number;
}
// What the first screen shows at one moment; arrays have an entry for each token of the line.
interface Scene {
  /** So many letters are known. */
  known: number;
  /** Above each letter. */
  guesses: (MinuteGuess | null)[];
  /** Strength of the notes; how far each has fallen into its slot; the arcs from the letter before. */
  notes: number[];
  drop: number[];
  noteArcs: number[];
  /** The slots that are compared. */
  glow: number[];
  /** The letter that looks; -1: none. */
  query: number;
  looks: number[];
  /** How far the arcs have grown; whether anybody looks. */
  lookGrown: number;
  looking?: number;
  /** Whether the question stands under the asked letter. */
  asking: number;
  fly: { token: number; from: number; to: number; part: number } | null;
  /** How much of each row of the picture is seen. */
  rows: number[];
  weight: (query: number, key: number) => number;
  guessed: MinuteGuess | null;
  right: number;
}

interface Term {
  term: string;
  also?: string[];
  definition: string;
}

interface TaskData {
  name: string;
  labels: boolean;
  scored_on: string;
  what: string;
  answer: string;
  success: string;
  look_for: string;
}

interface Claim {
  key: string;
  name: string;
  standing: string;
  number: number | null;
  threshold: number;
  number_at_most: boolean;
  control: number | null;
  control_limit: number;
  control_at_most: boolean;
  says: string;
  more: string;
}

// How far the circuit had formed at a step of training.
interface Formation {
  step: number;
  matching: number;
  previous: number;
  accuracy: number;
  without?: number;
  alone?: number;
  copying?: number;
}

// How a kind of sentence is known.
interface EvidenceKind {
  how: string;
  rests_on: string;
  command: string;
}

interface Certificate {
  verdict: string;
  /** Its sentences, part by part. */
  said: { text: string; kind: string; numbers: string }[];
  /** The heads of each role; helpers are others that suffice with them. */
  induction_heads: number[];
  previous_token_heads: number[];
  helpers: number[];
  claims: Claim[];
  formation: Formation[];
  needed: { head: number; accuracy_without: number; looks: string; weight: number }[];
  /** Whether previous-token heads write into keys; else they tell positions, through queries. */
  tells_tokens: boolean;
}

// What the model predicts without heads, for a set of heads after another.
interface WithoutNumbers<Bytes, Tokens = Bytes> {
  tokens: Tokens;
  likeliest: Bytes;
  targets: Bytes;
  losses: number[];
}

// What the model does with its changes, on one sequence.
interface WithoutResult {
  /** At each position, the likeliest first. */
  guesses: Guess[][];
  loss: number;
  /** Whether the loss is larger: a probability was too small for a number. */
  atLeast?: boolean;
  patterns: Patterns | null;
  lens?: Guess[][];
}

// A sequence, as far as results are asked of it.
type Asked = Pick<SequenceData, "tokens" | "targets" | "predictable">;

// Where such results come from.
interface WithoutSource {
  /** Called for each sequence while nobody waits. */
  prepare(sequence: number): void;
  has(heads: number[]): boolean;
  covers(sequence: number): boolean;
  /**
   * Null: it is not known. Undefined: it comes, and the store's `engine` changes then. See LiveModel.answer
   * for `of`.
   */
  result(sequence: Asked, changes: Changes, of?: string): WithoutResult | null | undefined;
  /** Why it is not known. */
  why(heads: number[]): string;
  /** What the heads that are off change on the page. */
  note: string;
  /** How exact the predictions are; empty: to the last digit. */
  precision: string;
}

interface WithoutData {
  /** The page has numbers for sets of as many heads. */
  most: number;
  ways: [name: string, text: string][];
  sequences: WithoutNumbers<Packed>[][];
}

interface HeadCircuitOf<Factor> {
  eigen: number | null;
  smear?: number;
  ov?: Factor[];
  qk?: Factor[];
  positions?: PackedFactors[];
  through?: { head: number; right: Factor };
}
type HeadCircuit = HeadCircuitOf<Factors>;
interface HeadCircuitData extends HeadCircuitOf<PackedFactors> {
  /** The same with its factors decoded. */
  known?: HeadCircuit;
}

interface CircuitsData {
  turn: number[];
  heads: HeadCircuitData[];
  /** From a head, to a head; strengths for queries, keys and values, and those of random matrices. */
  edges: [from: number, to: number, ratio: number[], baseline: number[]][];
  no_terms: string;
  no_matrices: string;
}

// An edge of the graph of circuits. `above`: its strength above that of random matrices.
interface Edge {
  from: number;
  to: number;
  ratio: number;
  baseline: number;
  above: number;
}

type Period = [period: number, accuracy: number, trained: boolean];

// A run, as the page holds it.
interface RunData {
  title: string;
  verdict: string;
  /** The kind of evidence for the verdict. */
  verdict_kind: string;
  evidence: Record<string, EvidenceKind>;
  vocabulary: string[];
  n_layers: number;
  n_heads: number;
  /** The least score with which a head has a role. */
  found: number;
  score_kinds: ScoreKind[];
  /** The key of the score whose best head is shown first. */
  opens_with: string;
  story: StoryData | null;
  minute?: MinuteData;
  glossary: Term[];
  task: TaskData | null;
  scores: Scores[];
  results: string[][];
  settings: string[][];
  history: HistoryData;
  heat: string[];
  unseen: string;
  sequences: SequenceData[];
  metrics: Metrics[];
  charts: ChartData[];
  periods: Period[];
  stacks: Stack[];
  certificate?: Certificate;
  without?: WithoutData;
  circuits?: CircuitsData | null;
  lab?: LabData;
  /** Where a page that was saved in a browser opens. */
  address?: string;
}

// ---- The laboratory

// The run's config, as `train` reads it, and its model.safetensors in base64.
interface LabData {
  config: LabConfig;
  /** Of training that the weights have had, and how long it took. */
  steps: number;
  seconds: number;
  weights: string;
  /** The settings that a new model may have. */
  form: { part: string; key: string; help: string; choices?: string[] }[];
}
// What a model in the lab is, beside its weights.
interface Opened {
  words: string;
  /** What the page calls it. */
  title: string;
  workers?: number;
  /** What a link needs to make it again; null: no link can. */
  settings?: string[] | null;
  byHand?: boolean;
  /** The training that it had before. */
  trained?: { steps: number; seconds: number };
  /** What was kept of its training, where there was one. */
  history?: import("./lab/history.js").History | null;
}
type LabConfig = Record<string, Record<string, unknown>>;

// What the engine says of a model that it made.
interface LabModel {
  config: LabConfig;
  n_layers: number;
  n_heads: number;
  n_ctx: number;
  mlps: boolean;
  vocabulary: string[];
}

// What is changed in a forward pass: src/web/wasm/exports.cpp reads it.
interface Changes {
  off?: number[];
  /** What takes the place of what is off. */
  way?: string;
  cut?: Cut[];
  /** Layers. */
  mlps_off?: number[];
  /** These heads write what they write on these tokens. */
  patch?: { heads: number[]; tokens: number[] };
}
type Cut = [head: number, query: number, key: number];
interface Evaluation {
  loss: number;
  accuracy: number | null;
}
interface StepReport {
  step: number;
  loss: number;
}

// The functions of the module: src/web/wasm/exports.cpp.
interface EngineExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  lab_input(size: number): number;
  lab_output(): number;
  lab_output_size(): number;
  [name: string]: any;
}

// ---- page.html, and the book

// The elements with an id that are more than an HTMLElement to the scripts.
interface PageElements {
  search: HTMLInputElement;
  "minute-next": HTMLButtonElement;
  "minute-wire": HTMLButtonElement;
  "minute-slider": HTMLInputElement;
  "minute-text": HTMLInputElement;
  "predictions-head": HTMLSelectElement;
  "predictions-guesses": HTMLTableSectionElement;
  "training-slider": HTMLInputElement;
  "circuits-reads": HTMLSelectElement;
  "circuits-least": HTMLInputElement;
  "circuits-head": HTMLSelectElement;
  "circuits-keys": HTMLSelectElement;
  "circuits-distance": HTMLInputElement;
  "lab-step": HTMLButtonElement;
  "lab-rewind": HTMLInputElement;
  "lab-head": HTMLSelectElement;
  "lab-without": HTMLButtonElement;
  "lab-first": HTMLInputElement;
  "lab-later": HTMLInputElement;
  "lab-output": HTMLInputElement;
  "lab-broken": HTMLSelectElement;
}

// ---- The boxes of the exercises: src/web/solve

/** The files of a folder by their names. */
interface Tree {
  [name: string]: Tree | Uint8Array;
}
/** The same for the WASI shim: a file has `data`, a folder `contents`. */
type Folder = Map<string, { data?: Uint8Array; contents?: Folder }>;

/** manifest.json, which make.mjs writes. */
interface Manifest {
  /** Of the packed file. */
  files: Record<string, { hash: string; bytes: number }>;
  /** Words of the command lines. */
  compile: string[];
  link: string[];
  /** Of each lesson: the exercise as it is shipped, and the headers that it names. */
  exercises: Record<string, { shipped: string; headers: Record<string, string> }>;
}

// What run_process() asks for, and what it is answered: src/web/solve/process_wasi.cpp.
interface Command {
  words: string[];
  /** In seconds and bytes. */
  confined?: { cpu: number; most_cpu: number; memory: number };
  environment?: [name: string, value: string][];
}
interface Ended {
  output: string;
  errors: string;
  status: number;
  found: boolean;
  timed_out: boolean;
  /** 0: none. */
  signal: number;
}
/** A checker that is started. */
interface Program extends Command {
  bytes: Uint8Array;
}
/** The functions of the page that a program imports, made for its memory. */
type PageImports = Record<string, (memory: () => WebAssembly.Memory) => (...args: number[]) => number | void>;

/** What the learner's loop prints: course.cpp. */
interface Said {
  text?: string;
  error?: string;
  mark?: { line: number; column: number; wrong: boolean } | null;
  solved?: boolean[];
  /** Whether a check offers one; the file that `show` drew. */
  picture?: boolean | string;
  failed?: string;
}
/** What the solver says while a call runs. */
interface SolverEvent {
  loaded?: number;
  size?: number;
  /** Whether the browser had it. */
  kept?: boolean;
  step?: string;
}

// ---- What src/web/solve takes from npm, whose own types are not installed here

declare module "@bjorn3/browser_wasi_shim";
declare module "@codemirror/*";
declare module "@lezer/highlight";
declare module "codemirror";
declare module "xz-decompress";
declare module "*.css";
