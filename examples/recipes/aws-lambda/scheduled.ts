/**
 * A function that a schedule starts, for example every five minutes. It stores
 * each meeting in a folder on EFS, and continues where the run before ended.
 * Give it a timeout of 15 minutes and a reserved concurrency of 1, so that no
 * two runs happen at the same time.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Notetaker, walkMeetings } from "notetaker-sdk";

const folder = process.env.MEETINGS_FOLDER ?? "/mnt/meetings";
const notetaker = new Notetaker();

/** In one step: a run that is cut off leaves no half of a file. */
async function save(name: string, content: string): Promise<void> {
  await writeFile(join(folder, `${name}.new`), content);
  await rename(join(folder, `${name}.new`), join(folder, name));
}

export async function handler(
  _: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const remainingMs = context.getRemainingTimeInMillis() - 10_000;
  const signal = AbortSignal.timeout(Math.max(0, remainingMs));
  const saveCheckpoint = (text: string) => save("checkpoint", text);
  const walk = walkMeetings(notetaker, {
    follow: "once",
    resume: await readFile(join(folder, "checkpoint"), "utf8").catch(
      (error) => {
        if (error.code !== "ENOENT") throw error;
        return undefined; // the first run
      },
    ),
    onIdle: saveCheckpoint,
    signal,
  });
  try {
    for await (const { meeting, transcript, documents, checkpoint } of walk) {
      const { id } = meeting;
      // A file for each piece: one that is missing this time stays as it is.
      if (transcript !== undefined)
        await save(`${id}.transcript.json`, JSON.stringify(transcript));
      for (const document of documents)
        await save(`${document.id}.json`, JSON.stringify(document));
      await save(`${id}.json`, JSON.stringify(meeting));
      await saveCheckpoint(checkpoint);
    }
  } catch (error) {
    // The next run continues.
    if (!signal.aborted) throw error;
  }
}
