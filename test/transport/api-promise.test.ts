/** The result of a call: a promise of its data that also gives access to the response. */
import {
  ApiPromise,
  type ClientOptions,
  NotetakerError,
  NotFoundError,
  PagePromise,
  PaginationError,
} from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { CALLS, success } from "../support/calls.js";
import { lostConnection, never } from "../support/failures.js";
import { collect } from "../support/pages.js";
import { clientOf, type Handler, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  await turns();
  process.off("unhandledRejection", note);
});
/** Node reports an unhandled rejection after the microtask queue is empty. */
const turns = () => new Promise((resolve) => setTimeout(resolve, 5));

it("every method returns an ApiPromise, and each list a PagePromise", async () => {
  for (const call of CALLS) {
    const { notetaker } = clientOf(() => success(call));
    const promise = call.make(notetaker);
    expect(promise, call.operation).toBeInstanceOf(ApiPromise);
    expect(promise, call.operation).toBeInstanceOf(Promise);
    expect(promise instanceof PagePromise, call.operation).toBe(Symbol.asyncIterator in (promise as object));
    await promise;
  }
});

describe.each<[string, (client: ReturnType<typeof clientOf>["notetaker"]) => ApiPromise<unknown>]>([
  ["a call", (notetaker) => notetaker.webhooks.list()],
  ["a list", (notetaker) => notetaker.rooms.list()],
])("native code sees %s settle", (_, make) => {
  const succeeding = () => make(clientOf(({ path }) => json(path === "/rooms" ? samples.page([]) : [])).notetaker);
  const failing = () => make(clientOf(() => refusal(404, "not_found")).notetaker);
  /** As a Worker's RPC, `navigator.locks.request` and `expect(…).rejects` of `bun test` do. */
  const nativeThen = (call: Promise<unknown>) => Promise.prototype.then.call(call, undefined, undefined);
  /** Node's streams read the promise that a sink returns with the built-in `then`. */
  const written = (call: Promise<unknown>) =>
    new WritableStream({ write: () => call as Promise<void> }).getWriter().write("chunk");

  it.each([nativeThen, written])("%o", async (consume) => {
    await consume(succeeding());
    await rejectionOf(NotFoundError, consume(failing()));
    await turns();
    expect(unhandled).toEqual([]);
  });

  it("and its methods return plain promises", async () => {
    const call = succeeding();
    // Babel's classes, as Metro writes them for React Native, construct the base class with the prototype's constructor.
    const prototype = Object.getPrototypeOf(call);
    expect(prototype.constructor.prototype).toBe(prototype);
    const all = [call.then((data) => data), call.catch(() => {}), call.finally(() => {}), Promise.all([call])];
    for (const plain of all) expect(Object.getPrototypeOf(plain)).toBe(Promise.prototype);
    expect((await call.withResponse()).data).toBe(await call);
    expect(await Promise.race([call])).toBe(await call);
  });
});

it("a call sends its request once, however its promise is used, and its body has been read", async () => {
  const { notetaker, seen } = clientOf(() => json([]));
  const promise = notetaker.webhooks.list();
  const [, , { response }] = await Promise.all([promise, promise.then(), promise.withResponse()]);
  expect(response.bodyUsed).toBe(true);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(seen).toHaveLength(1);
  // Nobody awaits this one.
  void notetaker.webhooks.list();
  await turns();
  expect(seen).toHaveLength(2);
});

describe("a rejected call", () => {
  const failing = () => clientOf(() => refusal(404, "not_found")).notetaker;
  const ignored = (promise: PromiseLike<unknown>) => Promise.resolve(promise).catch(() => {});
  const notFound = (promise: PromiseLike<unknown>) => rejectionOf(NotFoundError, promise);
  const rooms = () => failing().rooms.list();
  const ways: [string, () => Promise<unknown>][] = [
    ["await", () => notFound(failing().webhooks.list())],
    ["withResponse alone", () => notFound(failing().webhooks.list().withResponse())],
    [
      "await and withResponse",
      async () => {
        const promise = failing().webhooks.list();
        await Promise.allSettled([promise, promise.withResponse()]);
      },
    ],
    ["Promise.all", () => notFound(Promise.all([failing().webhooks.list(), rooms()]))],
    ["for await", () => notFound(collect(rooms()))],
    ["toArray", () => notFound(rooms().toArray({ max: 1 }))],
    ["toArray without a max", () => ignored(rooms().toArray(undefined as never))],
    ["a wrong argument", () => ignored(failing().rooms.list({ limit: 0 }))],
    [
      "the guard of the last page",
      async () => {
        const { notetaker } = clientOf(() => json(samples.page([])));
        const page = await notetaker.rooms.list();
        await rejectionOf(PaginationError, page.nextPage());
        await rejectionOf(PaginationError, page.nextPage().withResponse());
      },
    ],
    [
      "a call that is cancelled",
      async () => {
        const controller = new AbortController();
        const promise = ignored(failing().webhooks.list({ signal: controller.signal }));
        controller.abort();
        await promise;
      },
    ],
  ];
  it.each(ways)("causes no unhandled rejection if it is caught once through %s", async (_, way) => {
    await way();
    await turns();
    expect(unhandled).toEqual([]);
  });
});

describe("an error that nobody handles", () => {
  const failing = () => clientOf(() => refusal(404, "not_found")).notetaker;

  it.each<[string, () => unknown]>([
    ["a call", () => void failing().webhooks.list()],
    ["a list", () => void failing().rooms.list()],
    ["withResponse()", () => void failing().webhooks.list().withResponse()],
    ["toArray()", () => void failing().rooms.list().toArray({ max: 1 })],
    ["a wrong argument", () => void failing().rooms.list({ limit: 0 })],
  ])("causes exactly one unhandled rejection: %s", async (_, floating) => {
    floating();
    await turns();
    expect(unhandled).toHaveLength(1);
    expect(unhandled[0]).toBeInstanceOf(NotetakerError);
    unhandled.length = 0;
  });
});

describe("the stack of a call's error", () => {
  it.each<[string, Handler, ClientOptions]>([
    ["a refusal", () => refusal(404, "not_found"), {}],
    ["a lost connection", () => Promise.reject(lostConnection("ECONNRESET")), {}],
    ["a timeout", () => never(), { timeoutMs: 20 }],
    ["an invalid response", () => json({}), {}],
  ])("contains the caller's own line after %s", async (_, handler, options) => {
    const { notetaker } = clientOf(handler, { maxRetries: 0, ...options });
    const callerOwnLine = async () => {
      await notetaker.webhooks.list();
    };
    const error = await rejectionOf(NotetakerError, callerOwnLine());
    expect(error.stack).toContain("callerOwnLine");
    expect(error.stack).not.toContain("withCallerStack");
    expect(error.stack?.split("\n")[0]).toBe(`${error.name}: ${error.message}`);
  });

  it.each([["mine"], [["a", "b"]]])("stays as the program's own Error.prepareStackTrace made it: %j", async (stack) => {
    const before = Error.prepareStackTrace;
    onTestFinished(() => {
      Error.prepareStackTrace = before;
    });
    Error.prepareStackTrace = () => stack;
    const { notetaker } = clientOf(() => refusal(404, "not_found"));
    const error = await notetaker.webhooks.list().catch((error: NotFoundError) => error);
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as NotFoundError).stack).toEqual(stack);
  });
});
