import { Notetaker } from "notetaker-sdk";
import { wordCounts } from "./library.cjs";

const notetaker = new Notetaker();
for await (const { id, title } of notetaker.meetings.list({ limit: 3 })) {
  console.log(title, JSON.stringify(await wordCounts(notetaker, id)));
}
