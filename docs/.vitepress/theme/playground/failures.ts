/** The line of a program that says which failure is simulated. */
export const FAILURE = /^const failure = .*;$/m;

/** The failures that can be chosen, each with its code in that line. */
export const FAILURES: readonly (readonly [name: string, code: string])[] = [
  ["none", "undefined"],
  ["429", "{ status: 429, retryAfterSeconds: 7 }"],
  ["500", "{ status: 500 }"],
  ["503, three times", "{ status: 503, times: 3 }"],
  ...["drop", "truncate", "malformed", "html", "validation"].map((name) => [name, `"${name}"`] as const),
  ["a minute late", "{ delayMs: 60_000 }"],
];
