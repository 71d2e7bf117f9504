import { Clock } from "../async/clock.js";
import { listMeetings } from "../endpoints/meetings.js";
import { UnauthorizedError } from "../errors/api-error.js";
import type { Operation } from "../transport/operation.js";
import type { Transport } from "../transport/transport.js";
import { OF_POLL } from "./look-up-meetings.js";
import { type Poll, PollGroup, type Wait, type WaitAnswer } from "./poll-group.js";

export type Send = <T>(operation: Operation<T>) => PromiseLike<T>;

export type ReadAnswer<T> = (answer: WaitAnswer, send: Send) => T | Promise<T>;

/** Not with own headers, nor in Workers: there a request belongs to the incoming request that sent it. */
const sharesPolls = ({ headers }: Wait): boolean =>
  headers === undefined && globalThis.navigator?.userAgent !== "Cloudflare-Workers";

export class SharedPolls {
  readonly transport: Transport;
  readonly clock = new Clock();
  readonly #groups = new Map<string, PollGroup>();

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** After `afterMs`, or earlier. The token function runs in the wait's context; a refused token polls again. */
  async ask<T>(wait: Wait, afterMs: number, read: ReadAnswer<T>): Promise<T> {
    const { signal, group } = wait;
    const tokenAfter = (rejected?: string) => this.transport.token(listMeetings.name, { signal, rejected });
    if (group === undefined && afterMs > 0) await this.clock.pause(afterMs, signal);
    const poll = await group?.tick(wait, afterMs);
    const token = await tokenAfter();
    try {
      return await this.#ask(wait, token, read, poll);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const next = await tokenAfter(token);
      if (next === token) throw error;
      return this.#ask(wait, next, read);
    }
  }

  /** `poll` is that of the tick, if the token of the wait is still the same. */
  async #ask<T>(wait: Wait, token: string, read: ReadAnswer<T>, poll?: Poll): Promise<T> {
    const same = wait.group?.token === token ? wait.group : undefined;
    const group = same ?? this.#join(wait, token);
    const answer = await group.answerOf((same && poll) ?? (await group.tick(wait, 0)), wait);
    const { headers, signal } = wait;
    return read(answer, (operation) => {
      wait.requests += 1;
      return this.transport.send({ ...operation, ...OF_POLL, token }, { headers, signal });
    });
  }

  #join(wait: Wait, token: string): PollGroup {
    this.leave(wait);
    const shared = sharesPolls(wait) ? this.#groups.get(token) : undefined;
    const group = shared ?? new PollGroup(this.transport, this.clock, token);
    if (sharesPolls(wait)) this.#groups.set(token, group);
    group.waits.add(wait);
    wait.group = group;
    return group;
  }

  leave(wait: Wait): void {
    const { group } = wait;
    group?.waits.delete(wait);
    if (group?.waits.size === 0 && this.#groups.get(group.token) === group) this.#groups.delete(group.token);
  }
}
