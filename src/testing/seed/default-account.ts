/** The small account that an emulator starts with when it is given no seed: a product team's last weeks. */
import { DIALOGUES, type Dialogue } from "../content/dialogues.js";
import { actionBlocks, summaryBlocks, transcriptFromDialogue } from "../content/from-dialogue.js";
import type { RandomState } from "../state/random.js";
import type { MeetingSeed, Seed } from "./seed.js";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const PEOPLE = {
  ada: { name: "Ada Okafor", email: "ada@lovelace.example", title: "Product manager", company: "Lovelace Labs" },
  ben: { name: "Ben Castellano", email: "ben@lovelace.example", title: "Engineer", company: "Lovelace Labs" },
  chidi: { name: "Chidi Marsh", email: "chidi@lovelace.example", title: "Designer", company: "Lovelace Labs" },
  dana: { name: "Dana Lindqvist", email: "dana@northwind.example", title: "Head of support", company: "Northwind" },
  eun: { name: "Eun-ji Park", email: "eun-ji@contoso.example", title: null, company: "Contoso" },
} as const;
type Person = keyof typeof PEOPLE;

interface Past {
  dialogue: number;
  daysAgo: number;
  minutes: number;
  source: string;
  people: readonly Person[];
  title?: string;
}

/** The rooms, the newest first, and what was recorded in each. */
const ROOMS: readonly { title: string; daysAgo: number; owned: boolean; past: readonly Past[] }[] = [
  {
    title: "Product",
    daysAgo: 20,
    owned: true,
    past: [
      { dialogue: 0, daysAgo: 1, minutes: 31, source: "google_meet", people: ["ada", "ben", "chidi"] },
      { dialogue: 5, daysAgo: 6, minutes: 42, source: "google_meet", people: ["chidi", "ada"] },
      {
        dialogue: 0,
        daysAgo: 8,
        minutes: 28,
        source: "google_meet",
        people: ["ada", "ben", "chidi"],
        title: "Weekly product sync, the week before",
      },
    ],
  },
  {
    title: "Customer research",
    daysAgo: 34,
    owned: true,
    past: [
      { dialogue: 1, daysAgo: 3, minutes: 47, source: "zoom", people: ["ada", "dana"] },
      { dialogue: 6, daysAgo: 10, minutes: 35, source: "teams", people: ["ada", "eun"] },
    ],
  },
  {
    title: "Engineering",
    daysAgo: 61,
    owned: true,
    past: [
      { dialogue: 2, daysAgo: 5, minutes: 55, source: "zoom", people: ["ben", "ada", "chidi"] },
      { dialogue: 7, daysAgo: 13, minutes: 44, source: "zoom", people: ["ben", "ada", "chidi"] },
    ],
  },
  {
    title: "Hiring",
    daysAgo: 75,
    owned: true,
    past: [{ dialogue: 3, daysAgo: 4, minutes: 26, source: "zoom", people: ["ada", "ben", "chidi"] }],
  },
  {
    title: "Company planning",
    daysAgo: 90,
    owned: false,
    past: [{ dialogue: 4, daysAgo: 15, minutes: 90, source: "teams", people: ["ben", "ada", "chidi"] }],
  },
];

/** The account as it is at `now`. */
export function defaultAccount(now: number, random: RandomState): Seed {
  const at = (daysAgo: number, minutes = 0) => new Date(now - daysAgo * DAY_MS + minutes * MINUTE_MS).toISOString();

  const recorded = (
    { dialogue: index, daysAgo, minutes, source, people, title }: Past,
    owned: boolean,
  ): MeetingSeed => {
    const dialogue: Dialogue = DIALOGUES[index]!;
    const called = title ?? dialogue.title;
    const participants = people.map((person) => PEOPLE[person]);
    const [host] = participants;
    return {
      title: called,
      source,
      owned,
      start_time: at(daysAgo),
      duration: minutes * 60,
      host: { id: `usr_${people[0]}`, name: host!.name, email: host!.email },
      participants: [...participants],
      transcript: transcriptFromDialogue(
        random,
        dialogue,
        participants.map(({ name }) => name),
        "en",
      ),
      documents: [
        { title: `${called}: summary`, created_at: at(daysAgo, minutes + 5), blocks: summaryBlocks(called, dialogue) },
        { title: `${called}: action items`, created_at: at(daysAgo, minutes + 5), blocks: actionBlocks(dialogue) },
      ],
      permissions: owned && daysAgo < 4 ? [{ recipient: { type: "anyone" }, role: "read" }] : [],
    };
  };

  return {
    account: { automation: "JOIN_AS_HOST" },
    rooms: ROOMS.map(({ title, daysAgo, owned, past }) => ({
      title,
      owned,
      created_at: at(daysAgo),
      updated_at: at(past[0]!.daysAgo, past[0]!.minutes),
      meetings: past.map((one) => recorded(one, owned)),
    })),
    meetings: [
      { status: "processing", source: "upload", title: "Panel discussion.mp3", start_time: at(0, -2), recording: true },
      { status: "failed", source: "zoom", title: "Partner call", start_time: at(2), duration: null },
    ],
    events: [
      {
        title: "Weekly product sync",
        start_time: at(-6),
        meeting_url: "https://meet.google.com/kqz-bwrf-tma",
        organized: true,
      },
      {
        title: "Contoso: second call",
        start_time: at(-2),
        meeting_url: "https://teams.microsoft.com/l/meetup-join/19%3ameeting_Y29udG9zbw%40thread.v2/0",
        organized: true,
      },
      {
        title: "All hands",
        start_time: at(-3),
        meeting_url: "https://us02web.zoom.us/j/84412345678?pwd=emulated",
        organized: false,
      },
    ],
    webhooks: [{ url: "https://hooks.lovelace.example/notetaker", created_at: at(30), updated_at: at(30) }],
  };
}
