/**
 * A retriever for the chains of LangChain:
 *
 *   const retriever = new ArchiveRetriever(openArchive(new pg.Pool()));
 *   const documents = await retriever.invoke("Who pays for the flights?");
 */
import { Document } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";
import type { Archive } from "notetaker-sdk/sql";

export class ArchiveRetriever extends BaseRetriever {
  lc_namespace = ["notetaker-sdk"];
  readonly #archive: Archive;

  constructor(archive: Archive) {
    super();
    this.#archive = archive;
  }

  override async _getRelevantDocuments(question: string) {
    const hits = await this.#archive.search(question, { limit: 8 });
    return hits.map(({ meeting, text: pageContent, speaker, start_time }) => {
      const { id: meeting_id, title } = meeting;
      const metadata = { meeting_id, title, speaker, start_time };
      return new Document({ pageContent, metadata });
    });
  }
}
