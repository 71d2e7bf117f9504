/** The middleware that wraps each attempt. */
import {
  ConnectionError,
  type Middleware,
  type MiddlewareContext,
  Notetaker,
  NotFoundError,
  ResponseValidationError,
} from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { CALLS, success } from "../support/calls.js";
import { lostConnection } from "../support/failures.js";
import { clientOf, json, refusal, rejection, rejectionOf, settingHeader, TOKEN } from "../support/recorder.js";

const noting =
  (notes: string[], name: string): Middleware =>
  async (request, next) => {
    notes.push(`${name} in`);
    const response = await next(request);
    notes.push(`${name} out`);
    return response;
  };

describe("a middleware", () => {
  it("wraps each attempt, with the first middleware outermost", async () => {
    const notes: string[] = [];
    const { notetaker } = clientOf(
      (_, index) => {
        notes.push("fetch");
        return index === 0 ? refusal(429, "rate_limited", { "retry-after": "0" }) : json([]);
      },
      { middleware: [noting(notes, "a"), noting(notes, "b")] },
    );
    await notetaker.webhooks.list();
    const attempt = ["a in", "b in", "fetch", "b out", "a out"];
    expect(notes).toEqual([...attempt, ...attempt]);
  });

  it.each(CALLS)("gets the request of $operation as it is sent, and may change it", async (call) => {
    const seenInside: string[] = [];
    const { notetaker, seen } = clientOf(() => success(call), {
      middleware: [
        async (request, next) => {
          const { method, url, headers } = request;
          seenInside.push(`${method} ${new URL(url).pathname.slice(3)} ${headers.get("authorization")}`);
          const changed = new Request(request);
          changed.headers.set("traceparent", "00-1");
          changed.headers.delete("accept");
          return next(changed);
        },
      ],
    });
    await call.make(notetaker);
    expect(seenInside).toEqual([`${call.method} ${call.path} Bearer ${TOKEN}`]);
    expect(seen[0]!.headers).toMatchObject({ traceparent: "00-1", authorization: `Bearer ${TOKEN}` });
    expect(seen[0]!.headers).not.toHaveProperty("accept");
    if (call.sends && "json" in call.sends) expect(JSON.parse(seen[0]!.body)).toEqual(call.sends.json);
  });

  it("may return its own response, so that no request is sent", async () => {
    const { notetaker, seen } = clientOf(() => json([]), {
      middleware: [async () => json([{ cached: true }])],
      validation: "off",
    });
    expect(await notetaker.webhooks.list()).toEqual([{ cached: true }]);
    expect(seen).toEqual([]);
  });

  it("may replace the response: an error response is retried like one of the service", async () => {
    let calls = 0;
    const { notetaker } = clientOf(() => json([]), {
      middleware: [
        async (request, next) => {
          calls += 1;
          return calls === 1 ? refusal(503, "unavailable", { "retry-after": "0" }) : next(request);
        },
      ],
    });
    expect(await notetaker.webhooks.list()).toEqual([]);
    expect(calls).toBe(2);
    const refusing = clientOf(() => json([]), { middleware: [async () => refusal(404, "not_found")] }).notetaker;
    await rejectionOf(NotFoundError, refusing.webhooks.list());
  });

  it.each<[string, unknown]>([
    ["an error", new Error("mine")],
    ["a TypeError like one of fetch", new TypeError("fetch failed")],
    ["a string", "mine"],
    ["undefined", undefined],
  ])(
    "ends the call with %s if it throws that, before or after the response, unchanged and without a retry",
    async (_, thrown) => {
      const atOnce = vi.fn<Middleware>(() => {
        throw thrown;
      });
      const after = vi.fn<Middleware>(async (request, next) => {
        await next(request);
        throw thrown;
      });
      for (const middleware of [atOnce, after]) {
        const { notetaker } = clientOf(() => json([]), { middleware: [noting([], "outer"), middleware] });
        expect(await rejection(notetaker.webhooks.list())).toBe(thrown);
        expect(middleware).toHaveBeenCalledTimes(1);
      }
    },
  );

  it("gets a lost connection as the same error that the call ends with", async () => {
    const caught: unknown[] = [];
    const { notetaker } = clientOf(() => Promise.reject(lostConnection("ECONNRESET")), {
      maxRetries: 0,
      middleware: [
        (request, next) =>
          next(request).catch((error) => {
            caught.push(error);
            throw error;
          }),
      ],
    });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(caught).toEqual([error]);
  });

  it("may repeat the request itself after a lost connection", async () => {
    const { notetaker, seen } = clientOf(
      (_, index) => (index === 0 ? Promise.reject(lostConnection("ECONNRESET")) : json([])),
      {
        maxRetries: 0,
        middleware: [(request, next) => next(request.clone()).catch(() => next(request))],
      },
    );
    expect(await notetaker.webhooks.list()).toEqual([]);
    expect(seen).toHaveLength(2);
  });

  it("may read a copy of the response", async () => {
    const read: unknown[] = [];
    const { notetaker } = clientOf(() => json([]), {
      middleware: [
        async (request, next) => {
          const response = await next(request);
          read.push(await response.clone().json());
          return response;
        },
      ],
    });
    expect(await notetaker.webhooks.list()).toEqual([]);
    expect(read).toEqual([[]]);
  });

  it.each([
    ["undefined", undefined],
    ["an object that is not a response", { status: 200 }],
    ["an object like an error response", { status: 404, ok: false }],
    ["an object with the headers of Node", { status: 200, ok: true, headers: {}, text: async () => "[]" }],
  ])("causes a ConnectionError if it returns %s", async (_, returned) => {
    const { notetaker } = clientOf(() => json([]), { maxRetries: 0, middleware: [async () => returned as never] });
    expect((await rejectionOf(ConnectionError, notetaker.webhooks.list())).message).toContain("no response");
  });

  it("is named in the error if it has read the response itself, and nothing is sent again", async () => {
    const reading: Middleware = async (request, next) => {
      const response = await next(request);
      await response.text();
      return response;
    };
    const { notetaker, seen } = clientOf(() => json([]), { maxRetries: 2, middleware: [reading] });
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error.issues[0]?.message).toBe("the body was already read: a middleware must read response.clone() instead");
    expect(error.outcome).toBe("accepted");
    expect(seen).toHaveLength(1);
    const refusing = clientOf(() => refusal(404, "not_found"), { middleware: [reading] }).notetaker;
    await rejectionOf(NotFoundError, refusing.webhooks.list());
  });

  it("runs after the token is set, so that its own Authorization header is sent", async () => {
    const { notetaker, seen } = clientOf(() => json([]), {
      middleware: [settingHeader("authorization", "Bearer other")],
    });
    await notetaker.webhooks.list();
    expect(seen[0]!.headers.authorization).toBe("Bearer other");
  });
});

describe("a middleware's context", () => {
  it("has the operation and the attempt, and a signal that ends with the attempt", async () => {
    const contexts: MiddlewareContext[] = [];
    const { notetaker } = clientOf((_, index) => (index === 0 ? refusal(503, "unavailable") : json([])), {
      maxRetryDelayMs: 0,
      middleware: [
        (request, next, context) => {
          contexts.push(context);
          return next(request);
        },
      ],
    });
    await notetaker.webhooks.list();
    expect(contexts.map(({ operation, attempt }) => [operation, attempt])).toEqual([
      ["webhooks.list", 1],
      ["webhooks.list", 2],
    ]);
    expect(contexts[0]?.signal).not.toBe(contexts[1]?.signal);
  });

  it("has a signal that aborts with the caller's reason", async () => {
    const controller = new AbortController();
    let reason: unknown;
    const { notetaker } = clientOf(() => json([]), {
      middleware: [
        async (request, next, { signal }) => {
          controller.abort("mine");
          reason = signal.reason;
          return next(request);
        },
      ],
    });
    await rejection(notetaker.webhooks.list({ signal: controller.signal }));
    expect(reason).toBe("mine");
  });
});

describe("the fetch of a client", () => {
  it("is by default the global fetch at the time of the call", async () => {
    const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: TOKEN });
    const before = globalThis.fetch;
    const urls: string[] = [];
    try {
      globalThis.fetch = async (url) => {
        urls.push(url as string);
        return json([]);
      };
      expect(await notetaker.webhooks.list()).toEqual([]);
    } finally {
      globalThis.fetch = before;
    }
    expect(urls).toEqual(["https://api.example.com/v1/webhooks"]);
  });

  it("is called with a URL and an init, and without this, if it comes from the options", async () => {
    const calls: unknown[][] = [];
    const notetaker = new Notetaker({
      baseUrl: "https://api.example.com/v1",
      token: TOKEN,
      fetch: async function (this: unknown, ...args: unknown[]) {
        calls.push([this, ...args]);
        return json([]);
      },
    });
    await notetaker.webhooks.list();
    expect(calls).toHaveLength(1);
    const init = { method: "GET", redirect: "error", signal: expect.any(AbortSignal) };
    expect(calls[0]).toEqual([undefined, "https://api.example.com/v1/webhooks", expect.objectContaining(init)]);
  });
});
