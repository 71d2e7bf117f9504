/** The service, in a process of its own: three customers' accounts, one of them with a long history. */
import { aMeeting, anEvent, createEmulator, type Seed } from "notetaker-sdk/testing";

const DAY_MS = 86_400_000;
const history = (count: number): Seed => ({
  meetings: Array.from({ length: count }, (_, n) =>
    aMeeting({ title: `Weekly ${count - n}`, start_time: new Date(Date.now() - (n + 1) * DAY_MS).toISOString() }),
  ),
  events: [anEvent({ title: "Planning", start_time: new Date(Date.now() + DAY_MS).toISOString() })],
});

const service = createEmulator({
  accounts: { "token-of-acme": history(3), "token-of-bolt": history(5), "token-of-corp": history(2_000) },
  now: Date.now,
  limits: "all",
});
const { url } = await service.listen({ port: Number(process.env.EMULATOR_PORT ?? 4010), control: true });
console.log(`emulator: ${url}`);
