/**
 * Which operation is retried after which failure. Every operation is tried with one failure after which it may have acted;
 * with all failures, one operation of each retry class and each kind of body.
 */
import { NotetakerError } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CALLS, type Call, success } from "../support/calls.js";
import { cutBody, FAILURES, lostConnection } from "../support/failures.js";
import { clientOf, inTurn, json, refusal, rejectionOf, type Seen } from "../support/recorder.js";

beforeEach(() => void vi.useFakeTimers());

/** Advances the clock until the call has ended. */
async function whole<T>(promise: PromiseLike<T>): Promise<T> {
  const settled = Promise.resolve(promise).then(
    (value) => () => value,
    (error) => () => {
      throw error;
    },
  );
  await vi.runAllTimersAsync();
  return (await settled)();
}

const kindOf = ({ repeatable, sends }: Call) => `${repeatable} ${Object.keys(sends ?? {})}`;
const REPRESENTATIVES = CALLS.filter((call, index) => CALLS.findIndex((one) => kindOf(one) === kindOf(call)) === index);
const CASES = CALLS.map((call) => ({
  ...call,
  failures: REPRESENTATIVES.includes(call)
    ? FAILURES
    : FAILURES.filter(({ outcome }) => outcome === "unknown").slice(0, 1),
}));

const parts = ({ method, path, query, headers, body }: Seen) => ({ method, path, query, headers, body });

describe.each(CASES)("$operation", (call) => {
  describe.each(call.failures)("after $name", (failure) => {
    const again = failure.always || call.repeatable;

    it(`ends with a ${failure.error} after ${again ? "three attempts" : "one attempt"}, with the right outcome`, async () => {
      const { notetaker, seen } = clientOf(() => failure.answer());
      const error = await rejectionOf(NotetakerError, whole(call.make(notetaker)));
      const attempts = again ? 3 : 1;
      expect(error).toMatchObject({ name: failure.error, attempts, retryable: again, outcome: failure.outcome });
      expect(seen).toHaveLength(attempts);
    });

    if (again)
      it("is retried unchanged, and succeeds", async () => {
        const { notetaker, seen } = clientOf((_, index) => (index === 0 ? failure.answer() : success(call)));
        await whole(call.make(notetaker));
        expect(seen).toHaveLength(2);
        expect(parts(seen[1]!)).toEqual(parts(seen[0]!));
      });
  });
});

describe.each(REPRESENTATIVES)("$operation", (call) => {
  it.each([400, 401, 403, 404, 408, 409, 422])("is not retried after a %i", async (status) => {
    const { notetaker, seen } = clientOf(() => json({}, status));
    await expect(whole(call.make(notetaker))).rejects.toMatchObject({ status, retryable: false, outcome: "rejected" });
    expect(seen).toHaveLength(1);
  });
});

describe.each(REPRESENTATIVES.filter(({ answer }) => answer !== undefined))("$operation", (call) => {
  it("is retried after a body that breaks off", async () => {
    const { notetaker, seen } = clientOf((_, index) =>
      index === 0 ? cutBody('{"data":[', call.status) : success(call),
    );
    const promise = whole(call.make(notetaker));
    if (call.repeatable) await promise;
    else await expect(promise).rejects.toMatchObject({ name: "ConnectionError", outcome: "unknown", retryable: false });
    expect(seen).toHaveLength(call.repeatable ? 2 : 1);
  });

  it("is not retried after a response that cannot be read", async () => {
    const { notetaker, seen } = clientOf(() => new Response("<html>", { status: call.status }));
    await expect(whole(call.make(notetaker))).rejects.toMatchObject({
      name: "ResponseValidationError",
      retryable: false,
      outcome: "unknown",
      attempts: 1,
    });
    expect(seen).toHaveLength(1);
  });
});

describe("the outcome of a call with several attempts", () => {
  const lost = (code: string) => () => Promise.reject(lostConnection(code));
  const refused = (status: number) => () => refusal(status, "some_code");
  const bot: Call["make"] = ({ meetings }) => meetings.sendBot({ meeting_url: "https://zoom.us/j/1" });
  const list: Call["make"] = ({ webhooks }) => webhooks.list();
  it.each<[outcome: string, name: string, Call["make"], ...(() => Response | Promise<Response>)[]]>([
    ["unknown", "ApiError", list, refused(500), refused(418)],
    ["rejected", "BadRequestError", bot, refused(429), refused(400)],
    ["not_sent", "ConnectionError", list, lost("ECONNREFUSED"), lost("ECONNREFUSED"), lost("ECONNREFUSED")],
    ["unknown", "ConnectionError", list, lost("ECONNREFUSED"), lost("ECONNREFUSED"), lost("EPIPE")],
    ["rejected", "ConnectionError", bot, refused(429), lost("ECONNREFUSED"), lost("ECONNREFUSED")],
  ])("is the least certain of all: %s, with a %s", async (outcome, name, make, ...answers) => {
    const { notetaker, seen } = clientOf(inTurn(...answers));
    const error = await rejectionOf(NotetakerError, whole(make(notetaker)));
    expect(error).toMatchObject({ name, outcome, attempts: answers.length });
    expect(seen).toHaveLength(answers.length);
  });

  it("includes at most 1 + maxRetries attempts, by the option of the client or the call", async () => {
    const { notetaker, seen } = clientOf(() => refusal(500, "internal_error"), { maxRetries: 4 });
    await whole(rejectionOf(NotetakerError, notetaker.webhooks.list()));
    expect(seen).toHaveLength(5);
    await whole(rejectionOf(NotetakerError, notetaker.webhooks.list({ maxRetries: 1 })));
    expect(seen).toHaveLength(7);
    await whole(rejectionOf(NotetakerError, notetaker.webhooks.list({ maxRetries: 0 })));
    expect(seen).toHaveLength(8);
  });
});
