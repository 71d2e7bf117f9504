/** The literal list of each entry point's exports: a name is added, removed or changed only by decision. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/run-program.js";

/** The main entry has a list of its own, in exports.test.ts. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  "./node": [
    "TRANSCRIPT_FORMATS",
    "exportMeetings",
    "folderSink",
    "fromPath",
    "saveDocument",
    "saveRecording",
    "walkMeetings",
  ],
  "./transcript": ["chunks", "formatTime", "search", "speakerName", "toMarkdown", "toSrt", "toText", "toVtt", "turns"],
  "./webhooks": [
    "ApiError",
    "ConfigurationError",
    "ConnectionError",
    "EVENT_KINDS",
    "ForbiddenError",
    "InvalidArgumentError",
    "NotetakerError",
    "TimeoutError",
    "UnauthorizedError",
    "WebhookVerificationError",
    "createReceiver",
    "createRelay",
    "isMeetingEvent",
    "memoryDedupe",
    "memoryEventLog",
    "sign",
    "subscribe",
    "toNodeListener",
    "verify",
  ],
  "./redis": [
    "ConfigurationError",
    "ConnectionError",
    "NotetakerError",
    "redisDedupe",
    "redisEventLog",
    "redisThrottle",
  ],
  "./browser": ["xhrFetch"],
  "./doctor": ["diagnose"],
  "./otel": ["instrument"],
  "./tools": ["tools"],
  "./testing": [
    "EmulatorError",
    "aDocument",
    "aMeeting",
    "aPermission",
    "aRoom",
    "aTranscript",
    "aWebhook",
    "anEvent",
    "captureSeed",
    "createEmulator",
    "fakePage",
    "sendEvent",
  ],
};

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: Record<string, unknown> };
const entries = Object.keys(manifest.exports).filter((entry) => entry !== "." && !entry.endsWith(".json"));

describe("the entry point", () => {
  it.each(entries)("%s exports exactly the names that are listed here", async (entry) => {
    const module = (await import(`../../src/${entry.slice(2)}/index.ts`)) as object;
    expect(Object.keys(module).sort()).toEqual(EXPORTS[entry]);
  });
});
