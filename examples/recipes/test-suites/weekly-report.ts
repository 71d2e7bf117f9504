import { type NotetakerLike, NotFoundError } from "notetaker-sdk";

export interface Report {
  meetings: number;
  words: number;
  /** Titles of meetings whose transcript is not ready. */
  waiting: string[];
}

export async function weeklyReport(
  { meetings }: NotetakerLike,
  monday: string,
): Promise<Report> {
  const report: Report = { meetings: 0, words: 0, waiting: [] };
  for await (const { id, title } of meetings.list({ start_date: monday })) {
    report.meetings += 1;
    try {
      const { segments } = await meetings.getTranscript(id);
      for (const { text } of segments) report.words += text.split(/\s+/).length;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      report.waiting.push(title ?? id);
    }
  }
  return report;
}
