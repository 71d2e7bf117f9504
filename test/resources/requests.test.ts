/** The request of each method, and how it reads the response. */

import type { FetchInit } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { CALLS, success } from "../support/calls.js";
import { clientOf, json, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

describe.each(CALLS)("$operation", (call) => {
  it("sends its request and reads its response", async () => {
    const { notetaker, seen } = clientOf(() => success(call));
    const result = await call.make(notetaker);

    expect(seen).toHaveLength(1);
    const { method, path, query, headers, body, request } = seen[0]!;
    expect({ method, path }).toEqual({ method: call.method, path: call.path });
    expect([...query].sort()).toEqual([...call.query].sort());
    const contentType = call.sends && ("json" in call.sends ? "application/json" : call.sends.mediaType);
    expect(headers).toEqual({
      accept: "application/json",
      authorization: `Bearer ${TOKEN}`,
      "user-agent": expect.stringMatching(/^notetaker-sdk\/\d+\.\d+\.\d+ \(node\/[\d.]+\)$/),
      ...(contentType === undefined ? {} : { "content-type": contentType }),
      ...(call.operation === "meetings.upload" ? { "content-length": "1" } : {}),
    });
    if (call.sends === undefined) expect(body).toBe("");
    else if ("json" in call.sends) expect(JSON.parse(body)).toEqual(call.sends.json);
    else expect(body).toBe("a");
    expect(request.redirect).toBe("error");

    if (call.answer === undefined) expect(result).toBeUndefined();
    else expect(JSON.parse(JSON.stringify(result))).toEqual(call.answer);
  });

  it("resolves to the data, the response and the rate limit with withResponse()", async () => {
    const limits = { "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1750000000" };
    const { notetaker } = clientOf(() => {
      const response = success(call);
      for (const [name, value] of Object.entries(limits)) response.headers.set(name, value);
      return response;
    });
    const promise = call.make(notetaker) as ReturnType<typeof notetaker.webhooks.list>;
    const { data, response, rateLimit } = await promise.withResponse();
    expect(response.status).toBe(call.status);
    expect(rateLimit).toEqual({ limit: 60, remaining: 59, resetAt: new Date(1_750_000_000_000) });
    expect(data).toEqual(await promise);
  });

  it("sends the headers and the additional query parameters of its options", async () => {
    const { notetaker, seen } = clientOf(() => success(call), { headers: { "X-Team": "a", "x-kept": "1" } });
    await call.make(notetaker, { headers: { "x-team": "b" }, query: { trace: ["1", 2, true], limit: 7 } });
    expect(seen[0]!.headers).toMatchObject({ "x-team": "b", "x-kept": "1" });
    const values = (name: string) => seen[0]!.query.filter(([one]) => one === name).map(([, value]) => value);
    expect([values("trace"), values("limit")]).toEqual([["1", "2", "true"], ["7"]]);
  });

  it("uses a new connection only if it must not be sent twice", async () => {
    const keepalives: object[] = [];
    const fetch = async (_: string, init: FetchInit & { keepalive?: unknown }) => {
      keepalives.push("keepalive" in init ? { keepalive: init.keepalive } : {});
      return success(call);
    };
    await call.make(clientOf(() => success(call), { fetch }).notetaker);
    expect(keepalives).toStrictEqual([call.repeatable ? {} : { keepalive: false }]);
  });
});

it("an omitted parameter is not sent, and not replaced by undefined in the additional query parameters", async () => {
  const { notetaker, seen } = clientOf(() => json(samples.permissionPage), { validation: "off" });
  await notetaker.rooms.list();
  await notetaker.rooms.list({ scope: undefined, expand: [] });
  await notetaker.meetings.list();
  await notetaker.permissions.list("mtg_1");
  await notetaker.rooms.list({ limit: 3 }, { query: { limit: undefined, x: undefined } });
  expect(seen.map(({ search }) => search)).toEqual(["", "", "", "", "limit=3"]);
});

it.each([
  ["http://127.0.0.1:8080/api/v1/", "http://127.0.0.1:8080/api/v1/webhooks"],
  ["http://[::1]:1/v1", "http://[::1]:1/v1/webhooks"],
  ["HTTPS://API.example.com/a/v1", "https://api.example.com/a/v1/webhooks"],
])("baseUrl may have a path before /v1, a port and a slash at its end: %s", async (baseUrl, url) => {
  const { notetaker, seen } = clientOf(() => json([]), { baseUrl });
  await notetaker.webhooks.list();
  expect(seen[0]?.request.url).toBe(url);
});

it.each(["strict", "warn", "off"] as const)(
  "meetings.upcoming reads a page as well as an array, with validation %s",
  async (validation) => {
    const events = [{ id: "evt_1" }, { id: "evt_2", title: "Planning" }];
    const { notetaker } = clientOf((_, index) => json(index === 0 ? events : samples.page(events)), { validation });
    for (const _ of [1, 2]) expect(await notetaker.meetings.upcoming()).toEqual(events);
  },
);

it("permissions.set sends additional fields of a recipient", async () => {
  const { notetaker, seen } = clientOf(() => json({ ...samples.permission, role: "edit" }));
  const recipient = { type: "user", email: "ada@example.com", team: { id: 1 } };
  expect((await notetaker.permissions.set("mtg_1", { recipient, role: "edit" })).role).toBe("edit");
  expect(JSON.parse(seen[0]!.body)).toEqual({ recipient, role: "edit" });
});

it.each([{}, { documents: null }])(
  "meetings.list with expand reads %o as a meeting without documents",
  async (documents) => {
    const { notetaker } = clientOf(() => json(samples.page([{ ...samples.meetingSummary, ...documents }])));
    expect((await notetaker.meetings.list({ expand: ["documents"] })).data[0]!.documents).toEqual([]);
  },
);
