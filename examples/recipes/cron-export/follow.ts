/**
 * The same as a loop over your own storage: each run stores the meetings of
 * which there is something new since the run before, then ends. Here, the
 * storage is a folder with a JSON file for each meeting, transcript and document.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Notetaker, walkMeetings } from "notetaker-sdk";

const folder = process.argv[2] ?? "meetings-json";
await mkdir(folder, { recursive: true });

/** In one step, so that a crash leaves no half of a file. */
async function save(name: string, content: string): Promise<void> {
  await writeFile(join(folder, `${name}.new`), content);
  await rename(join(folder, `${name}.new`), join(folder, name));
}

const saveCheckpoint = (checkpoint: string) => save("checkpoint", checkpoint);
const resume = await readFile(join(folder, "checkpoint"), "utf8").catch(
  (error) => {
    if (error.code !== "ENOENT") throw error;
    return undefined; // the first run
  },
);
const walk = walkMeetings(new Notetaker(), {
  follow: "once",
  resume,
  onIdle: saveCheckpoint,
});
for await (const { meeting, transcript, documents, checkpoint } of walk) {
  const { id } = meeting;
  // A file for each piece: one that is missing this time stays as it is stored.
  if (transcript !== undefined)
    await save(`${id}.transcript.json`, JSON.stringify(transcript));
  for (const document of documents)
    await save(`${document.id}.json`, JSON.stringify(document));
  await save(`${id}.json`, JSON.stringify(meeting));
  await saveCheckpoint(checkpoint);
  console.log(id);
}
