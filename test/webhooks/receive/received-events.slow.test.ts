import { expect, it, vi } from "vitest";
import { Notetaker } from "../../../src/client.js";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { createEmulator } from "../../../src/testing/index.js";
import { held } from "../../support/held.js";
import { delivery, meetingBody, nodeSign, recordingReceiver } from "../signed-delivery.js";

it("every reader gets each verified event once, although it is delivered again; with a reader alone it gets 200", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  let failures = 1;
  const handlers = {
    "meeting.transcript_ready": () => {
      if (failures-- > 0) throw new Error("database is away");
    },
  };
  const { receiver, send } = recordingReceiver({ handlers, onRefused: () => {} });
  const readers = [receiver.events(), receiver.events()];
  expect(await send(delivery(meetingBody(), { signature: nodeSign("other") }))).toBe("401 wrong_signature");
  const results = [await send(), await send(), await send(delivery(meetingBody({ event: "room.created" })))];
  expect(results).toEqual(["503 not_handled", "200 handled", "200 handled"]);
  for (const events of readers) {
    const kinds = [];
    for await (const event of events) {
      kinds.push(event.kind);
      if (kinds.length === 2) break;
    }
    expect(kinds).toEqual(["meeting.transcript_ready", "room.created"]);
  }
  expect(warned).not.toHaveBeenCalled();
  // Nobody reads any more.
  expect(await send(delivery(meetingBody({ event: "room.created", id: "room_2" })))).toBe("200 ignored");
});

it("a reader that does not read keeps the newest 1,000 events, from the call on", async () => {
  const { receiver, send } = recordingReceiver();
  receiver.onUnhandled(() => {});
  await send(delivery(meetingBody({ id: "mtg_before" })));
  const events = receiver.events();
  for (let number = 0; number < 1_003; number += 1) await send(delivery(meetingBody({ id: `mtg_${number}` })));
  expect((await events.next()).value).toMatchObject({ meetingId: "mtg_3" });
  await events.return();
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

it.each(["before the call", "while the reader waits"])(
  "a signal that aborts %s ends the iteration with its reason",
  async (when) => {
    const { receiver, send } = recordingReceiver();
    const controller = new AbortController();
    if (when === "before the call") controller.abort(new Error("enough"));
    const step = receiver.events({ signal: controller.signal }).next();
    controller.abort(new Error("enough"));
    await expect(step).rejects.toThrow("enough");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(await send()).toBe("200 ignored");
  },
);

it("an unknown option is refused", () => {
  expect(() => recordingReceiver().receiver.events({ singal: undefined } as never)).toThrow(ConfigurationError);
});

it("the events of a receiver wake a wait long before the next poll", async () => {
  const service = createEmulator();
  const notetaker = new Notetaker(service.clientOptions);
  const { receiver, send } = recordingReceiver();
  const wait = { wake: receiver.events(), pollMs: 3_600_000, timeoutMs: 36_000_000 };
  const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/123456789" });
  const polled = held();
  const waiting = notetaker.meetings.waitForTranscript(meeting_id, { ...wait, onPoll: polled.release });
  await polled.promise;
  await service.meetings.finish(meeting_id);
  expect(await send(delivery(meetingBody({ id: meeting_id })))).toBe("200 handled");
  expect((await waiting).meeting_id).toBe(meeting_id);
});
