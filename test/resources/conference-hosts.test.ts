/** Additional hosts for join links. */
import { ConfigurationError, InvalidArgumentError } from "notetaker-sdk";
import { expect, it } from "vitest";
import { clientOf, json, rejectionOf } from "../support/recorder.js";

const accepted = () => json({ meeting_id: "mtg_1", status: "scheduling" }, 202);

it.each(["https://meet.example.com/j/1", "https://eu.meet.example.com/j/1"])(
  "sendBot accepts %s if the client's conferenceHosts contain its host",
  async (meeting_url) => {
    const { notetaker, seen } = clientOf(accepted, { conferenceHosts: ["meet.example.com"] });
    await notetaker.meetings.sendBot({ meeting_url });
    expect(seen).toHaveLength(1);
  },
);

it("sendBot refuses an unknown host, and says how to allow it", async () => {
  const { notetaker, seen } = clientOf(accepted, { conferenceHosts: ["meet.example.com"] });
  const call = notetaker.meetings.sendBot({ meeting_url: "https://notmeet.example.com.evil.test/j/1" });
  const error = await rejectionOf(InvalidArgumentError, call);
  expect(error.message).toContain("conferenceHosts");
  expect(seen).toEqual([]);
});

it.each(["https://meet.example.com", "meet.example.com/j", "", "a b"])(
  "the constructor refuses the host %j",
  (host) => {
    expect(() => clientOf(accepted, { conferenceHosts: [host] })).toThrow(ConfigurationError);
  },
);
