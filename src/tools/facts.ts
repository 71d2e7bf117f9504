import type { Meeting } from "../schemas/meeting.js";
import type { UpcomingMeeting } from "../schemas/meeting-list.js";
import type { Room } from "../schemas/room.js";
import { brief, jsonLength } from "./cut-text.js";
import type { LeftOut } from "./page-result.js";

/** How many participants, and how many documents, of a meeting a model gets. */
const MAX_PER_MEETING = 20;
/** The longest that what is said of left out participants and documents may be. */
const LEFT_OUT = 320;

/** At most `room` characters of JSON. Without links, because anyone who has a link may join or watch. */
export function meetingFacts(meeting: Meeting, room: number) {
  const { id, title, status, source, start_time, end_time, duration, host, participants, documents } = meeting;
  const leftOut: LeftOut[] = [];
  const facts = {
    ...{ id: brief(id), title: brief(title, 150), status: brief(status, 30), source: brief(source, 30) },
    ...{ start_time: brief(start_time, 40), end_time: brief(end_time, 40), duration_seconds: brief(duration) },
    ...{ host: brief(host?.name ?? host?.email, 60) },
  };
  let left = room - LEFT_OUT - jsonLength({ ...facts, participants: [], documents: [] });
  const firstOf = (all: readonly unknown[] | undefined, noun: string) => {
    const listed = all?.slice(0, MAX_PER_MEETING).filter((one) => {
      left -= jsonLength(one) + 1;
      return left >= 0;
    });
    const more = (all?.length ?? 0) - (listed?.length ?? 0);
    if (more > 0) leftOut.push({ id: brief(id), reason: `${more} further ${noun}` });
    return listed;
  };
  const named = participants?.map((participant) => participant?.name ?? participant?.email).filter(Boolean);
  const item = {
    ...facts,
    participants: firstOf(
      named?.map((name) => brief(name)),
      "participants",
    ),
    documents: firstOf(
      documents?.map((one) => ({ id: brief(one.id), title: brief(one.title) })),
      "documents",
    ),
  };
  return { item, leftOut };
}

export const roomFacts = ({ id, title, meeting_count, created_at }: Room) => ({
  item: {
    id: brief(id),
    title: brief(title, 300),
    meeting_count: brief(meeting_count),
    created_at: brief(created_at),
  },
});

export const eventFacts = ({ id, title, start_time }: UpcomingMeeting) => ({
  item: { id: brief(id, 200), title: brief(title, 300), start_time: brief(start_time) },
});
