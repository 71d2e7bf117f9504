import * as webhooks from "notetaker-sdk/webhooks";
import { expect, it } from "vitest";

it("notetaker-sdk/webhooks exports these values and no others", () => {
  expect(Object.keys(webhooks).sort()).toEqual([
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
  ]);
});
