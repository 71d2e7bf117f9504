/** One cell of the matrix: an operation, a fault, and the attempt that meets the fault. */
import { isNotetakerError, Notetaker } from "notetaker-sdk";
import { TOKEN } from "../support/recorder.js";
import { isBeforeHttp, type Struck } from "./answers.js";
import { FaultServer } from "./fault-server.js";
import type { Ending, Fault } from "./faults.js";
import type { Scenario } from "./scenarios.js";

/** The number of the attempt that meets the fault. Attempts before it get a 429. The third attempt is the last one. */
export const ATTEMPTS = [1, 2, 3] as const;
export type Attempt = (typeof ATTEMPTS)[number];

const MAX_RETRIES = 2;
/** Where the server never responds, the time limit is short. A busy machine needs more patience. */
export const timeoutOf = ({ stalls }: Fault, patience: number): number => (stalls === true ? 3_000 * patience : 60_000);

export type Result =
  | { readonly ends: "succeeds" }
  | { readonly ends: string; readonly outcome: string; readonly attempts: number; readonly retryable: boolean };

export const SLOW_DOWN: Struck = {
  kind: "answers",
  write: ({ socket }) => {
    const body = '{"error":{"code":"rate_limited","message":"slow down"}}';
    const head = `HTTP/1.1 429 Too Many Requests\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
    socket.end(head + body);
  },
};

export function expectedOf(scenario: Scenario, fault: Fault, attempt: Attempt): { result: Result; attempts: number } {
  const ending = scenario.hasBody ? fault.ending : (fault.withoutBody ?? fault.ending);
  if (ending === undefined || ending === "succeeds") return { result: { ends: "succeeds" }, attempts: attempt };
  const again = isSentAgain(scenario, ending);
  if (again && attempt <= MAX_RETRIES) return { result: { ends: "succeeds" }, attempts: attempt + 1 };
  const outcome = attempt > 1 && ending.outcome === "not_sent" ? "rejected" : ending.outcome;
  const retryable = scenario.again === "none" ? false : (ending.retryable ?? again);
  return { result: { ends: ending.error, outcome, attempts: attempt, retryable }, attempts: attempt };
}

function isSentAgain({ again }: Scenario, ending: Ending): boolean {
  if (again === "none") return false;
  return ending.again === "each" || (ending.again === "repeatable" && again === "repeatable");
}

export async function runCell(scenario: Scenario, fault: Fault, attempt: Attempt, patience: number) {
  const tls = isBeforeHttp(fault.strikes);
  const timeoutMs = timeoutOf(fault, patience);
  const server = await FaultServer.open({ tls, timeoutMs, answer: () => scenario.success });
  let attempts = 0;
  const token = async ({ rejected }: { rejected?: string | undefined }) => {
    if (rejected !== undefined) return rejected;
    attempts += 1;
    // With "none", the first attempt is the only one.
    const isBefore = attempts < attempt;
    server.prepare(isBefore ? SLOW_DOWN : attempts === attempt ? fault.strikes : undefined);
    return TOKEN;
  };
  const notetaker = new Notetaker({
    baseUrl: `${server.origin}/v1`,
    token,
    timeoutMs,
    maxRetries: MAX_RETRIES,
    maxRetryDelayMs: 5,
    ...(tls ? { fetch: server.fetch as never, allowInsecureHttp: true } : {}),
  });
  try {
    const result = await resultOf(scenario.make(notetaker));
    const expected = expectedOf(scenario, fault, attempt);
    const passed = JSON.stringify(result) === JSON.stringify(expected.result) && attempts === expected.attempts;
    return {
      scenario: scenario.name,
      fault: fault.name,
      attempt,
      result,
      expected: expected.result,
      attempts,
      expectedAttempts: expected.attempts,
      passed,
    };
  } finally {
    await server.close();
  }
}

async function resultOf(call: PromiseLike<unknown>): Promise<Result> {
  try {
    await call;
    return { ends: "succeeds" };
  } catch (error) {
    if (!isNotetakerError(error)) return { ends: String(error), outcome: "", attempts: 0, retryable: false };
    const { name, outcome, attempts, retryable } = error;
    return { ends: name, outcome, attempts, retryable };
  }
}
