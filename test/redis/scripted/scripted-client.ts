/** A client of the package redis whose server is a function of the test, which decides on every answer. */
import type { RedisClient } from "notetaker-sdk/redis";

export interface ScriptedClient {
  client: RedisClient;
  /** Every command that was sent. */
  commands: (readonly string[])[];
  /** The keys and arguments of every script that was run. */
  scripts: () => string[][];
  /** Whether the client is connected. */
  state: { isReady: boolean };
}

/** @param answer - Called with each command. A thrown error is an error of Redis. */
export function scriptedClient(answer: (command: readonly string[], index: number) => unknown): ScriptedClient {
  const commands: (readonly string[])[] = [];
  const state = { isReady: true };
  const client = {
    isOpen: true,
    get isReady() {
      return state.isReady;
    },
    on: () => client,
    async sendCommand(args: readonly string[]) {
      commands.push(args);
      return answer(args, commands.length - 1);
    },
  };
  const scripts = () => commands.filter(([name]) => /^EVAL/.test(name ?? "")).map((command) => command.slice(3));
  return { client: client as unknown as RedisClient, commands, scripts, state };
}

/** An answer that never comes. */
export const never = () => new Promise<never>(() => {});

/** Waits in real time, one turn of the event loop at a time, while the test's clock stands still. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("it did not come to that");
}

/** The timers that a test moves. The turns of the event loop stay real. */
export const TIMERS = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] as const;
