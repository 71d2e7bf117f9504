/** `service.meetings`: a test looks at meetings and moves them on. */
import { EmulatorError } from "../emulator-error.js";
import { admitBot, botOfMeeting, createBot, failBot, isActive, leaveCall } from "../lifecycle/bots.js";
import { failMeeting, summarise, transcribe } from "../lifecycle/meetings.js";
import type { MeetingRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";

/**
 * Each step happens at once. The promise that it returns resolves when the webhook deliveries it caused have been
 * attempted; it need not be awaited.
 */
export interface MeetingControls {
  /** Every meeting of the account, whoever owns it. */
  list(): readonly Readonly<MeetingRecord>[];
  /** `undefined` while there is no such meeting: a bot's meeting appears when the bot is created. */
  get(meetingId: string): Readonly<MeetingRecord> | undefined;
  /** Everything that is left to happen: the bot joins and leaves, the transcript and the initial summary are made. */
  finish(meetingId: string): Promise<void>;
  /** The transcript of a meeting in processing is made, and the meeting is completed. */
  transcribe(meetingId: string): Promise<void>;
  /** The initial summary of a completed meeting is made. */
  summarise(meetingId: string): Promise<void>;
  /** The call or the processing comes to nothing. */
  fail(meetingId: string): Promise<void>;
}

export function meetingControls(world: EmulatorContext, settled: () => Promise<void>): MeetingControls {
  const existing = (operation: string, meetingId: string): MeetingRecord => {
    const meeting = world.state.meetings.get(meetingId);
    if (meeting === undefined) throw new EmulatorError(`meetings.${operation}: there is no meeting ${meetingId}`);
    return meeting;
  };
  const wrongStatus = (operation: string, { id, status }: MeetingRecord, expected: string) =>
    new EmulatorError(`meetings.${operation}: meeting ${id} is ${status}, expected ${expected}`);

  return {
    list: () => [...world.state.meetings.values()],
    get: (meetingId) => world.state.meetings.get(meetingId),
    finish(meetingId) {
      const bot = botOfMeeting(world, meetingId);
      if (bot !== undefined && isActive(bot)) {
        admitBot(world, bot);
        leaveCall(world, bot);
      }
      const meeting = existing("finish", meetingId);
      if (meeting.status !== "processing" && (meeting.status !== "completed" || meeting.summarised)) {
        throw wrongStatus("finish", meeting, "one with something left to happen");
      }
      transcribe(world, meeting);
      summarise(world, meeting);
      return settled();
    },
    transcribe(meetingId) {
      const meeting = existing("transcribe", meetingId);
      if (meeting.status !== "processing") throw wrongStatus("transcribe", meeting, "processing");
      transcribe(world, meeting);
      return settled();
    },
    summarise(meetingId) {
      const meeting = existing("summarise", meetingId);
      if (meeting.status !== "completed" || meeting.summarised) {
        throw wrongStatus("summarise", meeting, "completed and not summarised");
      }
      summarise(world, meeting);
      return settled();
    },
    fail(meetingId) {
      const bot = botOfMeeting(world, meetingId);
      if (bot !== undefined && isActive(bot)) {
        createBot(world, bot);
        failBot(world, bot);
        return settled();
      }
      const meeting = existing("fail", meetingId);
      if (meeting.status === "completed" || meeting.status === "failed") {
        throw wrongStatus("fail", meeting, "one that is not at its end");
      }
      failMeeting(world, meeting);
      return settled();
    },
  };
}
