/** One cell of the matrix for journeys: methods that send more than one request. */
import { type Fetch, isNotetakerError, Notetaker } from "notetaker-sdk";
import { TOKEN } from "../support/recorder.js";
import { isBeforeHttp } from "./answers.js";
import { type Attempt, SLOW_DOWN, timeoutOf } from "./cell.js";
import { FaultServer } from "./fault-server.js";
import type { Fault } from "./faults.js";
import { asksForTooLong } from "./journey-rules.js";
import type { Journey } from "./journeys.js";

/** Runs a journey in which one of the counted requests meets the fault. Those before it get a 429. */
export async function runJourney(journey: Journey, fault: Fault, attempt: Attempt, patience: number) {
  const tls = isBeforeHttp(fault.strikes);
  const timeoutMs = timeoutOf(fault, patience);
  const server = await FaultServer.open({ tls, timeoutMs, answer: ({ path }) => journey.answer(path, server.origin) });
  let requests = 0;
  const strikesNow = (isTarget: boolean) => {
    if (!isTarget) return undefined;
    requests += 1;
    if (requests < attempt) return SLOW_DOWN;
    if (requests !== attempt) return undefined;
    return fault.strikes;
  };
  const fetch = async (url: string, init: RequestInit) => {
    server.prepare(strikesNow(journey.isTarget(url.slice(server.origin.length))));
    return tls ? server.fetch(url, init) : globalThis.fetch(url, init);
  };
  const notetaker = new Notetaker({
    baseUrl: `${server.origin}/v1`,
    token: TOKEN,
    fetch: fetch as Fetch,
    timeoutMs,
    maxRetryDelayMs: 5,
    allowInsecureHttp: true,
  });
  try {
    const { origin } = server;
    const waitMs = asksForTooLong(fault) ? 8_000 * patience : 120_000;
    const context = { notetaker, origin, fetch: fetch as typeof globalThis.fetch, patience, waitMs };
    const ends = await endOf(journey.run(context));
    const result = { ends, requests };
    const expected = journey.rule(fault, attempt);
    const passed = result.ends === expected.ends && result.requests === expected.requests;
    return { scenario: journey.name, fault: fault.name, attempt, result, expected, passed };
  } finally {
    await server.close();
  }
}

async function endOf(journey: Promise<string | undefined>): Promise<string> {
  try {
    return (await journey) ?? "succeeds";
  } catch (error) {
    if (isNotetakerError(error)) return `${error.name} ${error.outcome}`;
    return error instanceof DOMException ? "aborted" : String(error);
  }
}
