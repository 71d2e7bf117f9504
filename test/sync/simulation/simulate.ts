/** One simulation: an account that changes for days, read by many runs that are killed, and compared at the end. */
import { isDeepStrictEqual as equal } from "node:util";
import { type MeetingStore, Notetaker, type SyncOptions, type SyncResult, syncMeetings } from "notetaker-sdk";
import { vi } from "vitest";
import { fakeTime, settle } from "../support/simulated-time.js";
import { eventQueue } from "../support/small-service.js";
import { DAY, HOUR, HostileService, MINUTE, POLL_MS, SETTLE_MS } from "./hostile-service.js";
import { Random } from "./random.js";
import { type WatchedStore, watchedStore } from "./watched-store.js";

const KILLED = new Error("killed");
const STORE_AWAY = new Error("the store is away");

/** Resolves to the differences. */
export async function simulate(seed: number, store?: MeetingStore): Promise<readonly string[]> {
  const beganAt = Date.parse("2026-03-10T09:00:00Z");
  const random = new Random(seed);
  vi.spyOn(Math, "random").mockImplementation(() => random.next());
  fakeTime(beganAt);
  try {
    return await new Simulation(seed, beganAt, store).run();
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
}

class Simulation {
  readonly #service: HostileService;
  readonly #store: WatchedStore;
  readonly #notetaker: Notetaker;
  readonly #options: Omit<SyncOptions, "follow">;
  readonly #beganAt: number;
  readonly #since: number;
  readonly #storeFailureRate: number;
  readonly #differences: string[] = [];
  #deliveredUntil: number;

  constructor(seed: number, beganAt: number, store?: MeetingStore) {
    this.#store = watchedStore(store);
    this.#beganAt = beganAt;
    this.#deliveredUntil = beganAt;
    const service = new HostileService(seed, beganAt);
    const { random } = service;
    this.#service = service;
    this.#notetaker = new Notetaker({
      baseUrl: "https://service.test/v1",
      token: "secret",
      fetch: service.fetch as never,
    });
    this.#since = random.chance(0.3) ? beganAt - 5 * DAY : Number.NEGATIVE_INFINITY;
    this.#storeFailureRate = random.pick([0, 0.1, 0.5]);
    this.#options = {
      into: this.#store,
      pollMs: POLL_MS,
      settleMs: SETTLE_MS,
      requestsPerMinute: random.pick([40, 100_000]),
      prune: random.pick([false, true, "all"] as const),
      ...(this.#since > 0 && { since: new Date(this.#since) }),
    };
  }

  async run(): Promise<readonly string[]> {
    const { random } = this.#service;
    const endAt = this.#beganAt + 4 * DAY;
    while (Date.now() < endAt) {
      await this.#life();
      const pauseMs = random.pick([0, MINUTE, 20 * MINUTE, 3 * HOUR, 20 * HOUR]);
      await vi.advanceTimersByTimeAsync(pauseMs);
      if (random.chance(0.05)) vi.setSystemTime(Date.now() - random.integer(MINUTE, 4 * HOUR));
    }
    if (random.chance(0.1)) await this.#colleague();
    this.#service.isHealed = true;
    this.#store.beforeWrite = () => {};
    // Until the last meeting has settled, and the daily pass has come twice.
    for (let hours = 0; hours < 60; hours += 1) {
      await vi.advanceTimersByTimeAsync(HOUR);
      const result = await settle(syncMeetings(this.#notetaker, this.#options));
      if (result !== "running" && result.ended !== "done")
        this.#differences.push(`a peaceful run ended ${result.ended}`);
    }
    // A service that ignores ids shows old meetings in the daily pass alone: until those have had all their requests.
    for (let days = 0; days < 5; days += 1) {
      await vi.advanceTimersByTimeAsync(25 * HOUR);
      await settle(syncMeetings(this.#notetaker, this.#options));
    }
    const last = await settle(syncMeetings(this.#notetaker, this.#options));
    this.#compare(last as SyncResult);
    return [
      ...this.#differences,
      ...this.#store.unchanged.map((what) => `${what} was written unchanged`),
      ...this.#store.repeated.map((id) => `a batch named ${id} twice`),
    ];
  }

  async #life(): Promise<void> {
    const { random } = this.#service;
    const killer = new AbortController();
    const isKilled = random.chance(0.4);
    let writes = random.integer(0, 30);
    this.#store.beforeWrite = () => {
      writes -= 1;
      if (isKilled && writes < 0) {
        killer.abort(KILLED);
        throw KILLED;
      }
      if (random.chance(this.#storeFailureRate)) throw STORE_AWAY;
    };
    const { signal } = killer;
    const kind = random.integer(0, 2);
    try {
      if (kind === 0) await settle(syncMeetings(this.#notetaker, { ...this.#options, signal }));
      if (kind === 1) {
        const budget = { requests: random.integer(3, 50) };
        await settle(syncMeetings(this.#notetaker, { ...this.#options, signal, budget }));
      }
      if (kind === 2) await this.#follow(killer);
      await this.#only();
      if (random.chance(0.1)) await this.#narrower();
    } catch (error) {
      if (error !== KILLED && error !== STORE_AWAY) this.#checkFailure(error);
    }
  }

  /** One run with a narrower `since`, with other formats, or until some days ago. */
  async #narrower(): Promise<void> {
    const since = new Date(Math.max(Date.now() - 2 * DAY, this.#since));
    const until = new Date(Date.now() - 4 * DAY);
    const narrow = this.#service.random.pick([{ since }, { formats: { documents: [] } }, { since: undefined, until }]);
    await settle(syncMeetings(this.#notetaker, { ...this.#options, ...narrow }));
  }

  /** Runs with the token of a colleague for more than a day. What they remove is stored again later. */
  async #colleague(): Promise<void> {
    const before = this.#store.meetings.size;
    this.#service.isOtherAccount = true;
    for (let run = 0; run < 2; run += 1) {
      const result = await settle(syncMeetings(this.#notetaker, this.#options)).catch(() => undefined);
      const { prune } = this.#options;
      if (typeof result === "object" && prune !== "all" && result.removed > 0 && before > 3)
        this.#differences.push(`the token of a colleague has removed ${result.removed} of ${before}`);
      await vi.advanceTimersByTimeAsync(26 * HOUR);
    }
    this.#service.isOtherAccount = false;
  }

  /** A run may end with an error of the service, and nothing else. */
  #checkFailure(error: unknown): void {
    const { name, message } = error as Error;
    const names = [
      "ApiError",
      "ServerError",
      "ConnectionError",
      "RateLimitedError",
      "ResponseValidationError",
      "PaginationError",
    ];
    const isRefusedCursor = /cursor/.test(message);
    if (!names.includes(name) && !isRefusedCursor) this.#differences.push(`a run ended with ${name}: ${message}`);
  }

  async #follow(killer: AbortController): Promise<void> {
    const { random } = this.#service;
    const untilMs = Date.now() + random.pick([10 * MINUTE, 2 * HOUR, 8 * HOUR]);
    const { events, send } = eventQueue();
    const timer = setInterval(() => {
      for (const id of this.#takeEvents()) send(id);
    }, MINUTE);
    const { signal } = killer;
    const running = syncMeetings(this.#notetaker, { ...this.#options, follow: true, wake: events, signal });
    try {
      await settle(running, untilMs);
      killer.abort(KILLED);
      await settle(running);
    } finally {
      clearInterval(timer);
    }
  }

  /** What an event starts in another process. */
  async #only(): Promise<void> {
    const only = this.#takeEvents().filter((id) => !id.includes("/"));
    if (only.length === 0) return;
    const { since, ...options } = this.#options;
    await settle(syncMeetings(this.#notetaker, { ...options, only }));
  }

  /** The events since the last call, without those that are lost. */
  #takeEvents(): string[] {
    const { random, events } = this.#service;
    const now = Date.now();
    const arrived = events.filter(({ at }) => at > this.#deliveredUntil && at <= now && !random.chance(0.2));
    this.#deliveredUntil = Math.max(now, this.#deliveredUntil);
    return arrived.map(({ id }) => id);
  }

  #compare(last: SyncResult): void {
    const now = Date.now();
    const service = this.#service;
    const differ = (what: string) => this.#differences.push(what);
    if (last.changed > 0) differ(`the last run still changed ${last.changed} meetings`);
    const listed = service.listed(now).filter(({ startTime }) => !(timeOf(startTime) < this.#since));
    for (const meeting of listed) {
      const stored = this.#store.meetings.get(meeting.id);
      const status = service.statusOf(meeting, now);
      if (stored === undefined) {
        differ(`${meeting.id} is missing`);
        continue;
      }
      if (stored.isGone) differ(`${meeting.id} is marked as gone`);
      if (!equal(inOrder(stored.meeting), inOrder(service.rowOf(meeting, now)))) differ(`${meeting.id} has an old row`);
      // Given up, because it failed, or the store refused it, until the end of its time. What is broken never comes.
      const isGivenUp = (piece: string) =>
        stored.missing.some(
          ({ what, reason, message }) =>
            what === piece &&
            ((reason === "failed" && !message.endsWith("broken")) || message.endsWith(STORE_AWAY.message)),
        );
      const isOdd = meeting.id.includes("/");
      const { failure } = meeting.transcript;
      const isExpected = status === "completed" && failure === undefined && !isOdd && !isGivenUp("transcript");
      if (isExpected && !equal(stored.transcript, service.transcriptOf(meeting, now)))
        differ(`${meeting.id} lacks its transcript`);
      const isMissing = stored.missing.some(({ what }) => what === "transcript");
      if (isExpected && isMissing) differ(`${meeting.id} reports a missing transcript`);
      if (stored.missing.some(({ retryable }) => retryable)) differ(`${meeting.id} is unfinished`);
      if (isOdd) continue;
      const documents = service.documentsOf(meeting, now).filter(({ failure }) => failure === undefined);
      const isFailed = status === "failed";
      for (const document of isFailed ? [] : documents) {
        if (isGivenUp(`document ${document.id} (markdown)`)) continue;
        const found = stored.documents.find(({ id }) => id === document.id);
        if (!equal(found, service.documentOf(document, now))) differ(`${meeting.id} lacks ${document.id}`);
      }
      const ids = service.documentsOf(meeting, now).map(({ id }) => id);
      for (const { id } of stored.documents) if (!ids.includes(id)) differ(`${meeting.id} still has ${id}`);
    }
    const ids = new Set(service.listed(now).map(({ id }) => id));
    for (const [id, { isGone }] of this.#store.meetings) {
      const isOthers = id.startsWith("mtg_other_");
      if (!isOthers && !service.meetings.some((meeting) => meeting.id === id)) differ(`${id} never existed`);
      else if (!ids.has(id) && !isGone && !this.#mayHideGone(id)) differ(`${id} is not marked as gone`);
    }
  }

  /** An id that cannot be sent cannot be asked for; nor any, if the service ignores the filter or has no meeting. */
  #mayHideGone(id: string): boolean {
    return id.includes("/") || this.#service.ignoresIds || this.#service.listed(Date.now()).length === 0;
  }
}

/** A row with its documents in the order of their ids. */
function inOrder(row: object) {
  const { documents } = row as { documents?: { id: string }[] };
  return { ...row, documents: [...(documents ?? [])].sort((left, right) => (left?.id < right?.id ? -1 : 1)) };
}

const timeOf = (time: string | null | undefined) =>
  Date.parse(/\dT[\d:.]+$/.test(time ?? "") ? `${time}Z` : (time ?? ""));
