/** The account of an emulator without a seed: the last weeks of a small product team. */

import type { DocumentTitles } from "../../assumptions.js";
import { DAY_MS, MINUTE_MS } from "../../async/timers.js";
import { dialogueAt, documentsFromDialogue, transcriptFromDialogue } from "../content/dialogues.js";
import type { RandomState } from "../state/random.js";
import type { AccountRecord, PersonRecord } from "../state/records.js";
import type { EventSeed, Seed } from "./seed.js";

const PEOPLE = {
  ada: { name: "Ada Okafor", email: "ada@lovelace.example", title: "Product manager", company: "Lovelace Labs" },
  ben: { name: "Ben Castellano", email: "ben@lovelace.example", title: "Engineer", company: "Lovelace Labs" },
  chidi: { name: "Chidi Marsh", email: "chidi@lovelace.example", title: "Designer", company: "Lovelace Labs" },
  dana: { name: "Dana Lindqvist", email: "dana@northwind.example", title: "Head of support", company: "Northwind" },
  eun: { name: "Eun-ji Park", email: "eun-ji@contoso.example", title: null, company: "Contoso" },
} as const satisfies Record<string, PersonRecord>;
type PersonKey = keyof typeof PEOPLE;

interface PastMeeting {
  /** The number of the dialogue. */
  dialogue: number;
  daysAgo: number;
  minutes: number;
  source: string;
  /** The first one is the host. */
  people: readonly [PersonKey, ...PersonKey[]];
  title?: string;
}

/** The rooms and their meetings, the newest first. */
const ROOMS: readonly {
  title: string;
  daysAgo: number;
  owned: boolean;
  past: readonly [PastMeeting, ...PastMeeting[]];
}[] = [
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

/** The user of an account, unless its seed names another one. */
export function defaultUser(accountIndex: number): AccountRecord["user"] {
  const known = Object.keys(PEOPLE)[accountIndex];
  if (known !== undefined) return userOf(known as PersonKey);
  const name = `user${accountIndex + 1}`;
  return { id: `usr_${name}`, name: `User ${accountIndex + 1}`, email: `${name}@lovelace.example` };
}

type TimeAt = (daysAgo: number, minutes?: number) => string;

const userOf = (person: PersonKey): AccountRecord["user"] => {
  const { name, email } = PEOPLE[person];
  return { id: `usr_${person}`, name, email };
};

function pastMeeting(random: RandomState, past: PastMeeting, owned: boolean, timeAt: TimeAt, titles: DocumentTitles) {
  const { daysAgo, minutes, source, people } = past;
  const dialogue = dialogueAt(past.dialogue);
  const { title = dialogue.title } = past;
  const names = people.map((person) => PEOPLE[person].name);
  return {
    title,
    source,
    owned,
    start_time: timeAt(daysAgo),
    duration: minutes * 60,
    host: userOf(people[0]),
    participants: people.map((person) => PEOPLE[person]),
    transcript: transcriptFromDialogue(random, dialogue, names, "en"),
    documents: documentsFromDialogue(title, dialogue, titles).map((document) => ({
      ...document,
      created_at: timeAt(daysAgo, minutes + 5),
    })),
    permissions: owned && daysAgo < 4 ? [{ recipient: { type: "anyone" }, role: "read" }] : [],
  };
}

/** The account as it is at `now`. `hasExampleIds`: whether the ids that the examples of the guides use exist in it. */
export function defaultAccount(now: number, random: RandomState, titles: DocumentTitles, hasExampleIds: boolean): Seed {
  const timeAt: TimeAt = (daysAgo, minutes = 0) => new Date(now - daysAgo * DAY_MS + minutes * MINUTE_MS).toISOString();
  const rooms = ROOMS.map(({ title, daysAgo, owned, past }) => ({
    title,
    owned,
    created_at: timeAt(daysAgo),
    updated_at: timeAt(past[0].daysAgo, past[0].minutes),
    meetings: past.map((meeting) => pastMeeting(random, meeting, owned, timeAt, titles)),
  }));
  const events = upcomingEvents(timeAt);
  if (hasExampleIds) {
    const [meeting] = rooms[0]?.meetings ?? [];
    const named = { room_1: rooms[0], mtg_1: meeting, doc_1: meeting?.documents[0], evt_1: events[0] };
    for (const [id, record] of Object.entries(named)) Object.assign(record ?? {}, { id });
  }
  return {
    account: { automation: "JOIN_AS_HOST" },
    rooms,
    meetings: [
      {
        status: "processing",
        source: "upload",
        title: "Panel discussion.mp3",
        start_time: timeAt(0, -2),
        recording: true,
      },
      { status: "failed", source: "zoom", title: "Partner call", start_time: timeAt(2), duration: null },
    ],
    events,
    webhooks: [{ url: "https://hooks.lovelace.example/notetaker", created_at: timeAt(30), updated_at: timeAt(30) }],
  };
}

const upcomingEvents = (timeAt: TimeAt): EventSeed[] => [
  {
    title: "Weekly product sync",
    start_time: timeAt(-6),
    meeting_url: "https://meet.google.com/kqz-bwrf-tma",
    organized: true,
  },
  {
    title: "Contoso: second call",
    start_time: timeAt(-2),
    meeting_url: "https://teams.microsoft.com/l/meetup-join/19%3ameeting_Y29udG9zbw%40thread.v2/0",
    organized: true,
  },
  {
    title: "All hands",
    start_time: timeAt(-3),
    meeting_url: "https://us02web.zoom.us/j/84412345678?pwd=emulated",
    organized: false,
  },
];
