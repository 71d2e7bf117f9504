/** What each worker does, in turn: reads, writes that may be repeated, and writes that may not. Each call is counted. */
import { isNotetakerError, Notetaker } from "notetaker-sdk";

/** By the number of its call, the link of a bot, and the title of an upload: by these, the service's process knows them. */
const linkOf = (number) => `https://zoom.us/j/${1_000_000_000 + number}`;
const titleOf = (number) => `call ${number}`;

export const clientOf = (url) => new Notetaker({ baseUrl: url, token: "soak", maxRetryDelayMs: 200 });

/** `meeting` is a completed one. `note` stores a fact outside of this process. */
export function workOf({ meetings, permissions, rooms, settings, webhooks }, { meeting, signal, note }) {
  const tally = { succeeded: 0, rejected: 0, not_sent: 0, accepted: 0, unknown: 0, other: 0 };
  /** The calls in progress by their numbers, so that an error can name a call that hangs. */
  const underWay = new Map();
  let calls = 0;

  /** Runs one call, and counts its outcome. `nameOf` names what it makes. */
  async function call(what, run, nameOf) {
    calls += 1;
    const number = calls;
    underWay.set(number, what);
    let outcome = "succeeded";
    try {
      return await run({ signal }, number);
    } catch (error) {
      outcome = isNotetakerError(error) ? error.outcome : "other";
      if (outcome === "other") console.error(error);
      return undefined;
    } finally {
      tally[outcome] += 1;
      underWay.delete(number);
      if (nameOf !== undefined) note({ write: nameOf(number), outcome });
    }
  }

  const work = [
    () => call("rooms.list", (options) => rooms.list({ limit: 2 }, options).toArray({ max: 6 })),
    () => call("meetings.getTranscript", (options) => meetings.getTranscript(meeting.id, options)),
    () => call("webhooks.list", (options) => webhooks.list(options)),
    () =>
      call("permissions.set", (options) =>
        permissions.set(meeting.id, { recipient: { type: "anyone" }, role: "read" }, options),
      ),
    () => call("settings", (options) => settings.setNotetakerAutomation({ automation: "MANUAL" }, options)),
    () =>
      call("meetings.sendBot", (options, number) => meetings.sendBot({ meeting_url: linkOf(number) }, options), linkOf),
    async () => {
      const audio = new Blob(["RIFF"], { type: "audio/wav" });
      const send = (options, number) => meetings.upload(audio, { title: titleOf(number) }, options);
      const upload = await call("meetings.upload", send, titleOf);
      if (upload === undefined) return;
      const wait = { pollMs: 1_000, timeoutMs: 60_000 };
      await call("meetings.waitForTranscript", (options) =>
        meetings.waitForTranscript(upload.id, { ...wait, ...options }),
      );
    },
  ];
  return {
    work,
    tally,
    calls: () => calls,
    callsUnderWay: () => [...underWay].map(([number, what]) => `call ${number} (${what})`).join(", "),
  };
}
