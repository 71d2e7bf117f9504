/**
 * The service of the fleet, in a process of its own: an emulator with many accounts, in which meetings take place. The
 * first accounts have a long history; of the next three, one loses its token, one leaves, and the list of one fails.
 */
import { randomBytes } from "node:crypto";
import { Notetaker } from "notetaker-sdk";
import { aMeeting, createEmulator, type Seed } from "notetaker-sdk/testing";
import type { FleetOptions, Truth } from "./options.js";
import { customerName, fatesOf, isLarge, tokenOf } from "./options.js";

const options = JSON.parse(process.env.FLEET ?? "{}") as FleetOptions;
const { accounts, history, everyMs, lost, doubled, port } = options;
const { revoked, failing } = fatesOf(options);
const DAY_MS = 86_400_000;
const startedAt = Date.now();

const old = (count: number): Seed => ({
  meetings: Array.from({ length: count }, (_, n) =>
    aMeeting({ start_time: new Date(startedAt - (5 + n / 20) * DAY_MS).toISOString(), duration: 600 }),
  ),
});
const customers = Array.from({ length: accounts }, (_, number) => customerName(number));
const requests = new Map<string, { polls: number; all: number }>();

const service = createEmulator({
  accounts: Object.fromEntries(customers.map((name) => [tokenOf(name), old(isLarge(name, options) ? history : 3)])),
  now: Date.now,
  stepTimes: "manual",
  limits: "all",
  onRequest({ method, path, query, headers }) {
    if (method !== "GET") return;
    const token = headers.get("authorization")?.slice("Bearer ".length) ?? "";
    const counts = requests.get(token) ?? { polls: 0, all: 0 };
    counts.all += 1;
    if (path === "/meetings" && !query.has("id")) counts.polls += 1;
    requests.set(token, counts);
  },
});
const { url } = await service.listen({ port });

const sent: Record<string, Truth["sent"]> = {};
let isBusy = true;

async function holdMeeting(customer: string): Promise<void> {
  const account = service.as(tokenOf(customer));
  const { meetings } = new Notetaker({ ...account.clientOptions, maxRetries: 0 });
  const { id } = await meetings.upload(randomBytes(100), { title: "Weekly", contentType: "audio/wav" });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const chance = Math.random();
  if (chance < lost) account.webhooks.next({ lose: true, times: 2 });
  else if (chance < lost + doubled) account.webhooks.next({ duplicate: true, times: 2 });
  const isLost = chance < lost || account.webhooks.list().length === 0;
  sent[customer] = { ...sent[customer], [id]: { at: Date.now(), isLost } };
  void account.meetings.finish(id);
}

/** In a random order, each account as often as the others. */
async function holdMeetings(): Promise<void> {
  for (let number = 0; isBusy; number += 1) {
    const customer = customers[(number * 7919) % accounts] ?? "";
    void holdMeeting(customer).catch((error: Error) => console.error(`service: ${customer}: ${error.message}`));
    await new Promise((resolve) => setTimeout(resolve, everyMs / accounts));
  }
}

const truthOf = (customer: string): Truth => {
  const { meetings, webhooks } = service.as(tokenOf(customer));
  const counts = requests.get(tokenOf(customer)) ?? { polls: 0, all: 0 };
  const accepted: Truth["accepted"] = {};
  for (const { meetingId, attempts } of webhooks.deliveries) {
    const { at } = attempts.find(({ status }) => status === 200) ?? {};
    if (at !== undefined) accepted[meetingId] = Math.min(at, accepted[meetingId] ?? at);
  }
  return {
    ids: meetings.list().map(({ id }) => id),
    sent: sent[customer] ?? {},
    accepted,
    ...counts,
    webhooks: webhooks.list().length,
  };
};

const COMMANDS: Record<string, () => unknown> = {
  begin: () => void holdMeetings(),
  end: () => (isBusy = false),
  revoke: () => service.revokeToken(tokenOf(revoked)),
  fail: () => service.as(tokenOf(failing)).faults.next("GET /meetings", { status: 503, times: 1_000_000 }),
  heal: () => service.as(tokenOf(failing)).faults.clear(),
  // What was counted under the limits of a minute is over.
  "next minute": () => void service.as(tokenOf(customerName(0))).clock.advance(61_000),
  truth: () => Object.fromEntries(customers.map((customer) => [customer, truthOf(customer)])),
};
process.on("message", (command: string) => {
  const result = COMMANDS[command]?.();
  process.send?.({ command, result: command === "truth" ? result : undefined });
});
console.log(`service: ${url}`);
