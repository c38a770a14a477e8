// The types of the page's scripts, checked by tests/web/page_scripts. No part of the page.

// What the scripts share: each file puts its names here.
interface Headlight {
  /** The open page, for tests and for the console. */
  app?: App;
  text: import("./text.js").Names;
  damage: import("./damage.js").Names;
  store: import("./store.js").Names;
  compress: import("./compress.js").Names;
  codec: import("./codec.js").Names;
  factors: import("./factors.js").Names;
  scores: import("./scores.js").Names;
  run: import("./run.js").Names;
  selection: import("./selection.js").Names;
  readout: import("./readout.js").Names;
  beside: import("./beside.js").Names;
  glossary: import("./glossary.js").Names;
  tip: import("./tip.js").Names;
  repeats: import("./repeats.js").Names;
  look: import("./look.js").Names;
  picture: import("./picture.js").Names;
  save: import("./save.js").Names;
  pointing: import("./pointing.js").Names;
  zoom: import("./zoom.js").Names;
  map: import("./map.js").Names;
  grid: import("./grid.js").Names;
  tokens: import("./tokens.js").Names;
  chart: import("./chart.js").Names;
  without_stored: import("./views/without_stored.js").Names;
  without_live: import("./views/without_live.js").Names;
  without: import("./views/without.js").Names;
  switches: import("./views/switches.js").Names;
  heads: import("./views/heads.js").Names;
  predictions: import("./views/predictions.js").Names;
  evidence: import("./views/evidence.js").Names;
  terms: import("./views/terms.js").Names;
  place_terms: import("./views/place_terms.js").Names;
  part_words: import("./views/part_words.js").Names;
  score_reason: import("./views/score_reason.js").Names;
  why: import("./views/why.js").Names;
  why_here: import("./views/why_here.js").Names;
  why_this: import("./views/why_this.js").Names;
  heatmap: import("./views/heatmap.js").Names;
  positions: import("./views/positions.js").Names;
  circuit_graph: import("./views/circuit_graph.js").Names;
  circuit_words: import("./views/circuit_words.js").Names;
  circuits: import("./views/circuits.js").Names;
  periods: import("./views/periods.js").Names;
  training: import("./views/training.js").Names;
  about: import("./views/about.js").Names;
  lab_worker: import("./lab/worker.js").Names;
  lab: import("./lab/engine.js").Names;
  lab_live: import("./lab/live.js").Names;
  lab_decoded: import("./lab/decoded.js").Names;
  lab_reason: import("./lab/reason.js").Names;
  lab_remembered: import("./lab/remembered.js").Names;
  lab_address: import("./lab/address.js").Names;
  lab_guesses: import("./lab/guesses.js").Names;
  lab_play: import("./lab/play.js").Names;
  lab_claims: import("./lab/claims.js").Names;
  lab_curve: import("./lab/curve.js").Names;
  lab_form: import("./lab/form.js").Names;
  lab_saving: import("./lab/saving.js").Names;
  lab_part: import("./lab/part.js").Names;
  lab_rival: import("./lab/rival.js").Names;
  keyboard: import("./keyboard.js").Names;
  navigation: import("./navigation.js").Names;
  lookback: import("./views/lookback.js").Names;
  game: import("./views/game.js").Names;
  story: import("./views/story.js").Names;
  formation: import("./views/formation.js").Names;
  claim_links: import("./views/claim_links.js").Names;
  certificate: import("./views/certificate.js").Names;
}
declare const headlight: Headlight;

// ---- What the scripts share: instances of their classes, and records

type Run = InstanceType<Headlight["run"]["Run"]>;
type Store = InstanceType<Headlight["store"]["Store"]>;
type Look = InstanceType<Headlight["look"]["Look"]>;
type Choices = InstanceType<Headlight["selection"]["Selection"]>;
type Glossary = InstanceType<Headlight["glossary"]["Glossary"]>;
type Tip = InstanceType<Headlight["tip"]["Tip"]>;
type Without = InstanceType<Headlight["without"]["Without"]>;
type Patterns = InstanceType<Headlight["codec"]["Patterns"]>;
type Pattern = ReturnType<Patterns["pattern"]>;
type Factors = InstanceType<Headlight["factors"]["Factors"]>;
type ScoreTable = InstanceType<Headlight["scores"]["ScoreTable"]>;
type HeadGrid = InstanceType<Headlight["grid"]["HeadGrid"]>;
type MapView = InstanceType<Headlight["map"]["MapView"]>;
type TokenText = InstanceType<Headlight["tokens"]["TokenText"]>;
type HeadTerms = InstanceType<Headlight["terms"]["HeadTerms"]>;
type LogitTerms = InstanceType<Headlight["terms"]["LogitTerms"]>;
type PartWords = InstanceType<Headlight["part_words"]["PartWords"]>;
type Scale = InstanceType<Headlight["look"]["Scale"]>;
type Engine = InstanceType<Headlight["lab"]["Engine"]>;
type Form = InstanceType<Headlight["lab_form"]["Form"]>;
type LiveModel = InstanceType<Headlight["lab_live"]["LiveModel"]>;
type Play = InstanceType<Headlight["lab_play"]["Play"]>;
type SharedTraining = InstanceType<Headlight["lab"]["SharedTraining"]>;

interface App {
  run: Run;
  store: Store;
  look: Look;
  selection: Choices;
  glossary: Glossary;
  tip: Tip;
  without: Without;
  /** The engine with the run's model; null where the page has none that takes it. */
  live: LiveModel | null;
  parts: Record<string, object>;
  /** Milliseconds from opening the page until it was on the screen. */
  firstPicture: number | null;
}

// What the reader has chosen; main.js says what each choice means.
interface State {
  tab: string;
  opened: string | null;
  storyOpen: boolean | null;
  sequence: number;
  layer: number;
  head: number;
  query: number | null;
  key: number | null;
  locked: boolean;
  place: Place;
  snapshot: number;
  zoom: number;
  off: string;
  way: number;
  scale: string;
  view: string;
  printing: boolean;
  guess: number | null;
  reads: number;
  least: number | null;
  distance: number;
  lab: string;
  engine: number;
  through: boolean;
  answered: number | null;
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

// What a head looks back at, and what the model predicts there.
interface LookBack extends Cell {
  weight: number;
  /** `right` is null where there is no target. */
  guess?: { text: string; probability: number; right: boolean | null };
}

// The place of the game: from the query the reader guesses the next token.
interface Game {
  query: number;
  answer: number;
  choices: number[];
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
  /** The copy of the segment that each token belongs to. */
  repeats?: number[];
  views?: ViewData[];
  terms?: TermsData;
}

// What wrote to the residual stream.
type TermPart = [kind: "embed" | "pos_embed" | "mlp" | "bias" | "head", index: number];

interface HeadTermsData {
  parts: TermPart[];
  q: PackedFactors;
  k: PackedFactors;
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
  sentences: string[];
  layer?: number;
  head?: number;
  query?: number;
  key?: number;
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

interface Certificate {
  verdict: string;
  sentence: string;
  /** The heads of each role; helpers are others that the task needs. */
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

// What is left without some heads, on one sequence.
interface WithoutResult {
  /** At each position, the likeliest first. */
  guesses: Guess[][];
  loss: number;
  patterns: Patterns | null;
}

// Where such results come from.
interface WithoutSource {
  /** Called for each sequence while nobody waits. */
  prepare(sequence: number): void;
  has(heads: number[]): boolean;
  covers(sequence: number): boolean;
  /** Null: it is not known. Undefined: it comes, and the store's `engine` changes then. */
  result(sequence: number, heads: number[], way: number): WithoutResult | null | undefined;
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
  vocabulary: string[];
  n_layers: number;
  n_heads: number;
  /** The least score with which a head has a role. */
  found: number;
  score_kinds: ScoreKind[];
  /** The key of the score whose best head is shown first. */
  opens_with: string;
  story: StoryData | null;
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
  weights: string;
  /** The model that was saved with the page. */
  kept?: KeptLab;
  /** The settings that a new model may have. */
  form: { part: string; key: string; help: string; choices?: string[] }[];
}
// What a model in the lab is, beside its weights.
interface Opened {
  words: string;
  workers?: number;
  /** What a link needs to make it again; null: no link can. */
  settings?: string[] | null;
  byHand?: boolean;
  /** How many steps it was trained before. */
  step?: number;
}
interface KeptLab {
  config: LabConfig;
  weights: string;
  words: string;
  /** What differs from the run's, as Form.put takes it. */
  settings: string[];
  step: number;
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

// The functions of the module: src/web/wasm/exports.cpp.
interface EngineExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  lab_input(size: number): number;
  lab_output(): number;
  lab_output_size(): number;
  [name: string]: any;
}

// ---- page.html

// The elements with an id that are more than an HTMLElement to the scripts.
interface PageElements {
  "story-toggle": HTMLButtonElement;
  "story-long": HTMLDetailsElement;
  "predictions-head": HTMLSelectElement;
  "predictions-guesses": HTMLTableSectionElement;
  "training-slider": HTMLInputElement;
  "circuits-reads": HTMLSelectElement;
  "circuits-least": HTMLInputElement;
  "circuits-head": HTMLSelectElement;
  "circuits-keys": HTMLSelectElement;
  "circuits-distance": HTMLInputElement;
  "lab-text": HTMLInputElement;
  "lab-way": HTMLSelectElement;
  "lab-before": HTMLCanvasElement;
  "lab-now": HTMLCanvasElement;
  "lab-step": HTMLButtonElement;
  "lab-rewind": HTMLInputElement;
  "lab-broken": HTMLSelectElement;
}
