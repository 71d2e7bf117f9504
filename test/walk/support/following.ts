/** A follower on fake timers, with a database that stores each item and its checkpoint in one step. */
import { type ClientOptions, type Meeting, type WalkedMeeting, type WalkOptions, walkMeetings } from "notetaker-sdk";
import { createEmulator, type Emulator, type EmulatorOptions } from "notetaker-sdk/testing";
import { onTestFinished, vi } from "vitest";
import { clientOf, UNLIMITED } from "../../node/support/account.js";

export const NOW = Date.parse("2026-03-02T09:00:00Z");
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** An emulator whose time is that of the fake timers. */
export const serviceOf = (seed: EmulatorOptions["seed"] = {}, options: EmulatorOptions = {}): Emulator =>
  createEmulator({ seed, now: () => Date.now(), limits: "none", life: "manual", ...options });

/** The database of docs/database.md: what it keeps of an item, and what it refuses to have again. */
export function databaseOf() {
  const stored = new Map<string, WalkedMeeting>();
  const isDone = ({ id, title, documents, start_time }: Meeting) => {
    const { meeting, missing = [] } = stored.get(id) ?? {};
    const isComplete = meeting !== undefined && !missing.some(({ retryable }) => retryable);
    const isUnchanged = meeting?.title === title && meeting?.documents?.length === documents?.length;
    return isComplete && isUnchanged && start_time < new Date(Date.now() - 4 * DAY).toISOString().slice(0, 10);
  };
  const self = {
    stored,
    checkpoint: undefined as string | undefined,
    wants: (meeting: Meeting, { event }: { event: boolean }) => event || !isDone(meeting),
    mark(checkpoint: string) {
      self.checkpoint = checkpoint;
    },
    /** What is missing this time stays as it is stored. */
    save(item: WalkedMeeting) {
      const { meeting, missing, documents } = item;
      const before = stored.get(meeting.id);
      const others = (before?.documents ?? []).filter(({ id }) => documents.every((document) => document.id !== id));
      stored.set(meeting.id, {
        ...item,
        transcript: item.transcript ?? before?.transcript,
        documents: missing.length === 0 ? documents : [...others, ...documents],
      });
      self.mark(item.checkpoint);
    },
  };
  return self;
}

export interface Following {
  /** What the database has, by meeting id. */
  readonly stored: Map<string, WalkedMeeting>;
  /** The ids of all items, in order. */
  readonly ids: string[];
  readonly items: WalkedMeeting[];
  checkpoint: string | undefined;
  /** The `wants` of docs/database.md. */
  readonly wants: ReturnType<typeof databaseOf>["wants"];
  /** Starts a process that follows the account. */
  start(options?: WalkOptions): void;
  /** Ends the process, as a kill does. */
  kill(): void;
  /** Settles when the process has ended by itself. */
  readonly ended: Promise<void> | undefined;
  error: unknown;
}

/** A process that follows the account until the test has ended, and that can be started again before. */
export function following(service: Emulator, common: WalkOptions = {}, client: ClientOptions = {}): Following {
  let process: AbortController | undefined;
  const database = databaseOf();
  const self: Following = {
    stored: database.stored,
    wants: database.wants,
    ids: [],
    items: [],
    checkpoint: undefined,
    ended: undefined,
    error: undefined,
    start(options = {}) {
      const life = new AbortController();
      process = life;
      const walk = walkMeetings(clientOf(service, client), {
        follow: true,
        ...UNLIMITED,
        onIdle: (checkpoint) => {
          if (!life.signal.aborted) self.checkpoint = checkpoint;
        },
        resume: self.checkpoint,
        signal: life.signal,
        ...common,
        ...options,
      });
      const run = async () => {
        try {
          for await (const item of walk) {
            if (life.signal.aborted) return;
            database.save(item);
            self.items.push(item);
            self.ids.push(item.meeting.id);
            self.checkpoint = item.checkpoint;
          }
        } catch (error) {
          if (!life.signal.aborted) self.error = error;
        }
      };
      Object.assign(self, { ended: run() });
    },
    kill() {
      process?.abort();
    },
  };
  onTestFinished(() => self.kill());
  return self;
}

/** {@link following} whose process runs. */
export function started(...args: Parameters<typeof following>): Following {
  const run = following(...args);
  run.start();
  return run;
}

/** Fake timers, without those of the event loop: bodies are read in real turns of it. */
export const fakeTime = (now = NOW) =>
  vi.useFakeTimers({
    now,
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets `ms` milliseconds pass, in steps: what happens in one of them is complete before the next. */
export async function pass(ms: number, stepMs = Math.min(ms, Math.max(1_000, ms / 60))): Promise<void> {
  await settle();
  for (let passed = 0; passed < ms; passed += stepMs) {
    await vi.advanceTimersByTimeAsync(stepMs);
    await settle();
  }
}

/** Lets time pass until `isDone`. */
export async function until(isDone: () => boolean, stepMs = 1_000): Promise<void> {
  for (let step = 0; !isDone(); step += 1) {
    if (step > 10_000) throw new Error("it does not end");
    await pass(stepMs, stepMs);
  }
}

/** Events that a test sends. */
export function events() {
  const queue: unknown[] = [];
  let wake = () => {};
  async function* read(): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      while (queue.length > 0) yield queue.shift();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    wake: read(),
    send(meetingId?: string) {
      queue.push({ kind: "meeting.transcript_ready", meetingId });
      wake();
    },
  };
}
