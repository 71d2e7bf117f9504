/** Each operation that sends one request. */
import type { Notetaker } from "notetaker-sdk";
import * as z from "zod/mini";
import { CALLS } from "../support/calls.js";
import type { Success } from "./fault-server.js";

const schema = z.object({ done: z.boolean() });

export interface Scenario {
  readonly name: string;
  make(notetaker: Notetaker): PromiseLike<unknown>;
  /**
   * The faults after which the operation is retried: all temporary ones, those after which nothing was done, or none.
   */
  readonly again: "repeatable" | "each" | "none";
  readonly hasBody: boolean;
  readonly success: Success;
}

export const SCENARIOS: readonly Scenario[] = [
  ...CALLS.map(({ operation, make, repeatable, answer, status }) => ({
    name: operation,
    make,
    again: repeatable ? ("repeatable" as const) : ("each" as const),
    hasBody: answer !== undefined,
    success: { status, body: answer === undefined ? "" : JSON.stringify(answer) },
  })),
  {
    name: "request (GET)",
    make: (notetaker) => notetaker.request("GET", "/anything", { schema }),
    again: "repeatable",
    hasBody: true,
    success: { status: 200, body: '{"done":true}' },
  },
  {
    name: "request (POST)",
    make: (notetaker) => notetaker.request("POST", "/anything", { body: {}, schema }),
    again: "each",
    hasBody: true,
    success: { status: 200, body: '{"done":true}' },
  },
];
