/** Additional hosts for join links. */
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { clientOf, json, rejectionOf } from "../support/recorder.js";

describe("the client option conferenceHosts", () => {
  const result = () => json({ meeting_id: "mtg_1", status: "scheduling" }, 202);
  it("lets sendBot accept links to the additional hosts and their subdomains", async () => {
    const { notetaker, seen } = clientOf(result, { conferenceHosts: ["meet.example.com", "Calls.Example.org"] });
    for (const host of ["meet.example.com", "eu.meet.example.com", "calls.example.org", "zoom.us"]) {
      await notetaker.meetings.sendBot({ meeting_url: `https://${host}/j/1` });
    }
    expect(seen).toHaveLength(4);
    for (const host of ["example.com", "notmeet.example.com", "meet.example.com.evil.example"]) {
      await rejectionOf(InvalidArgumentError, notetaker.meetings.sendBot({ meeting_url: `https://${host}/j/1` }));
    }
    const other = clientOf(result).notetaker;
    const error = await rejectionOf(
      InvalidArgumentError,
      other.meetings.sendBot({ meeting_url: "https://meet.example.com/secret" }),
    );
    expect(error.message).toContain('received a link to "meet.example.com" (see conferenceHosts)');
    expect(error.message).not.toContain("secret");
  });
});
