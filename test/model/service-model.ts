/**
 * The service as a model of about a hundred lines: what happens to bots, uploads, permissions and webhooks. Tests
 * compare the emulator with it, command by command, through the client.
 */

import { SENT_WITH } from "../interface/interface.js";

type EventKind = keyof typeof SENT_WITH;

const CREATE_MS = 2_000;
const CALL_ENDS_MS = CREATE_MS + 5_000 + 60_000;
const TRANSCRIBE_MS = 20_000;
const SUMMARISE_MS = 10_000;
const MINUTE_MS = 60_000;

export interface ModelMeeting {
  readonly id: string;
  /** The call that the bot joins; `undefined` for an upload. */
  readonly call: string | undefined;
  /** The time from which the list shows the meeting. */
  shownAt: number;
  /** The time from which the meeting is processed. */
  endsAt: number;
  state: "open" | "completed" | "failed";
  completedAt: number;
  summarised: boolean;
  readonly permissions: Map<string, string>;
}

export interface ModelWebhook {
  readonly events: readonly EventKind[];
  enabled: boolean;
}

/** A limit whose window starts with its first request. */
class RateWindow {
  #startedAt = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(
    private readonly requests: number,
    private readonly perMs: number,
  ) {}

  isFull(now: number): boolean {
    if (now >= this.#startedAt + this.perMs) [this.#startedAt, this.#count] = [now, 0];
    return this.#count >= this.requests;
  }

  count(): void {
    this.#count += 1;
  }
}

export class ServiceModel {
  now = 0;
  readonly meetings: ModelMeeting[] = [];
  readonly webhooks = new Map<string, ModelWebhook>();
  /** The number of deliveries of each kind to each webhook. */
  readonly deliveries = new Map<string, number>();
  readonly faults: number[] = [];
  readonly #bots = [new RateWindow(10, MINUTE_MS), new RateWindow(60, 60 * MINUTE_MS)];
  readonly #uploads = [new RateWindow(10, MINUTE_MS)];

  /** Whether a bot or an upload may be sent now; if so, it is counted. */
  takeTurn(what: "bot" | "upload"): boolean {
    const windows = what === "bot" ? this.#bots : this.#uploads;
    if (windows.filter((window) => window.isFull(this.now)).length > 0) return false;
    for (const window of windows) window.count();
    return true;
  }

  /** Adds a bot, unless a bot is already in the call: then the service keeps that bot. */
  sendBot(id: string, call: string): void {
    const isBusy = this.meetings.some((meeting) => meeting.call === call && this.isInCall(meeting));
    if (!isBusy) this.#add({ id, call, shownAt: this.now + CREATE_MS, endsAt: this.now + CALL_ENDS_MS });
  }

  upload(id: string): void {
    this.#add({ id, call: undefined, shownAt: this.now, endsAt: this.now });
  }

  #add(meeting: Pick<ModelMeeting, "id" | "call" | "shownAt" | "endsAt">): void {
    const rest = { state: "open", completedAt: 0, summarised: false, permissions: new Map<string, string>() } as const;
    this.meetings.push({ ...rest, ...meeting });
  }

  isInCall = ({ state, endsAt, call }: ModelMeeting) => call !== undefined && state === "open" && this.now < endsAt;

  isShown = ({ shownAt }: ModelMeeting) => this.now >= shownAt;

  status(meeting: ModelMeeting): string {
    if (meeting.state !== "open") return meeting.state;
    return this.now >= meeting.endsAt ? "processing" : "scheduled";
  }

  advance(ms: number): void {
    const until = this.now + ms;
    for (const meeting of this.meetings) {
      const completesAt = meeting.endsAt + TRANSCRIBE_MS;
      if (meeting.state === "open" && completesAt <= until) this.#complete(meeting, completesAt);
      const summarisedAt = meeting.completedAt + SUMMARISE_MS;
      if (meeting.state === "completed" && !meeting.summarised && summarisedAt <= until) this.#summarise(meeting);
    }
    this.now = until;
  }

  /** Whether the meeting has a step left. */
  canFinish = ({ state, summarised }: ModelMeeting) => state === "open" || (state === "completed" && !summarised);

  finish(meeting: ModelMeeting): void {
    meeting.shownAt = Math.min(meeting.shownAt, this.now);
    if (meeting.state === "open") this.#complete(meeting, this.now);
    this.#summarise(meeting);
  }

  fail(meeting: ModelMeeting): void {
    meeting.shownAt = Math.min(meeting.shownAt, this.now);
    meeting.state = "failed";
  }

  #complete(meeting: ModelMeeting, at: number): void {
    Object.assign(meeting, { state: "completed", completedAt: at });
    this.#deliver("transcript");
  }

  #summarise(meeting: ModelMeeting): void {
    meeting.summarised = true;
    this.#deliver("summary");
  }

  #deliver(made: "transcript" | "summary"): void {
    for (const [id, { enabled, events }] of this.webhooks) {
      if (!enabled) continue;
      for (const kind of events.filter((event) => SENT_WITH[event] === made)) {
        const key = `${id} ${kind}`;
        this.deliveries.set(key, (this.deliveries.get(key) ?? 0) + 1);
      }
    }
  }
}
