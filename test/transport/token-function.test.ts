/** A token function, which the client calls for a token. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Notetaker, type PollReport, ServerError, UnauthorizedError } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { never } from "../support/failures.js";
import { clientOf, json, refusal, rejection, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const unauthorized = () => refusal(401, "unauthorized");

const accepting = (valid: string, options: object) =>
  clientOf(({ headers }) => (headers.authorization === `Bearer ${valid}` ? json([]) : unauthorized()), options);

/** An error of other code is not temporary, whatever its fields. */
const mine = Object.assign(new Error("mine"), { status: 503, retryable: true });
const fail = () => {
  throw mine;
};

describe("a token function", () => {
  it("is called before each attempt, without a rejected token", async () => {
    const token = vi.fn((_: { readonly rejected: string | undefined }) => "tok_1");
    const { notetaker } = clientOf((_, index) => (index === 0 ? refusal(503, "unavailable") : json([])), {
      token,
      maxRetryDelayMs: 0,
    });
    await notetaker.webhooks.list();
    expect(token.mock.calls).toEqual([[{ rejected: undefined }], [{ rejected: undefined }]]);
  });

  it("is called once more after a 401 with the refused token, and its new token is used", async () => {
    const token = vi.fn(({ rejected }: { readonly rejected: string | undefined }) =>
      rejected === undefined ? "tok_old" : "tok_new",
    );
    const { notetaker, seen } = accepting("tok_new", { token });
    expect(await notetaker.webhooks.list()).toEqual([]);
    expect(token.mock.calls).toEqual([[{ rejected: undefined }], [{ rejected: "tok_old" }]]);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer tok_old", "Bearer tok_new"]);
  });

  it.each<[string, requests: number, renewed: boolean, (notetaker: Notetaker) => PromiseLike<unknown>]>([
    ["it returns the refused token again", 1, false, ({ webhooks }) => webhooks.list()],
    ["the new token is refused, too: at most once per call", 2, true, ({ webhooks }) => webhooks.list()],
    ["maxRetries is 0, without another call", 1, true, ({ webhooks }) => webhooks.list({ maxRetries: 0 })],
    [
      "the body can be read only once, without another call",
      1,
      true,
      ({ meetings }) => meetings.upload(new Blob(["x"]).stream(), { contentType: "audio/wav" }),
    ],
  ])("causes an UnauthorizedError if %s", async (_, requests, renewed, call) => {
    const token = vi.fn(() => (renewed ? `tok_${token.mock.calls.length}` : "tok_old"));
    const { notetaker, seen } = clientOf(unauthorized, { token });
    expect(await rejectionOf(UnauthorizedError, call(notetaker))).toMatchObject({ attempts: requests });
    expect(seen).toHaveLength(requests);
    expect(token).toHaveBeenCalledTimes(renewed ? requests : 2);
  });

  it("does not change the retries of other failures", async () => {
    let count = 0;
    const { notetaker, seen } = clientOf((_, index) => (index === 0 ? unauthorized() : refusal(503, "unavailable")), {
      token: () => `tok_${++count}`,
      maxRetryDelayMs: 0,
    });
    expect(await rejectionOf(ServerError, notetaker.webhooks.list())).toMatchObject({ attempts: 4 });
    expect(seen).toHaveLength(4);
  });

  it.each<[string, () => string | Promise<string>]>([
    ["throws", fail],
    ["rejects", async () => fail()],
  ])("ends the call with its own unchanged error if it %s", async (_, token) => {
    const { notetaker, seen } = clientOf(() => json([]), { token });
    expect(await rejection(notetaker.webhooks.list())).toBe(mine);
    expect(seen).toEqual([]);
  });

  it("is called in the async context of each call, so that no call gets another user's token", async () => {
    const user = new AsyncLocalStorage<string>();
    const { notetaker, seen } = clientOf((_, index) => (index < 4 ? refusal(503, "unavailable") : json([])), {
      token: async () => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        return `tok_${user.getStore()}`;
      },
      maxRetryDelayMs: 5,
      maxRetries: 5,
    });
    const names = ["ada", "bob", "eve"];
    await Promise.all(
      names.map((name) => user.run(name, () => notetaker.webhooks.list({ headers: { "x-user": name } }))),
    );
    for (const { headers } of seen) expect(headers.authorization).toBe(`Bearer tok_${headers["x-user"]}`);
  });
});

describe("the token function of a wait", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));

  const completed = () => json(samples.page([{ ...samples.meeting, id: "mtg_1", status: "completed" }]));

  it("is abandoned after the client's timeoutMs, and called again at the next poll", async () => {
    let asked = 0;
    const token = () => (++asked === 1 ? never<string>() : "tok_1");
    const { notetaker, seen } = clientOf(completed, { token, timeoutMs: 50 });
    const reports: PollReport[] = [];
    const onPoll = (report: PollReport) => void reports.push(report);
    const wait = notetaker.meetings.waitForCompletion("mtg_1", { onPoll });
    await vi.runAllTimersAsync();
    expect(await wait).toMatchObject({ id: "mtg_1" });
    expect(seen).toHaveLength(1);
    expect(reports).toMatchObject([{ waitedMs: 50, error: { name: "TimeoutError", outcome: "not_sent" } }]);
  });

  it("ends the wait with its own unchanged error if it throws", async () => {
    const { notetaker } = clientOf(completed, { token: fail });
    expect(await rejection(notetaker.meetings.waitForCompletion("mtg_1"))).toBe(mine);
  });
});
