/**
 *   await vectorStore.addDocuments(await meetingDocuments(new Notetaker()));
 */
import { Document } from "@langchain/core/documents";
import type { Notetaker } from "notetaker-sdk";
import { walkMeetings } from "notetaker-sdk";
import { chunks } from "notetaker-sdk/transcript";

export async function meetingDocuments(
  notetaker: Notetaker,
): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const { meeting, transcript } of walkMeetings(notetaker, {
    formats: { documents: [] },
  })) {
    if (transcript === undefined) continue;
    const { id, title, start_time } = meeting;
    const parts = chunks(transcript, {
      maxTokens: 300,
      countTokens: (text) => Math.ceil(text.length / 4),
    });
    for (const [
      index,
      { text, speakers, start_time: from },
    ] of parts.entries()) {
      documents.push(
        new Document({
          id: `${id}-${index}`,
          pageContent: text,
          metadata: { meeting_id: id, title, date: start_time, from, speakers },
        }),
      );
    }
  }
  return documents;
}
