/** What each worker does, in turn: reads, writes that may be repeated, and writes that may not. */
import { onlyOnce } from "./call-marks.mjs";

const link = () => `https://zoom.us/j/${Math.floor(1e9 + Math.random() * 8e9)}`;

/** `meeting` is a completed one. */
export function workOf({ notetaker, call }, { meeting, signal, note }) {
  const { meetings, permissions, rooms, webhooks } = notetaker;
  return [
    () => call("rooms.list", (options) => rooms.list({ limit: 2 }, options).toArray({ max: 6 })),
    () => call("meetings.getTranscript", (options) => meetings.getTranscript(meeting.id, options)),
    () => call("webhooks.list", (options) => webhooks.list(options)),
    () =>
      call("permissions.set", (options) =>
        permissions.set(meeting.id, { recipient: { type: "anyone" }, role: "read" }, options),
      ),
    () =>
      call("request", (options) => {
        const body = { automation: "MANUAL" };
        return notetaker.request("PUT", "/settings/notetaker-automation", { ...onlyOnce(options), body });
      }),
    async () => {
      const send = (options) => meetings.sendBot({ meeting_url: link() }, options);
      const bot = await call("meetings.sendBot", send, true);
      if (bot !== undefined) note({ made: bot.meeting_id });
    },
    async () => {
      const audio = new Blob(["RIFF"], { type: "audio/wav" });
      const upload = await call("meetings.upload", (options) => meetings.upload(audio, {}, onlyOnce(options)), true);
      if (upload === undefined) return;
      note({ made: upload.id });
      const wait = { pollMs: 1_000, timeoutMs: 60_000, signal };
      await call("meetings.waitForTranscript", () => meetings.waitForTranscript(upload.id, wait));
    },
  ];
}
