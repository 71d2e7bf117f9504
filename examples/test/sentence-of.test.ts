/** What a person reads about each error class and outcome, on both sides of the page's server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ApiError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  errorResponse,
  ForbiddenError,
  InvalidArgumentError,
  InvalidRequestError,
  MeetingFailedError,
  NotFoundError,
  PaginationError,
  RateLimitedError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
  WaitTimeoutError,
  WebhookVerificationError,
} from "notetaker-sdk";
import { readJson } from "notetaker-sdk/browser";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sentenceOf } from "../web-app/src/sentence-of.js";
import { examples } from "./support/run-folder.js";

const issue = (code: string) =>
  new InvalidArgumentError({ issues: [{ path: "meeting_url", code, message: "for developers" } as never] });
const MAYBE = "The bot may be on its way: look at your meetings before you send another.";
const NO_ANSWER = "The service does not answer. Try again in a minute.";
const CHECK = "The service refused this. Check what you have entered.";
const FAILED = "This did not work. Try again, or ask your administrator.";

/** What is said of a read, and of a bot. */
const SENTENCES: [error: Error, read: string, bot?: string][] = [
  [issue("missing"), FAILED, "Paste the link of the call first."],
  [issue("not_a_link"), FAILED, "There is no link in it. Paste the link or the invitation."],
  [
    issue("unsupported_link"),
    FAILED,
    "The bot cannot join this call. It joins calls of Zoom, Google Meet, Microsoft Teams and Webex.",
  ],
  [issue("invalid_id"), FAILED],
  [new ConfigurationError(), NO_ANSWER, MAYBE],
  [new BadRequestError(), CHECK],
  [new InvalidRequestError(), CHECK],
  [new UnauthorizedError(), "The service refuses this account. Your administrator has to connect it again."],
  [new ForbiddenError(), "Your account may not do this, or its plan is used up."],
  [new NotFoundError(), "This does not exist any more, or you may not see it."],
  [new ApiError({ status: 418 }), FAILED],
  [new RateLimitedError({ retryAfterMs: 6_100 }), "Too many requests. Try again in 7 s."],
  [new RateLimitedError({ retryAfterMs: 3_600_000 }), "Too many requests. Try again in 60 minutes."],
  [new ServerError(), NO_ANSWER, MAYBE],
  [new ConnectionError({ outcome: "not_sent" }), NO_ANSWER],
  [new ConnectionError({ outcome: "rejected" }), NO_ANSWER],
  [new ConnectionError({ outcome: "unknown" }), NO_ANSWER, MAYBE],
  [new TimeoutError({ outcome: "not_sent" }), NO_ANSWER],
  [new TimeoutError({ outcome: "unknown" }), NO_ANSWER, MAYBE],
  [new ResponseValidationError({ outcome: "accepted" }), FAILED, "The bot is on its way; do not send it again."],
  [new ResponseValidationError({ outcome: "unknown" }), FAILED, MAYBE],
  [new PaginationError({ outcome: "accepted" }), FAILED, "The bot is on its way; do not send it again."],
  [new MeetingFailedError(), "This meeting was not recorded."],
  [new WaitTimeoutError(), "This takes longer than usual. Try again later.", MAYBE],
  [new WebhookVerificationError(), FAILED],
];

describe("the sentence about a failure", () => {
  test.each(SENTENCES.map(([error, ...sentences]) => [error.name, Reflect.get(error, "outcome"), error, ...sentences]))(
    "%s, %s",
    async (_name, _outcome, error, read, bot = read) => {
      const shown = await readJson(errorResponse(error)).catch((received: unknown) => received);
      expect([sentenceOf(shown), sentenceOf(shown, "bot")]).toEqual([read, bot]);
    },
  );

  test("every write has words for a request that happened, and for one that may have", () => {
    for (const action of ["bot", "upload", "share", "revoke"] as const)
      for (const outcome of ["accepted", "unknown"] as const) {
        const sentence = sentenceOf(new ResponseValidationError({ outcome }), action);
        expect(sentence).not.toBe(FAILED);
        expect(sentence).not.toBe(
          sentenceOf(new ResponseValidationError({ outcome }), action === "bot" ? "share" : "bot"),
        );
      }
  });

  test("a session that has ended, a proxy's 413, and a page without a connection", async () => {
    const refused = async (status: number) => readJson(new Response("no", { status })).catch((error: unknown) => error);
    expect(sentenceOf(await refused(401))).toBe("Your session has ended. Log in again.");
    expect(sentenceOf(await refused(413), "upload")).toBe("This file is larger than the server accepts.");
    const lost = new TypeError("fetch failed");
    expect(sentenceOf(lost, "bot")).toBe(`The server did not answer. Check your connection. ${MAYBE}`);
    vi.stubGlobal("navigator", { onLine: false });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(sentenceOf(lost)).toBe("You are offline.");
    expect(sentenceOf(new ConnectionError({ outcome: "unknown" }))).toBe(`You are offline. ${NO_ANSWER}`);
  });
});

test.each(["sentence-of.ts", "playback.ts"])(
  "the recipe for Next.js and the web application have the same %s",
  (name) => {
    const read = (path: string) => readFileSync(join(examples, path, name), "utf8");
    expect(read("recipes/nextjs/lib")).toBe(read("web-app/src"));
  },
);
