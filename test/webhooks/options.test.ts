import {
  ConfigurationError,
  createReceiver,
  createRelay,
  memoryEventLog,
  subscribe,
  toNodeListener,
  verify,
} from "notetaker-sdk/webhooks";
import { expect, it, vi } from "vitest";
import { rejectionOf } from "../support/recorder.js";
import { eventOf } from "./events.js";

const MAKERS = {
  createReceiver: (options: object) => createReceiver({ secrets: "s3cret", ...options }),
  createRelay: (options: object) => createRelay({ authorize: () => true, ...options }),
  memoryEventLog: (options: object) => memoryEventLog(options),
  subscribe: (options: object) => subscribe("https://app.example.com/", options),
};

/** Invalid values of each option. `onEror` stands for an unknown option. */
const INVALID: Record<keyof typeof MAKERS, Record<string, unknown[]>> = {
  createReceiver: {
    onEror: [() => {}],
    deadlineMs: [0, "8000"],
    maxBodyBytes: [-1],
    signatureHeader: ["X-Sig: ", 5],
    assumptions: [{ kin: "a" }],
    handlers: [() => {}],
    dedupe: [{ claim: () => "claimed" }, new Map()],
  },
  createRelay: {
    onEror: [() => {}],
    authorize: [undefined],
    onError: ["log"],
    heartbeatMs: [2 ** 31, 0.5],
    retryMs: [-1],
    reauthorizeMs: [0],
  },
  memoryEventLog: { onEror: [() => {}], maxEvents: [0.5] },
  subscribe: {
    onEror: [() => {}],
    allowInsecureHttp: [1],
    credentials: ["all"],
    lastEventId: [5],
    signal: [{ aborted: false }],
    staleAfterMs: [0],
  },
};

it.each(Object.keys(MAKERS) as (keyof typeof MAKERS)[])("%s refuses each invalid option by its name", (name) => {
  for (const [option, values] of Object.entries(INVALID[name])) {
    for (const value of values) {
      const make = () => MAKERS[name]({ [option]: value });
      expect(make, option).toThrow(ConfigurationError);
      expect(make).toThrow(`${name}: ${option}`);
    }
  }
});

it("verify refuses an unknown option", async () => {
  const verifying = verify("{}", {}, "s3cret", { signatureHeadr: "x-signature" } as object);
  expect((await rejectionOf(ConfigurationError, verifying)).message).toContain("verify: signatureHeadr");
});

it("an option that is undefined counts as omitted", () => {
  expect(() => MAKERS.createReceiver({ deadlineMs: undefined, dedupe: undefined, handlers: undefined })).not.toThrow();
  const log = memoryEventLog({ maxEvents: undefined });
  const oldest = log.latestId() as string;
  for (let number = 0; number < 1_001; number += 1) log.append(eventOf(number), undefined);
  expect(log.after(oldest, 1)).toBeUndefined();
});

it("a duration may be at least 1 and at most the longest timer", () => {
  for (const heartbeatMs of [1, 1.5, 2 ** 31 - 1]) expect(() => MAKERS.createRelay({ heartbeatMs })).not.toThrow();
});

it("toNodeListener refuses a receiver that is passed instead of its handle", () => {
  const receiver = MAKERS.createReceiver({});
  expect(() => toNodeListener(receiver as never)).toThrow(ConfigurationError);
});

it("a receiver and a relay can be created at the module level of an edge worker", () => {
  // What Cloudflare's workerd refuses there.
  const refuse = () => {
    throw new Error("Disallowed operation called within global scope");
  };
  for (const name of ["AbortController", "setTimeout", "setInterval", "fetch"]) vi.stubGlobal(name, refuse);
  vi.stubGlobal("crypto", { randomUUID: refuse, getRandomValues: refuse });
  MAKERS.createReceiver({});
  MAKERS.createRelay({ log: memoryEventLog() });
});
