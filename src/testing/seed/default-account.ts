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

const SHARED = "Company planning";

/** A meeting of the past, as long as its dialogue, whose title it has without one. The first of its people is the host. */
type PastMeeting = readonly [
  daysAgo: number,
  dialogue: number,
  source: string,
  people: readonly [PersonKey, ...PersonKey[]],
  title?: string,
];

const ROOMS: readonly { title: string; daysAgo: number; past: readonly [PastMeeting, ...PastMeeting[]] }[] = [
  {
    title: "Product",
    daysAgo: 20,
    past: [
      [1, 0, "google_meet", ["ada", "ben", "chidi"]],
      [6, 3, "google_meet", ["chidi", "ada"], "Goals of the design team"],
      [8, 0, "google_meet", ["ada", "ben", "chidi"], "Weekly product sync, the week before"],
    ],
  },
  {
    title: "Customer research",
    daysAgo: 34,
    past: [
      [3, 1, "zoom", ["ada", "dana"]],
      [10, 4, "teams", ["ada", "eun"]],
    ],
  },
  {
    title: "Engineering",
    daysAgo: 61,
    past: [
      [5, 5, "zoom", ["ben", "ada", "chidi"], "Retrospective of the beta"],
      [13, 5, "zoom", ["ben", "ada", "chidi"]],
    ],
  },
  { title: "Hiring", daysAgo: 75, past: [[4, 2, "zoom", ["ada", "ben", "chidi"]]] },
  { title: SHARED, daysAgo: 90, past: [[15, 3, "teams", ["ben", "ada", "chidi"]]] },
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
  const [daysAgo, number, source, people, givenTitle] = past;
  const dialogue = dialogueAt(number);
  const title = givenTitle ?? dialogue.title;
  const names = people.map((person) => PEOPLE[person].name);
  return {
    ...{ title, source, owned, start_time: timeAt(daysAgo), host: userOf(people[0]) },
    participants: people.map((person) => PEOPLE[person]),
    transcript: transcriptFromDialogue(random, dialogue, names, "en"),
    documents: documentsFromDialogue(title, dialogue, titles).map((document) => ({
      ...document,
      created_at: timeAt(daysAgo, 5),
    })),
    permissions: owned && daysAgo < 4 ? [{ recipient: { type: "anyone" }, role: "read" }] : [],
  };
}

/** The account as it is at `now`. `hasExampleIds`: whether the ids that the examples of the guides use exist in it. */
export function defaultAccount(now: number, random: RandomState, titles: DocumentTitles, hasExampleIds: boolean): Seed {
  const timeAt: TimeAt = (daysAgo, minutes = 0) => new Date(now - daysAgo * DAY_MS + minutes * MINUTE_MS).toISOString();
  const rooms = ROOMS.map(({ title, daysAgo, past }) => ({
    title,
    owned: title !== SHARED,
    created_at: timeAt(daysAgo),
    updated_at: timeAt(past[0][0], 5),
    meetings: past.map((meeting) => pastMeeting(random, meeting, title !== SHARED, timeAt, titles)),
  }));
  const events = defaultEvents(timeAt);
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

const defaultEvents = (timeAt: TimeAt): EventSeed[] => [
  { title: "Weekly product sync", start_time: timeAt(-6), meeting_url: "https://meet.google.com/kqz-bwrf-tma" },
  {
    title: "Contoso: second call",
    start_time: timeAt(-2),
    meeting_url: "https://teams.microsoft.com/l/meetup-join/19%3ameeting_Y29udG9zbw%40thread.v2/0",
  },
  {
    title: "All hands",
    start_time: timeAt(-3),
    meeting_url: "https://us02web.zoom.us/j/84412345678?pwd=emulated",
    organized: false,
  },
];
