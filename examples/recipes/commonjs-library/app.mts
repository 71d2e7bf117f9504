/** An ESM application that uses the library. Its client is of another copy of the package, and fits by type. */
import { Notetaker } from "notetaker-sdk";
import { wordCounts } from "./library.cjs";

const notetaker = new Notetaker();
for await (const { id, title } of notetaker.meetings.list({ limit: 3 })) {
  console.log(title, JSON.stringify(await wordCounts(notetaker, id)));
}
