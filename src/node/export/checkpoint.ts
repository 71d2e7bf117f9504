/**
 * What an export remembers between runs, kept in the sink itself. `checkpoint.json` holds where the walk through the meetings
 * is and which pieces of the meetings found there are not saved yet; it is moved on only after the sink has kept a piece.
 * `missing.json` holds what could not be saved, apart from the latest page of meetings, so that the file that is written
 * after every piece stays small.
 */
import type { Meeting } from "../../schemas/meeting.js";
import type { MissingPiece } from "./export-options.js";
import type { Names, Piece } from "./pieces.js";
import type { Output } from "./sink-writer.js";

const FOLDER = ".notetaker-export";
const CHECKPOINT = `${FOLDER}/checkpoint.json`;
const MISSING = `${FOLDER}/missing.json`;

/** A meeting of which something is not saved yet. */
export interface QueuedMeeting {
  meeting: Meeting;
  folder: string;
  pieces: Piece[];
}

interface State {
  version: 1;
  /** What was asked for: another export does not go on with this one. */
  plan: string;
  /** The page to read next; `null`: the first. */
  cursor: string | null;
  /** Whether the last page has been read. */
  allListed: boolean;
  queue: QueuedMeeting[];
  /** What failed and may succeed at the end of the export. */
  later: QueuedMeeting[];
  /** Whether `later` has been queued. */
  secondRound: boolean;
  complete: boolean;
  meetings: number;
  saved: number;
  /** What is missing and not in `missing.json` yet. */
  missing: MissingPiece[];
}

const beginning = () => ({
  cursor: null,
  allListed: false,
  queue: [],
  later: [],
  secondRound: false,
  meetings: 0,
  saved: 0,
  missing: [],
});

export class Checkpoint {
  readonly #output: Output;
  readonly state: State;
  /** By meeting and piece, each once. */
  readonly #missing: Map<string, MissingPiece>;
  readonly resumed: boolean;
  /** Whether `missing.json` is out of date; that of an earlier export is. */
  #missingChanged = true;
  #writing: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(output: Output, state: State, missing: readonly MissingPiece[], resumed: boolean) {
    this.#output = output;
    this.state = state;
    this.#missing = new Map(missing.map((piece) => [keyOf(piece), piece]));
    this.resumed = resumed;
  }

  /** The state of an export that has not come to its end, or a new one. */
  static async load(output: Output, plan: string): Promise<Checkpoint> {
    const state = (await readJson(output, CHECKPOINT)) as Partial<State> | undefined;
    if (state?.version === 1 && state.plan === plan && state.complete === false) {
      const missing = ((await readJson(output, MISSING)) ?? []) as MissingPiece[];
      return new Checkpoint(output, state as State, [...missing, ...(state.missing ?? [])], true);
    }
    return new Checkpoint(output, { version: 1, plan, complete: false, ...beginning() }, [], false);
  }

  /** Back to the first meeting. */
  restart(): void {
    this.#missing.clear();
    Object.assign(this.state, beginning());
  }

  get missing(): MissingPiece[] {
    return [...this.#missing.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  get missingCount(): number {
    return this.#missing.size;
  }

  addMissing(piece: MissingPiece): void {
    this.#missing.set(keyOf(piece), piece);
    this.#missingChanged = true;
    this.state.missing.push(piece);
  }

  /** Resolves once the state is kept as it is now, or later. While one is being written, those who ask share the next. */
  save(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = Promise.resolve(this.#output.write(CHECKPOINT, Buffer.from(JSON.stringify(this.state))));
      return this.#writing as Promise<void>;
    });
    return this.#next;
  }

  /** Goes on to `changes`, with what is missing moved to its own file first: should that be all that is kept, nothing is lost. */
  async turn(changes: Partial<State>): Promise<void> {
    if (this.#missingChanged) await this.#output.writeChanged(MISSING, json(this.missing));
    this.#missingChanged = false;
    Object.assign(this.state, { missing: [] }, changes);
    await this.save();
  }
}

const namesPath = (idName: string) => `${FOLDER}/names/${idName}.json`;

export const readNames = async (output: Output, idName: string) =>
  (await readJson(output, namesPath(idName))) as Names | undefined;

export const writeNames = (output: Output, idName: string, names: Names) =>
  output.writeChanged(namesPath(idName), json(names));

const keyOf = ({ meeting_id, what }: MissingPiece) => `${meeting_id} ${what}`;

/** As a file that people read. */
export const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

/** `undefined` for what is not there, and for what is no JSON: the worst that comes of that is work done again. */
async function readJson(output: Output, path: string): Promise<unknown> {
  const bytes = await output.read(path);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
