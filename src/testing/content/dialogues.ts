/** The conversations in the emulator's meetings, each with the summary and the action items of the service. */
import { ASSUMED_DOCUMENT_TITLES, type DocumentTitles } from "../../assumptions.js";
import { ID_PREFIXES } from "../../schemas/ids.js";
import { newId, type RandomState } from "../state/random.js";
import type { Block, TranscriptRecord } from "../state/records.js";
import { spoken } from "./transcript-lines.js";

export interface Dialogue {
  title: string;
  lines: readonly (readonly [speaker: number, text: string])[];
  summary: string;
  actions: readonly string[];
}

export const DIALOGUES: readonly Dialogue[] = [
  {
    title: "Weekly product sync",
    lines: [
      [0, "Good morning. Let's start with the onboarding flow, it is the last thing before the release."],
      [1, "The new flow is behind a flag. Forty percent of the trial accounts see it since Monday."],
      [0, "And what do the numbers say?"],
      [1, "Completion went from fifty-one to sixty-four percent. The calendar step is still where most people stop."],
      [2, "I can shorten that step. We ask for two permissions there, and only need one at first."],
      [0, "Then let's do that this week, and turn the flag on for everybody on Thursday."],
    ],
    summary:
      "The new onboarding flow raises completion from 51 % to 64 %. The calendar step is shortened before the flag is turned on for everybody on Thursday.",
    actions: ["Shorten the calendar step to one permission", "Turn the onboarding flag on for everybody on Thursday"],
  },
  {
    title: "Customer interview: Northwind",
    lines: [
      [0, "Thank you for the time. Could you tell me how your team keeps notes today?"],
      [1, "Honestly, we don't. One person types while the others talk, and the notes end up in a private document."],
      [0, "What happens when that person is ill?"],
      [1, "Then there are no notes, and two weeks later nobody agrees on what was decided."],
      [0, "If there were one thing that you could have by next month, what would it be?"],
      [1, "A list of decisions that arrives by itself. I would not even need the transcript."],
    ],
    summary:
      "Northwind has no shared notes: one person types, and decisions are disputed later. The one thing they would pay for is a list of decisions that arrives by itself.",
    actions: ["Send Northwind the decisions prototype", "Ask for a second interview with their sales team"],
  },
  {
    title: "Hiring panel: platform engineer",
    lines: [
      [0, "Two candidates. Shall we begin with the take-home exercise?"],
      [1, "The first one wrote tests before anything else, and explained every trade-off in the description."],
      [2, "The second one was faster, but the retry logic could send a message twice."],
      [1, "I asked about that, and got a very good answer about idempotency keys."],
      [0, "So both are above the bar. We have one position now and one in the autumn."],
    ],
    summary:
      "Both candidates for the platform position are above the bar. An offer goes to the first one now, and the second is asked about the autumn.",
    actions: ["Prepare the offer", "Call the second candidate about the autumn position"],
  },
  {
    title: "Quarterly planning",
    lines: [
      [0, "We said five goals last quarter and reached two. I would like to say three this time."],
      [1, "Search is the first for me. A third of the support messages are people who cannot find a meeting."],
      [2, "The mobile recording is the second. It is the most common reason for a lost deal."],
      [0, "And the third is that we stop answering pages at night. The on-call week is too hard."],
      [1, "Agreed. I will write the three down with one number each."],
    ],
    summary:
      "Three goals for the quarter: search that finds a meeting, recording on mobile, and fewer pages at night. Each gets one number to be judged by.",
    actions: ["Write down the three goals with one number each", "Review the pages of the last month"],
  },
  {
    title: "Sales call: Contoso",
    lines: [
      [0, "You mentioned that the legal team has questions about recordings."],
      [1, "They want to know how long a recording is kept, and who can open a link."],
      [0, "Links are short-lived, and a recording is kept until its owner deletes it, or ninety days by policy."],
      [1, "Can the policy be thirty days for one team and ninety for another?"],
      [0, "Not today. I will ask, and come back to you with a date by Friday."],
    ],
    summary:
      "Contoso's legal team asks about retention and link access. They need a retention policy per team, which does not exist yet.",
    actions: ["Ask the product team about retention per team", "Answer Contoso by Friday"],
  },
  {
    title: "Release retrospective",
    lines: [
      [0, "What went well? I begin: nobody worked on the weekend."],
      [1, "The checklist. We skipped nothing, and it took an hour instead of a day."],
      [2, "What did not go well was the migration. It locked a table for four minutes."],
      [1, "We tried it on a copy, but the copy was a tenth of the size."],
      [0, "Then the copy has to be as large as the real one. Who can take that?"],
      [2, "I will."],
    ],
    summary:
      "The release checklist saved most of a day. The migration locked a table for four minutes because it was tried on a copy of a tenth of the size.",
    actions: ["Make the staging copy as large as production", "Add the lock time to the checklist"],
  },
];

export const dialogueAt = (index: number) => DIALOGUES[index] as Dialogue;

/** The dialogue as a transcript. The first speaker gets the first of `names`, and so on. */
export function transcriptFromDialogue(
  random: RandomState,
  { lines }: Dialogue,
  names: readonly string[],
  language: string,
): TranscriptRecord {
  const named = lines.map(([speaker, text]) => [names[speaker % names.length] as string, text] as const);
  return { language, ...spoken(named, () => newId(random, ID_PREFIXES.speakerId)) };
}

export const documentsFromDialogue = (
  title: string,
  dialogue: Dialogue,
  titles: DocumentTitles = ASSUMED_DOCUMENT_TITLES,
): { title: string; blocks: Block[] }[] => [
  {
    title: `${title}: ${titles.summary}`,
    blocks: [
      { type: "heading", level: 1, text: title },
      { type: "heading", level: 2, text: "Summary" },
      { type: "paragraph", text: dialogue.summary },
    ],
  },
  {
    title: `${title}: ${titles.action_items}`,
    blocks: [
      { type: "heading", level: 1, text: "Action items" },
      { type: "list", items: [...dialogue.actions] },
    ],
  },
];
