/** The links that `sendBot` accepts. */
import { BadRequestError, InvalidArgumentError, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { clientOf, json, rejectionOf } from "../support/recorder.js";

const accepted = () => json({ meeting_id: "mtg_1", status: "scheduling" }, 202);

describe("meetings.sendBot", () => {
  it.each([
    ["meet.google.com/abc-defg-hij", "https://meet.google.com/abc-defg-hij"],
    ["us02web.zoom.us/j/123?pwd=a", "https://us02web.zoom.us/j/123?pwd=a"],
    ["Teams.Microsoft.com/meet/1", "https://Teams.Microsoft.com/meet/1"],
    ["eu.calls.example.org/room", "https://eu.calls.example.org/room"],
    [" \thttps://zoom.us/j/123\n", "https://zoom.us/j/123"],
    ["http://zoom.us/j/123", "http://zoom.us/j/123"],
    [`zoom.us/my/${"a".repeat(1_005)}`, `https://zoom.us/my/${"a".repeat(1_005)}`],
  ])("sends the link that is meant by %j", async (meeting_url, sent) => {
    const { notetaker, seen } = clientOf(accepted, { conferenceHosts: ["calls.example.org"] });
    const params = { meeting_url };
    await notetaker.meetings.sendBot(params);
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([{ meeting_url: sent }]);
    expect(params).toEqual({ meeting_url });
  });

  it.each([
    ["Join https://zoom.us/j/123 now", "a text that is not a link; parseMeetingLink(text) finds the link in a text"],
    ["https://zoom.us/j/123\nPasscode: 5", "a text that is not a link; parseMeetingLink(text) finds"],
    ["[https://zoom.us/j/123](https://zoom.us/j/123)", "a text that is not a link; parseMeetingLink(text) finds"],
    ["evil.example/zoom.us/j/123", "a text that is not a link"],
    ["evil.example#zoom.us/j/123", "a text that is not a link"],
    ["ada@zoom.us/j/123", "a text that is not a link"],
    ["zoom.us/", "a text that is not a link"],
    ["https://zoom.us/", 'a link to "zoom.us" that leads to no call'],
    [
      "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fzoom.us%2Fj%2F123",
      'a link to "eur01.safelinks.protection.outlook.com" (see conferenceHosts; parseMeetingLink(text) reads links of',
    ],
    [`zoom.us/my/${"a".repeat(1_006)}`, "expected at most 1024 characters, received 1025"],
  ])("refuses %j with what to do, and does not repeat the link", async (meeting_url, reason) => {
    const { notetaker, seen } = clientOf(accepted);
    const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.sendBot({ meeting_url }));
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain("123");
    expect(seen).toEqual([]);
  });

  it("completes a link without its scheme itself: the emulator refuses such a link", async () => {
    const notetaker = new Notetaker(createEmulator().clientOptions);
    await notetaker.meetings.sendBot({ meeting_url: "meet.google.com/abc-defg-hij" });
    const body = { meeting_url: "meet.google.com/abc-defg-hij" };
    await rejectionOf(BadRequestError, notetaker.request("POST", "/meetings/bot", { body }));
  });
});

describe("the client option conferenceHosts", () => {
  it("lets sendBot accept links to the additional hosts and their subdomains", async () => {
    const { notetaker, seen } = clientOf(accepted, { conferenceHosts: ["meet.example.com", "Calls.Example.org"] });
    for (const host of ["meet.example.com", "eu.meet.example.com", "calls.example.org", "zoom.us"]) {
      await notetaker.meetings.sendBot({ meeting_url: `https://${host}/j/1` });
    }
    expect(seen).toHaveLength(4);
    for (const host of ["example.com", "notmeet.example.com", "meet.example.com.evil.example"]) {
      await rejectionOf(InvalidArgumentError, notetaker.meetings.sendBot({ meeting_url: `https://${host}/j/1` }));
    }
    const other = clientOf(accepted).notetaker;
    const error = await rejectionOf(
      InvalidArgumentError,
      other.meetings.sendBot({ meeting_url: "https://meet.example.com/secret" }),
    );
    expect(error.message).toContain('received a link to "meet.example.com" (see conferenceHosts;');
    expect(error.message).not.toContain("secret");
  });
});
