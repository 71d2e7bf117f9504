/** A meeting as a note: Markdown with the front matter that note-taking tools read. */
import type { TranscriptRenderer } from "notetaker-sdk/node";
import { toMarkdown } from "notetaker-sdk/transcript";

export const note: TranscriptRenderer = {
  extension: "md",
  render(transcript, meeting) {
    const people = meeting.participants?.flatMap(({ name, email }) => name ?? email ?? []) ?? [];
    return toMarkdown(transcript, {
      title: meeting.title ?? meeting.id,
      // A new paragraph, with its time, after a pause, and when one person talks for a long time.
      maxGapSeconds: 20,
      maxCharacters: 1_200,
      frontMatter: {
        id: meeting.id,
        aliases: meeting.title ? [meeting.title] : [],
        date: meeting.start_time.slice(0, 10),
        time: meeting.start_time.slice(11, 16),
        minutes: Math.round((meeting.duration ?? 0) / 60),
        participants: people.map((person) => `[[${person.replace(/[[\]|#^]/g, "")}]]`),
        tags: ["meeting", meeting.source],
      },
    });
  },
};
