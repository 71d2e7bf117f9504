/** The random commands for the service. Each prints itself with its value. */
import fc from "fast-check";
import { EVENT_KINDS, isNotetakerError, type Notetaker } from "notetaker-sdk";
import type { Emulator } from "notetaker-sdk/testing";
import { expect } from "vitest";
import type { ModelMeeting, ServiceModel } from "./service-model.js";

export interface System {
  readonly notetaker: Notetaker;
  readonly service: Emulator;
  readonly arrived: { count: number };
}

type Command = fc.AsyncCommand<ServiceModel, System>;

async function endOf<T>(call: PromiseLike<T>): Promise<{ value?: T; error?: string }> {
  try {
    return { value: await call };
  } catch (error) {
    if (!isNotetakerError(error)) throw error;
    return { error: error.name };
  }
}

const ERROR_OF_STATUS: Readonly<Record<number, string>> = { 503: "ServerError", 403: "ForbiddenError" };

/** A command that sends no request, so that it meets no fault. */
const control = <T>(
  name: string,
  values: fc.Arbitrary<T>,
  run: (value: T, model: ServiceModel, system: System) => Promise<void>,
  check: (model: ServiceModel) => boolean = () => true,
): fc.Arbitrary<Command> =>
  values.map((value) => ({
    check,
    toString: () => `${name}(${JSON.stringify(value)})`,
    run: (model, system) => run(value, model, system),
  }));

/** A command of one request. `run` gets the name of the error that a planned fault causes, if there is one. */
const call = <T>(
  name: string,
  values: fc.Arbitrary<T>,
  run: (value: T, model: ServiceModel, system: System, fault: string | undefined) => Promise<void>,
) =>
  control(name, values, async (value, model, system) => {
    const fault = model.faults.shift();
    await run(value, model, system, fault === undefined ? undefined : ERROR_OF_STATUS[fault]);
  });

const nothing = fc.constant(undefined);
const nth = fc.nat({ max: 7 });

/** The meeting with this number. A number also works in a command that was drawn before any meeting existed. */
const pick = ({ meetings }: ServiceModel, index: number): ModelMeeting | undefined => meetings[index % meetings.length];

const CALLS = ["https://zoom.us/j/1234567", "https://meet.google.com/abc-defg-hij", "https://zoom.us/j/7654321"];

const sendBot = call("sendBot", fc.constantFrom(...CALLS), async (url, model, { notetaker }, fault) => {
  const { value, error } = await endOf(notetaker.meetings.sendBot({ meeting_url: url }));
  expect(error).toBe(fault ?? (model.takeTurn("bot") ? undefined : "RateLimitedError"));
  if (value !== undefined) model.sendBot(value.meeting_id, url);
});

/** More bots than the rate limit of any minute allows. */
const sendDozen = control(
  "sendDozen",
  nothing,
  async (_, model, { notetaker }) => {
    for (let number = 0; number < 12; number++) {
      const url = `https://zoom.us/j/55500${number}`;
      const { value, error } = await endOf(notetaker.meetings.sendBot({ meeting_url: url }));
      expect(error).toBe(model.takeTurn("bot") ? undefined : "RateLimitedError");
      if (value !== undefined) model.sendBot(value.meeting_id, url);
    }
  },
  ({ faults }) => faults.length === 0,
);

const upload = call("upload", nothing, async (_, model, { notetaker }, fault) => {
  const { value, error } = await endOf(notetaker.meetings.upload(new Blob(["RIFF"], { type: "audio/wav" })));
  expect(error).toBe(fault ?? (model.takeTurn("upload") ? undefined : "RateLimitedError"));
  if (value !== undefined) model.upload(value.id);
});

const getTranscript = call("getTranscript", nth, async (index, model, { notetaker }, fault) => {
  const meeting = pick(model, index);
  const id = meeting?.id ?? "mtg_none";
  const { value, error } = await endOf(notetaker.meetings.getTranscript(id));
  expect(error).toBe(fault ?? (meeting?.state === "completed" ? undefined : "NotFoundError"));
  if (value !== undefined) expect(value.meeting_id).toBe(id);
});

const listMeetings = call("listMeetings", nothing, async (_, model, { notetaker }, fault) => {
  const { value, error } = await endOf(notetaker.meetings.list({ expand: ["documents"] }).toArray({ max: 1_000 }));
  expect(error).toBe(fault);
  if (value === undefined) return;
  const listed = value.map(({ id, status, documents }) => `${id} ${status} ${documents.length > 0}`);
  const shown = model.meetings.filter(model.isShown);
  expect(listed.sort()).toEqual(shown.map((one) => `${one.id} ${model.status(one)} ${one.summarised}`).sort());
});

const RECIPIENTS = [
  { type: "anyone" },
  { type: "teammate", email: "ada@example.com" },
  { type: "teammate", email: "bo@example.com" },
] as const;

const share = call(
  "share",
  fc.tuple(nth, fc.constantFrom(...RECIPIENTS)),
  async ([index, recipient], model, { notetaker }, fault) => {
    const meeting = pick(model, index);
    const id = meeting?.id ?? "mtg_none";
    const { error } = await endOf(notetaker.permissions.set(id, { recipient, role: "read" } as never));
    expect(error).toBe(fault ?? (meeting !== undefined && model.isShown(meeting) ? undefined : "NotFoundError"));
    if (error === undefined) meeting?.permissions.set(JSON.stringify(recipient), "read");
  },
);

const listPermissions = call("listPermissions", nth, async (index, model, { notetaker }, fault) => {
  const meeting = pick(model, index);
  const { value, error } = await endOf(notetaker.permissions.list(meeting?.id ?? "mtg_none", { limit: 100 }));
  expect(error).toBe(fault ?? (meeting !== undefined && model.isShown(meeting) ? undefined : "NotFoundError"));
  if (value === undefined) return;
  const recipients = value.data.map(({ recipient }) => JSON.stringify(recipient)).sort();
  expect(recipients).toEqual([...(meeting?.permissions.keys() ?? [])].sort());
});

const revokeFirst = call("revokeFirst", nth, async (index, model, { notetaker, service }, fault) => {
  const meeting = pick(model, index);
  const granted = service.meetings.get(meeting?.id ?? "mtg_none")?.permissions[0];
  const { error } = await endOf(notetaker.permissions.revoke(meeting?.id ?? "mtg_none", granted?.id ?? "perm_none"));
  expect(error).toBe(fault ?? (granted === undefined ? "NotFoundError" : undefined));
  if (error === undefined && granted !== undefined) meeting?.permissions.delete(JSON.stringify(granted.recipient));
});

const createWebhook = call(
  "createWebhook",
  fc.subarray([...EVENT_KINDS], { minLength: 1 }),
  async (events, model, { notetaker }, fault) => {
    const { value, error } = await endOf(notetaker.webhooks.create({ url: "https://hooks.example.com/in", events }));
    expect(error).toBe(fault);
    if (value !== undefined) model.webhooks.set(value.id, { events, enabled: true });
  },
);

const switchWebhook = call(
  "switchWebhook",
  fc.tuple(nth, fc.boolean()),
  async ([index, enabled], model, { notetaker }, fault) => {
    const [id = "whk_none", webhook] = [...model.webhooks][index % Math.max(1, model.webhooks.size)] ?? [];
    const { error } = await endOf(notetaker.webhooks.update(id, { enabled }));
    expect(error).toBe(fault ?? (webhook === undefined ? "NotFoundError" : undefined));
    if (error === undefined && webhook !== undefined) webhook.enabled = enabled;
  },
);

const deleteWebhook = call("deleteWebhook", nth, async (index, model, { notetaker }, fault) => {
  const id = [...model.webhooks.keys()][index % Math.max(1, model.webhooks.size)];
  const { error } = await endOf(notetaker.webhooks.delete(id ?? "whk_none"));
  expect(error).toBe(fault ?? (id === undefined ? "NotFoundError" : undefined));
  if (error === undefined && id !== undefined) model.webhooks.delete(id);
});

const finish = control("finish", nth, async (index, model, { service }) => {
  const meeting = pick(model, index);
  if (meeting === undefined) return;
  if (model.canFinish(meeting)) {
    model.finish(meeting);
    await service.meetings.finish(meeting.id);
  } else expect(() => service.meetings.finish(meeting.id)).toThrow("expected a meeting with a remaining step");
});

const fail = control("fail", nth, async (index, model, { service }) => {
  const meeting = pick(model, index);
  if (meeting === undefined) return;
  if (meeting.state === "open") {
    model.fail(meeting);
    await service.meetings.fail(meeting.id);
  } else expect(() => service.meetings.fail(meeting.id)).toThrow("expected a meeting that is not completed");
});

const STEPS_MS = [1_000, 2_000, 5_000, 20_000, 60_000, 61_000, 3_600_000];

const advance = control("advance", fc.constantFrom(...STEPS_MS), async (ms, model, { service }) => {
  model.advance(ms);
  await service.clock.advance(ms);
});

const planFault = control("planFault", fc.constantFrom(503, 403), async (status, model, { service }) => {
  service.faults.next("*", { status });
  model.faults.push(status);
});

const compareDeliveries = control("compareDeliveries", nothing, async (_, model, { service, arrived }) => {
  await service.webhooks.settled();
  const { deliveries } = service.webhooks;
  const counts = new Map<string, number>();
  for (const { webhookId, kind } of deliveries) {
    const key = `${webhookId} ${kind}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(Object.fromEntries([...counts].sort())).toEqual(Object.fromEntries([...model.deliveries].sort()));
  expect(deliveries.every(({ state }) => state === "delivered")).toBe(true);
  expect(arrived.count).toBe(deliveries.length);
});

export const COMMANDS = [
  ...[sendBot, sendDozen, upload, getTranscript, listMeetings, share, listPermissions, revokeFirst],
  ...[createWebhook, switchWebhook, deleteWebhook, finish, fail, advance, planFault, compareDeliveries],
];
