/**
 * The program that types-versions.ts compiles with each version of TypeScript. It uses every entry point of the
 * package.
 */
import { InvalidArgumentError, type Meeting, memoryStore, Notetaker, type Room, syncMeetings } from "notetaker-sdk";
import { xhrFetch } from "notetaker-sdk/browser";
import { diagnose } from "notetaker-sdk/doctor";
import { fromPath } from "notetaker-sdk/node";
import { redisThrottle } from "notetaker-sdk/redis";
import { createEmulator } from "notetaker-sdk/testing";
import { tools } from "notetaker-sdk/tools";
import { toText } from "notetaker-sdk/transcript";
import { subscribe, verify } from "notetaker-sdk/webhooks";

export async function main(): Promise<string> {
  const service = createEmulator();
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  for await (const room of notetaker.rooms.list({ expand: ["meetings"] })) {
    const meetings: { id: `mtg_${string}` }[] = room.meetings;
    if (meetings.length > 99) return room.title;
  }
  for await (const event of subscribe("https://example.com/events")) console.log(event.kind);
  await syncMeetings(notetaker, { into: memoryStore(), onChange: ({ meeting }) => console.log(meeting?.id) });
  const { stream } = await notetaker.meetings.downloadRecording("mtg_1");
  await notetaker.meetings.upload(stream, { contentType: "audio/wav" });
  await notetaker.meetings.upload(new Uint8Array(10), { contentType: "audio/wav" });
  await notetaker.meetings.upload(fromPath("x.wav"));
  const plain: Room[] = (await notetaker.rooms.list()).data;
  // @ts-expect-error without expand, meetings may be missing
  plain[0]?.meetings.length;
  const meetings: Meeting[] = await notetaker.meetings.list().toArray({ max: 3 });
  // @ts-expect-error an unknown option
  await notetaker.webhooks.list({ timeout: 5 });
  await verify("{}", new Headers(), "secret").catch((error: unknown) => error instanceof InvalidArgumentError);
  await verify(new Uint8Array(3), new Headers(), "secret");
  console.log(redisThrottle, diagnose, xhrFetch, tools(notetaker));
  return meetings.length + toText(await notetaker.meetings.getTranscript("mtg_1")) + typeof fromPath;
}
