/** The account that is synced, and what happens at random in it. */
import { Notetaker } from "notetaker-sdk";
import { aMeeting, createEmulator } from "notetaker-sdk/testing";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const SECRET = "whsec_soak";
export const AUDIO = [new Uint8Array(8), { contentType: "audio/wav" }];

/** Random numbers from 0 to 1 that are the same for the same seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A meeting each `gapMs`, the last of them at `lastMs`. */
export const meetingsBefore = (lastMs, gapMs, count) =>
  Array.from({ length: count }, (_, index) =>
    aMeeting({ id: `mtg_past${index}`, start_time: new Date(lastMs - index * gapMs).toISOString() }),
  );

export const serviceWith = (meetings) =>
  createEmulator({
    seed: { meetings, webhooks: [{ url: "https://app.example.com/hook", secret: SECRET }] },
    ...{ now: () => Date.now(), stepTimes: "manual", limits: "none" },
  });

export const clientOf = ({ baseUrl, token }, fetch) => new Notetaker({ baseUrl, token, fetch });
