/**
 * For LangChain: transcripts as documents for any vector store.
 *
 *   await vectorStore.addDocuments(await meetingDocuments(new Notetaker()));
 */
import { Document } from "@langchain/core/documents";
import { type Notetaker, NotFoundError } from "notetaker-sdk";
import { chunks } from "notetaker-sdk/transcript";

export async function meetingDocuments(notetaker: Notetaker): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const { id, title, start_time } of notetaker.meetings.list({ status: "completed" })) {
    const transcript = await notetaker.meetings.getTranscript(id).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    if (transcript === undefined) continue;
    const parts = chunks(transcript, { maxTokens: 300, countTokens: (text) => Math.ceil(text.length / 4) });
    for (const part of parts) {
      documents.push(
        new Document({
          id: `${id}-${part.start_time}`,
          pageContent: part.text,
          metadata: { meeting_id: id, title, date: start_time, from: part.start_time, speakers: part.speakers },
        }),
      );
    }
  }
  return documents;
}
