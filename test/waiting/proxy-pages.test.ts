/** A firewall or a proxy that answers in place of the service ends no wait: only the service itself can refuse. */
import { ForbiddenError, ResponseValidationError } from "notetaker-sdk";
import { expect, it } from "vitest";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const wait = (first: () => Response) => {
  const { notetaker } = clientOf((_, index) => (index === 0 ? first() : json(samples.page([samples.meeting]))));
  return notetaker.meetings.waitForCompletion(samples.meeting.id, { pollMs: 1 });
};

it.each([200, 400, 401, 403, 404])("a wait goes on after HTML with status %i", async (status) => {
  expect((await wait(() => new Response("<html>Sign in</html>", { status }))).id).toBe(samples.meeting.id);
});

it("a wait ends with the service's own refusal, and with an answer that is not as promised", async () => {
  await rejectionOf(
    ForbiddenError,
    wait(() => refusal(403, "forbidden")),
  );
  await rejectionOf(
    ResponseValidationError,
    wait(() => json({ meetings: [] })),
  );
});
