/** A client of the package redis without a server: the test answers its commands. */
import type { RedisClient } from "notetaker-sdk/redis";

export interface SentScript {
  keys: string[];
  args: string[];
  script: string;
}

/** A client of the package redis with another answer to each command. */
export const clientOf = (sendCommand: (args: string[]) => unknown, isReady = true) =>
  ({
    isOpen: true,
    isReady,
    on() {},
    sendCommand: async (args: string[]) => sendCommand(args),
  }) as unknown as RedisClient & { isReady: boolean };

/** A client that records what it sends. `answer` may throw, or return a promise. */
export function recordingClient(answer: (sent: SentScript) => unknown = () => null) {
  const sent: SentScript[] = [];
  const client = clientOf(([, script = "", count, ...rest]) => {
    const command = { script, keys: rest.slice(0, Number(count)), args: rest.slice(Number(count)) };
    sent.push(command);
    return answer(command);
  });
  return { client, sent };
}

// Taken before a test stops the timers.
const { setImmediate: realSetImmediate, setTimeout: realSetTimeout } = globalThis;
const realNow = performance.now.bind(performance);

/** Lets promises settle, those of the Web Crypto API included, until there is a result. Timers may be stopped. */
export async function eventually<T>(read: () => T | undefined): Promise<T> {
  const until = realNow() + 60_000;
  while (realNow() < until) {
    const result = read();
    if (result !== undefined) return result;
    await new Promise((resolve) => realSetImmediate(resolve));
  }
  throw new Error("it did not happen");
}

/** Time for what should not happen. The tests may have stopped the timers. */
export const moment = () => new Promise((resolve) => realSetTimeout(resolve, 30));
