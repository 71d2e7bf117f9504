import type { Account } from "../account.js";
import { checkValue, EmulatorError } from "../emulator-error.js";
import { activeBotOf, failBot, leaveCall } from "../lifecycle/bots.js";
import { addDocument, deleteMeeting, failMeeting, summarise, transcribe } from "../lifecycle/meeting-processing.js";
import { copyOf, newDocument } from "../seed/apply-seed.js";
import { type DocumentSeed, documentSeedSchema } from "../seed/seed.js";
import type { DocumentRecord, MeetingRecord } from "../state/records.js";

/** Steps of meetings. A step happens at once; its promise resolves when its deliveries have been attempted. */
export interface MeetingControls {
  /** Every meeting in the account: the owned ones, and those that the seed marks as shared. */
  list(): readonly Readonly<MeetingRecord>[];
  /** One meeting, or `undefined` if it does not exist. A bot's meeting appears when the bot is created. */
  get(meetingId: string): Readonly<MeetingRecord> | undefined;
  /** Triggers every remaining step up to the initial summary. The id of a bot's event names its meeting, too. */
  finish(meetingId: string): Promise<void>;
  /** Makes the transcript of a meeting with the status `processing`, which completes the meeting. */
  transcribe(meetingId: string): Promise<void>;
  /** Makes the initial summary of a completed meeting. */
  summarise(meetingId: string): Promise<void>;
  /** Makes the call or the processing fail. The id of a bot's calendar event names its meeting, too. */
  fail(meetingId: string): Promise<void>;
  /**
   * Makes a document of the meeting arrive now, and returns it. A document with the word for a summary in its title
   * sends `meeting.initial_summary_ready`; await `webhooks.settled()` for its deliveries.
   * @example
   * service.meetings.addDocument("mtg_1", aDocument({ title: "Weekly product sync: summary" }));
   */
  addDocument(meetingId: string, document: DocumentSeed): Readonly<DocumentRecord>;
  /** Deletes the meeting with its transcript, recording, documents and permissions. No webhook event is sent. */
  delete(meetingId: string): void;
}

export function meetingControls(context: Account): MeetingControls {
  const settled = () => context.deliveries.settled();
  const existing = (operation: string, meetingId: string): MeetingRecord => {
    const meeting = context.state.meetings.get(meetingId);
    if (meeting === undefined) throw new EmulatorError(`meetings.${operation}: there is no meeting ${meetingId}`);
    return meeting;
  };
  const step =
    (
      operation: keyof MeetingControls,
      isRight: (meeting: MeetingRecord) => boolean,
      expected: string,
      ...take: ((context: Account, meeting: MeetingRecord) => void)[]
    ) =>
    (meetingId: string) => {
      const meeting = existing(operation, meetingId);
      if (!isRight(meeting)) {
        throw new EmulatorError(
          `meetings.${operation}: meeting ${meetingId} is ${meeting.status}, expected ${expected}`,
        );
      }
      for (const next of take) next(context, meeting);
      return settled();
    };
  const isProcessing = ({ status }: MeetingRecord) => status === "processing";
  const lacksSummary = ({ status, summarised }: MeetingRecord) => status === "completed" && !summarised;
  const hasSteps = (meeting: MeetingRecord) => isProcessing(meeting) || lacksSummary(meeting);
  const isOpen = ({ status }: MeetingRecord) => status !== "completed" && status !== "failed";
  const finishProcessing = step("finish", hasSteps, "a meeting with a remaining step", transcribe, summarise);
  const failWithoutBot = step("fail", isOpen, "a meeting that is not completed or failed", (_, meeting) =>
    failMeeting(meeting),
  );

  return {
    list: () => [...context.state.meetings.values()],
    get: (meetingId) => context.state.meetings.get(meetingId),
    finish(meetingId) {
      const bot = activeBotOf(context, meetingId);
      if (bot !== undefined) leaveCall(context, bot);
      return finishProcessing(bot?.meetingId ?? meetingId);
    },
    transcribe: step("transcribe", isProcessing, "processing", transcribe),
    summarise: step("summarise", lacksSummary, "completed and not summarised", summarise),
    fail(meetingId) {
      const bot = activeBotOf(context, meetingId);
      if (bot === undefined) return failWithoutBot(meetingId);
      failBot(context, bot);
      return settled();
    },
    addDocument(meetingId, document) {
      const meeting = existing("addDocument", meetingId);
      checkValue("meetings.addDocument", documentSeedSchema, document);
      if (document.id !== undefined && context.state.documents.has(document.id)) {
        throw new EmulatorError(`meetings.addDocument: ${document.id} is already the id of a document`);
      }
      return addDocument(context, meeting, newDocument(context, copyOf(document)));
    },
    delete: (meetingId) => deleteMeeting(context, existing("delete", meetingId)),
  };
}
