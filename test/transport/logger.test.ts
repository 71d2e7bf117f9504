/** One log record per attempt, with exactly the listed keys. */
import type { ClientOptions, Logger } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CALLS, success } from "../support/calls.js";
import { never } from "../support/failures.js";
import { clientOf, failureOf, type Handler, json, refusal, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeEach(() => void vi.useFakeTimers());

type Entry = [level: keyof Logger, message: string, fields: Record<string, unknown>];

function logged(handler: Handler, options: ClientOptions = {}) {
  const entries: Entry[] = [];
  const at = (level: keyof Logger) => (message: string, fields: object) =>
    void entries.push([level, message, { ...fields }]);
  const logger: Logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { ...clientOf(handler, { logger, ...options }), entries };
}

const KEYS = ["attempt", "durationMs", "method", "operation", "path", "status"];

describe.each(CALLS)("$operation", (call) => {
  it("writes one log record, without query, body, token or headers", async () => {
    const { notetaker, entries } = logged(() => success(call), { headers: { "x-private": "private-header" } });
    await call.make(notetaker, { query: { private: "private-query" } });
    const { operation, method, path, status } = call;
    expect(entries).toEqual([
      ["debug", `notetaker: ${operation}`, { ...{ operation, method, path, status }, durationMs: 0, attempt: 1 }],
    ]);
    const text = JSON.stringify(entries);
    for (const secret of [TOKEN, "private", "Weekly", "zoom.us", "s3cr3t", "whsec"]) expect(text).not.toContain(secret);
  });
});

describe("the log records of a call", () => {
  it("are one per attempt, including failed attempts", async () => {
    const later = (response: Response) => new Promise<Response>((resolve) => setTimeout(resolve, 40, response));
    const turns: (() => Response | Promise<Response>)[] = [
      () => later(refusal(503, "unavailable", { "retry-after": "1" })),
      () => Promise.reject(new TypeError("fetch failed")),
      () => never(),
      () => json([]),
    ];
    const answers: Handler = (_, index) => turns[index]!();
    const { notetaker, entries } = logged(answers, { maxRetries: 3, timeoutMs: 100 });
    const call = notetaker.webhooks.list();
    await vi.runAllTimersAsync();
    await call;
    expect(
      entries.map(([level, , { status, attempt, durationMs }]) => ({ level, status, attempt, durationMs })),
    ).toEqual([
      { level: "warn", status: 503, attempt: 1, durationMs: 40 },
      { level: "warn", status: undefined, attempt: 2, durationMs: 0 },
      { level: "warn", status: undefined, attempt: 3, durationMs: 100 },
      { level: "debug", status: 200, attempt: 4, durationMs: 0 },
    ]);
    for (const [, , fields] of entries) expect(Object.keys(fields).sort()).toEqual(KEYS);
  });

  it("include an attempt that the caller aborted", async () => {
    const controller = new AbortController();
    const { notetaker, entries } = logged(() => never());
    const call = notetaker.webhooks.list({ signal: controller.signal }).catch(() => {});
    await vi.advanceTimersByTimeAsync(20);
    controller.abort();
    await call;
    const fields = expect.objectContaining({ status: undefined, durationMs: 20 });
    expect(entries).toEqual([["warn", "notetaker: webhooks.list", fields]]);
  });

  it("have the status of a response that cannot be read, and the operation of request(); an invalid call has none", async () => {
    const { notetaker, entries } = logged(() => new Response("<html>"));
    await notetaker.rooms.list({ limit: 0 }).catch(() => {});
    await notetaker.request("PATCH", "/teams/1", { body: { a: "private" }, query: { a: "private" } }).catch(() => {});
    const fields = { operation: "request", method: "PATCH", path: "/teams/1", status: 200, durationMs: 0, attempt: 1 };
    expect(entries).toEqual([["warn", "notetaker: request", fields]]);
  });
});

describe('validation "warn"', () => {
  it("logs an invalid response by field and type, not by value", async () => {
    const { notetaker, entries } = logged(() => json([{ ...samples.webhook, url: 5, id: "private" }]), {
      validation: "warn",
    });
    await notetaker.webhooks.list();
    expect(entries[0]).toEqual([
      "warn",
      "notetaker: a response does not match its schema",
      {
        operation: "webhooks.list",
        path: "/webhooks",
        issues: [
          { path: "[0].id", code: "invalid_id", message: expect.not.stringContaining("private") },
          { path: "[0].url", code: "wrong_type", message: expect.any(String) },
        ],
      },
    ]);
    expect(entries).toHaveLength(2);
  });
});

describe("a logger", () => {
  it("may be a function, which gets the level, the message and the fields", async () => {
    const logger = vi.fn();
    await clientOf(() => json([]), { logger }).notetaker.webhooks.list();
    expect(logger).toHaveBeenCalledExactlyOnceWith("debug", "notetaker: webhooks.list", expect.any(Object));
  });

  it("is called with its own this", async () => {
    class Own {
      lines: string[] = [];
      debug(message: string) {
        this.lines.push(message);
      }
      info() {}
      warn() {}
      error() {}
    }
    const logger = new Own();
    await clientOf(() => json([]), { logger }).notetaker.webhooks.list();
    expect(logger.lines).toEqual(["notetaker: webhooks.list"]);
  });

  it("may throw: the result or the error of the call stays the same", async () => {
    const fail = () => {
      throw new Error("disk full");
    };
    const logger: Logger = { debug: fail, info: fail, warn: fail, error: fail };
    expect(await clientOf(() => json([]), { logger }).notetaker.webhooks.list()).toEqual([]);
    const { notetaker } = clientOf(() => refusal(404, "not_found"), { logger });
    await expect(notetaker.webhooks.list()).rejects.toMatchObject({ name: "NotFoundError" });
    const warned = clientOf(() => json([5]), { logger, validation: "warn" }).notetaker;
    expect(await warned.webhooks.list()).toEqual([5]);
  });

  it("may reject: an unhandled rejection would fail the run", async () => {
    const logger = () => Promise.reject(new Error("disk full")) as unknown as undefined;
    expect(await clientOf(() => json([]), { logger }).notetaker.webhooks.list()).toEqual([]);
    vi.useRealTimers();
    await new Promise((resolve) => setTimeout(resolve, 1));
  });

  it("writes nothing by default", async () => {
    const spies = (["debug", "info", "log", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
    await clientOf(() => json([])).notetaker.webhooks.list();
    await failureOf(() => refusal(404, "not_found"));
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});
