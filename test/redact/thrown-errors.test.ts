/** What an error of this library keeps of the value that `fetch` threw: no secrets, and only what is safe. */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { BASE_URL } from "../support/recorder.js";
import { expectHidden, failureOf, PART, SECRET, shown, TOKEN } from "./hidden.js";

const rejectedWith = (thrown: unknown) => failureOf(() => Promise.reject(thrown));
/** The cause of the error of a call whose `fetch` threw this value. */
const causeOf = async (thrown: unknown) => ((await rejectedWith(thrown)) as Error).cause;

describe("an error that fetch throws", () => {
  const within = (levels: number, inner: unknown): unknown =>
    levels === 0 ? inner : new TypeError("fetch failed", { cause: within(levels - 1, inner) });
  const failed = (fields: object) => Object.assign(new Error("failed"), fields);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const throwing = {
    get message() {
      throw new Error(TOKEN);
    },
  };

  it.each<[string, unknown]>([
    ["in its message", new Error(`cannot send Bearer ${TOKEN}`)],
    ["as its name", failed({ name: TOKEN })],
    ["in its code", failed({ code: `E_${TOKEN}` })],
    ["in its stack", failed({ stack: `Error: m\n at ${TOKEN}` })],
    ["in its cause", within(1, new Error(`cannot send ${TOKEN}`))],
    ["in the cause of its cause", within(2, new Error(`cannot send ${TOKEN}`))],
    ["in ten levels of causes", within(10, new Error(TOKEN))],
    ["as a string", `cannot send ${TOKEN}`],
    ["as a symbol", Symbol(TOKEN)],
    ["in the request of the error", failed({ request: new Request(BASE_URL, { headers }) })],
    ["in the headers of the error's configuration", failed({ config: { headers } })],
    ["in a list", failed({ sent: [["authorization", `Bearer ${TOKEN}`]] })],
    ["in an AggregateError", new AggregateError([new Error(TOKEN), within(3, new Error(TOKEN))], TOKEN)],
    ["in an object that is not an error", { sent: TOKEN }],
    ["in the text of an object", { toString: () => TOKEN }],
    ["in a getter that throws", Object.create(throwing)],
  ])("does not show the token %s", async (_, thrown) => {
    const error = await rejectedWith(thrown);
    expect(error).toMatchObject({ name: "ConnectionError" });
    expectHidden(error, PART);
  });

  it("does not show the request body, also not in its stack, which keeps its files", async () => {
    const thrown = new Error(`cannot send {"secret":"${SECRET}"}`);
    thrown.stack += "\n    at read (/app/secrets.ts:10:5)";
    const error = await rejectedWith(thrown);
    expectHidden(error, SECRET);
    expect(shown(error)).toContain("/app/secrets.ts:10:5");
  });

  it("keeps only its class, name, message, code, system call, stack and causes", async () => {
    class SocketError extends Error {
      readonly code = "UND_ERR_SOCKET";
    }
    const thrown = failed({ request: {}, headers: new Headers({ accept: "x" }), code: 5, syscall: "read" });
    Object.assign(thrown, { cause: within(1, new SocketError("socket closed")) });
    const cause = (await causeOf(thrown)) as Error;
    expect(cause).toMatchObject({ name: "Error", message: "failed", stack: thrown.stack });
    expect(Object.entries(cause)).toEqual(Object.entries({ code: 5, syscall: "read" }));
    expect(cause.cause).toBeInstanceOf(TypeError);
    const inner = { name: "Error", message: "socket closed", code: "UND_ERR_SOCKET" };
    expect(cause.cause).toMatchObject({ message: "fetch failed", cause: inner });
  });

  it("of another kind becomes a cause with its name and message, or its text", async () => {
    const aborted = new DOMException("stopped", "AbortError");
    expect(await causeOf(aborted)).toMatchObject({ name: "AbortError", message: "stopped" });
    const errors = [{ name: "RangeError", message: "a" }];
    expect(await causeOf(new AggregateError([new RangeError("a")]))).toMatchObject({ name: "AggregateError", errors });
    expect(await causeOf({ message: "m" })).toMatchObject({ name: "Error", message: "m", stack: "Error: m" });
    expect(await causeOf({ message: "m" })).not.toHaveProperty("cause");
    expect(await causeOf({ message: 5 })).toBe("[object Object]");
    for (const value of [undefined, null, true]) expect(await causeOf(value)).toBe(value);
    expect(await causeOf(5)).toBe("5");
  });

  it("keeps its meaning if it is a system error", async () => {
    const cause = Object.assign(new Error(`connect ECONNREFUSED for ${TOKEN}`), { code: "ECONNREFUSED" });
    const error = await rejectedWith(within(1, cause));
    expect(error).toMatchObject({ outcome: "not_sent" });
    expectHidden(error, PART);
  });

  it("is limited in size, and may be its own cause", async () => {
    const circle = new Error("m".repeat(1e6));
    Object.assign(circle, { cause: circle, errors: Array(1_000).fill(circle) });
    let cause = await causeOf(circle);
    expect(cause).toMatchObject({ message: "m".repeat(2_000) });
    expect(inspect(cause, { depth: 20 }).length).toBeLessThan(4_000_000);
    let levels = 0;
    for (; cause instanceof Error; cause = cause.cause) levels += 1;
    expect(levels).toBe(6);

    expect(await causeOf("m".repeat(1e6))).toBe("m".repeat(2_000));
    const long = failed({ name: "N".repeat(200), code: "C".repeat(200), stack: "s".repeat(10_000) });
    const cut = { name: "N".repeat(100), code: "C".repeat(100), stack: "s".repeat(8_000) };
    expect(await causeOf(long)).toMatchObject(cut);
    const around = (message: string, inner: Error) => Object.assign(new Error(message), { errors: [inner] });
    const kept = await causeOf(around("a", around("b", around("c", new Error("d")))));
    expect(kept).toMatchObject({ errors: [{ message: "b", errors: [{ message: "c" }] }] });
    expect(kept).not.toHaveProperty("errors.0.errors.0.errors");
  });
});
