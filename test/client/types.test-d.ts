/** The types of the client: which code compiles, and which does not. */
import {
  type ApiPromise,
  type Automation,
  type CreatedWebhook,
  type Document,
  type DocumentFormat,
  type DocumentIn,
  type DocumentReference,
  EVENT_KINDS,
  type EventBotResult,
  type EventKind,
  fakePage,
  type ListOptions,
  type Meeting,
  type MeetingListParams,
  type MeetingSummary,
  Notetaker,
  type NotetakerLike,
  type Page,
  type PagePromise,
  type Permission,
  type PermissionPage,
  type RateLimit,
  type RecordingLink,
  type RequestOptions,
  type Room,
  type RoomExpansion,
  type RoomListParams,
  type SendBotResult,
  type Transcript,
  type UploadResult,
  type Webhook,
} from "notetaker-sdk";
import type { SubscribeOptions } from "notetaker-sdk/webhooks";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";

declare const notetaker: Notetaker;

describe("the results of calls", () => {
  it("have the types of the API specification", () => {
    expectTypeOf(notetaker.meetings.sendBot({ meeting_url: "" })).toEqualTypeOf<ApiPromise<SendBotResult>>();
    expectTypeOf(notetaker.meetings.cancelBot("")).toEqualTypeOf<ApiPromise<EventBotResult>>();
    expectTypeOf(notetaker.meetings.scheduleBot("")).toEqualTypeOf<ApiPromise<EventBotResult>>();
    expectTypeOf(notetaker.meetings.upload(new Blob())).toEqualTypeOf<ApiPromise<UploadResult>>();
    expectTypeOf(notetaker.meetings.getTranscript("")).toEqualTypeOf<ApiPromise<Transcript>>();
    expectTypeOf(notetaker.meetings.getRecording("")).toEqualTypeOf<ApiPromise<RecordingLink>>();
    expectTypeOf(notetaker.meetings.list()).toEqualTypeOf<PagePromise<Meeting>>();
    expectTypeOf(notetaker.permissions.list("")).toEqualTypeOf<PagePromise<Permission, PermissionPage>>();
    expectTypeOf(notetaker.permissions.revoke("", "")).toEqualTypeOf<ApiPromise<void>>();
    expectTypeOf(notetaker.webhooks.list()).toEqualTypeOf<ApiPromise<Webhook[]>>();
    expectTypeOf(notetaker.webhooks.delete("")).toEqualTypeOf<ApiPromise<void>>();
    expectTypeOf(notetaker.settings.getNotetakerAutomation()).toEqualTypeOf<ApiPromise<Automation>>();
  });

  it("are the data when awaited, and the data with the response from withResponse()", async () => {
    const call = notetaker.meetings.getTranscript("mtg_1");
    expectTypeOf(await call).toEqualTypeOf<Transcript>();
    expectTypeOf(await call.withResponse()).toEqualTypeOf<{
      data: Transcript;
      response: Response;
      rateLimit: RateLimit | undefined;
    }>();
    expectTypeOf(call.then(({ language }) => language)).resolves.toEqualTypeOf<string>();
  });

  it("list the known values of an enumeration, and allow unknown values", async () => {
    const { status } = await notetaker.meetings.sendBot({ meeting_url: "" });
    expectTypeOf(status).toEqualTypeOf<"scheduling" | "cancelling" | (string & {})>();
    expectTypeOf<EventKind>().toEqualTypeOf<(typeof EVENT_KINDS)[number] | (string & {})>();
    expectTypeOf<Meeting["status"]>().toExtend<string>();
    expectTypeOf<string>().toExtend<Meeting["status"]>();
  });

  it("mark the fields that may be missing", () => {
    expectTypeOf<MeetingSummary["title"]>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<MeetingSummary["duration"]>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<MeetingSummary["start_time"]>().toEqualTypeOf<string>();
    expectTypeOf<Room["share_url"]>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<RecordingLink["recording_url"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Webhook>().not.toHaveProperty("secret");
    expectTypeOf<CreatedWebhook["secret"]>().toEqualTypeOf<string>();
    expectTypeOf<Meeting["id"]>().toEqualTypeOf<`mtg_${string}`>();
  });

  it("declare only the fields that the API specification documents", async () => {
    const transcript = await notetaker.meetings.getTranscript("mtg_1");
    // @ts-expect-error a misspelt field
    void transcript.speaker;
    // The API specification documents a recipient only in part. Other fields have the type `unknown`.
    const { recipient } = await notetaker.permissions.set("mtg_1", { recipient: { type: "anyone" }, role: "read" });
    expectTypeOf(recipient.email).toBeUnknown();
  });
});

describe("the parameter expand", () => {
  it("makes the requested expansions required fields", async () => {
    const plain = notetaker.rooms.list();
    expectTypeOf(plain).toEqualTypeOf<PagePromise<Room>>();
    for await (const room of plain) {
      expectTypeOf(room.meetings).toExtend<MeetingSummary[] | null | undefined>();
      // @ts-expect-error it may be missing
      void room.meetings.length;
    }
    for await (const room of notetaker.rooms.list({ scope: "owned", expand: ["meetings"] })) {
      expectTypeOf(room.meetings).toEqualTypeOf<MeetingSummary[]>();
      // @ts-expect-error it was not requested
      void room.documents.length;
    }
    for await (const room of notetaker.rooms.list({ expand: ["documents", "meetings"] })) {
      expectTypeOf(room.meetings).toEqualTypeOf<MeetingSummary[]>();
      expectTypeOf(room.documents.length).toEqualTypeOf<number>();
    }
    const page = await notetaker.rooms.list({ expand: ["documents"] });
    expectTypeOf(page.data[0]!.documents.length).toEqualTypeOf<number>();
    const [first] = await notetaker.rooms.list({ expand: ["meetings"] }).toArray({ max: 1 });
    expectTypeOf(first!.meetings).toEqualTypeOf<MeetingSummary[]>();
    const next = await (await notetaker.rooms.list({ expand: ["meetings"] })).nextPage();
    expectTypeOf(next.data[0]!.meetings).toEqualTypeOf<MeetingSummary[]>();
  });

  it("leaves the expansions optional if `expand` is not a literal", async () => {
    const params: RoomListParams = { scope: "owned" };
    const none = await notetaker.rooms.list(params);
    // @ts-expect-error the parameters may request no expansion
    void none.data[0]!.meetings.length;
    const expand: RoomExpansion[] = [];
    const some = await notetaker.rooms.list({ expand });
    // @ts-expect-error the list may be empty
    void some.data[0]!.meetings.length;
    const maybe = await notetaker.rooms.list({
      expand: Math.random() > 0.5 ? ["meetings", "documents"] : ["documents"],
    });
    void maybe.data[0]!.documents.length;
    // @ts-expect-error it may not have been requested
    void maybe.data[0]!.meetings.length;
    const empty = await notetaker.rooms.list({ expand: [] });
    // @ts-expect-error nothing was requested
    void empty.data[0]!.meetings.length;
  });

  it("narrows meetings in the same way as rooms", async () => {
    for await (const meeting of notetaker.meetings.list({ expand: ["documents"], limit: 5 })) {
      expectTypeOf(meeting.documents).toEqualTypeOf<DocumentReference[]>();
    }
    const { documents } = await notetaker.meetings.get("mtg_1", { expand: ["documents"] });
    expectTypeOf(documents.length).toEqualTypeOf<number>();
    expectTypeOf(notetaker.meetings.get("mtg_1")).toEqualTypeOf<ApiPromise<Meeting>>();
    expectTypeOf(notetaker.rooms.get("room_1", {})).toEqualTypeOf<ApiPromise<Room>>();
    const plain = await notetaker.meetings.list({ expand: [] });
    // @ts-expect-error nothing was requested
    void plain.data[0]!.documents.length;
    // @ts-expect-error a parameter of the list
    notetaker.meetings.get("mtg_1", { limit: 5 });
  });

  it("accepts only the expansions of its own list", () => {
    // @ts-expect-error rooms have no people to expand
    notetaker.rooms.list({ expand: ["people"] });
    // @ts-expect-error meetings are not expanded in meetings
    notetaker.meetings.list({ expand: ["meetings"] });
    // @ts-expect-error a list is required
    notetaker.rooms.list({ expand: "meetings" });
  });
});

describe("the format option", () => {
  it("narrows the document's format", async () => {
    expectTypeOf((await notetaker.documents.get("doc_1", { format: "docx" })).format).toEqualTypeOf<"docx">();
    expectTypeOf((await notetaker.documents.get("doc_1", { format: "json" })).format).toEqualTypeOf<"json">();
    expectTypeOf((await notetaker.documents.get("doc_1")).format).toEqualTypeOf<DocumentFormat | (string & {})>();
    expectTypeOf(await notetaker.documents.get("doc_1", { format: "html" })).toEqualTypeOf<DocumentIn<"html">>();
    const format = "raw" as DocumentFormat;
    expectTypeOf((await notetaker.documents.get("doc_1", { format })).format).toEqualTypeOf<DocumentFormat>();
    // @ts-expect-error no such format
    notetaker.documents.get("doc_1", { format: "pdf" });
  });

  it("narrows the document that meetings.waitForDocument resolves to", async () => {
    const { meetings } = notetaker;
    const docx = await meetings.waitForDocument("mtg_1", "summary", { format: "docx", timeoutMs: 1_000 });
    expectTypeOf(docx).toEqualTypeOf<DocumentIn<"docx">>();
    expectTypeOf(await meetings.waitForDocument("mtg_1", /retro/)).toEqualTypeOf<Document>();
    expectTypeOf(await meetings.waitForDocument("mtg_1", "action_items", { pollMs: 5 })).toEqualTypeOf<Document>();
    // @ts-expect-error no such format
    meetings.waitForDocument("mtg_1", "summary", { format: "pdf" });
    // @ts-expect-error no such kind
    meetings.waitForDocument("mtg_1", "notes");
    // @ts-expect-error no such option
    meetings.waitForDocument("mtg_1", "summary", { deadlineMs: 5 });
  });
});

describe("call parameters", () => {
  it("may be readonly", () => {
    const ids = ["room_1", "room_2"] as const;
    const expand = ["meetings"] as const;
    notetaker.rooms.list({ ids, expand });
    notetaker.meetings.list({ ids: ["mtg_1"] as readonly string[], expand: ["documents"] as const });
    notetaker.webhooks.create({ url: "https://a.example", events: EVENT_KINDS });
    notetaker.webhooks.update("whk_1", { events: EVENT_KINDS });
  });

  it("may be undefined where they are optional", () => {
    const limit = undefined as number | undefined;
    notetaker.rooms.list({ limit, scope: undefined, ids: undefined, expand: undefined });
    notetaker.webhooks.update("whk_1", { url: undefined, enabled: true });
    notetaker.documents.get("doc_1", { format: undefined }, undefined);
  });

  it("cause a type error if they are unknown", () => {
    // @ts-expect-error
    notetaker.rooms.list({ page: 2 });
    // @ts-expect-error
    notetaker.rooms.list({ scope: "mine" });
    // @ts-expect-error
    notetaker.meetings.sendBot({ meeting_url: "", title: "" });
    // @ts-expect-error
    notetaker.meetings.sendBot({});
    // @ts-expect-error
    notetaker.settings.setNotetakerAutomation({ automation: "NEVER" });
    // @ts-expect-error
    notetaker.permissions.set("mtg_1", { role: "read" });
    // @ts-expect-error
    notetaker.webhooks.create({ url: "https://a.example", events: ["meeting.deleted"] });
    // @ts-expect-error
    notetaker.meetings.upload(new Blob(), { name: "x" });
    // @ts-expect-error a meeting list has its own parameters
    ({ ids: [], scope: "all", colour: "red" }) satisfies MeetingListParams;
  });

  it("may contain additional fields for a recipient, because the API specification documents only its type", () => {
    notetaker.permissions.set("mtg_1", { recipient: { type: "user", email: "ada@example.com" }, role: "edit" });
    // @ts-expect-error the type is required
    notetaker.permissions.set("mtg_1", { recipient: { email: "ada@example.com" }, role: "edit" });
  });
});

describe("client and call options", () => {
  it("cause a type error if they are unknown", () => {
    // @ts-expect-error
    notetaker.webhooks.list({ retries: 1 });
    // @ts-expect-error
    notetaker.webhooks.list({ timeout: 1 });
    // @ts-expect-error
    notetaker.webhooks.list({ onInvalid: "skip" });
    // @ts-expect-error
    notetaker.rooms.list({}, { onInvalid: "no" });
    // @ts-expect-error
    new Notetaker({ apiKey: "x" });
    // @ts-expect-error
    new Notetaker({ assumptions: { rooms: { id: "x" } } });
    // @ts-expect-error
    new Notetaker({ validation: "loose" });
    // @ts-expect-error
    notetaker.rooms.list().toArray();
    // @ts-expect-error
    notetaker.rooms.list().toArray({});
  });

  it("are all optional, and may be undefined", () => {
    expectTypeOf<Record<never, never>>().toExtend<RequestOptions>();
    expectTypeOf<Record<keyof RequestOptions, undefined>>().toExtend<RequestOptions>();
    expectTypeOf<keyof ListOptions>().toEqualTypeOf<keyof RequestOptions | "onInvalid">();
    new Notetaker();
    new Notetaker({ token: undefined, baseUrl: undefined, fetch: undefined, assumptions: undefined });
    new Notetaker({ token: () => "x" });
    new Notetaker({ token: async () => "x", fetch: globalThis.fetch, logger: console });
  });

  it("include the fetch of React Native, whose response type has no body", () => {
    type NativeInit = { body?: string | Blob | FormData; method?: string; headers?: HeadersInit; signal?: AbortSignal };
    const nativeFetch = null as unknown as (
      input: string | URL,
      init?: NativeInit & { redirect?: RequestRedirect },
    ) => Promise<Pick<Response, "status" | "ok" | "headers" | "text" | "json" | "blob">>;
    new Notetaker({ fetch: nativeFetch });
    expectTypeOf(nativeFetch).toExtend<NonNullable<SubscribeOptions["fetch"]>>();
  });

  it("include a logger that reads the fields of a log record or passes them on", () => {
    const records: Record<string, unknown>[] = [];
    const keep = (_level: string, _message: string, fields: Record<string, unknown>) => void records.push(fields);
    new Notetaker({ logger: keep });
    new Notetaker({
      logger(level, _message, fields) {
        expectTypeOf(level).toEqualTypeOf<"debug" | "info" | "warn" | "error">();
        expectTypeOf(fields.operation).toEqualTypeOf<string | undefined>();
        expectTypeOf(fields.durationMs).toEqualTypeOf<number | undefined>();
        expectTypeOf(fields.waitMs).toEqualTypeOf<unknown>();
      },
    });
  });
});

describe("pages", () => {
  it("are followed by pages of the same type", async () => {
    const page = await notetaker.permissions.list("mtg_1");
    expectTypeOf(page.share_url).toEqualTypeOf<string>();
    expectTypeOf(await page.nextPage()).toEqualTypeOf<typeof page>();
    expectTypeOf(page.next_cursor).toEqualTypeOf<string | null>();
    expectTypeOf(page.has_more).toEqualTypeOf<boolean>();
    for await (const one of notetaker.permissions.list("mtg_1").pages())
      expectTypeOf(one).toEqualTypeOf<PermissionPage>();
    for await (const one of notetaker.permissions.list("mtg_1")) expectTypeOf(one).toEqualTypeOf<Permission>();
    expectTypeOf<PermissionPage>().toExtend<Page<Permission>>();
    expectTypeOf(await notetaker.permissions.list("mtg_1").toArray({ max: 1 })).toEqualTypeOf<Permission[]>();
    const plain = page.toJSON();
    expectTypeOf(plain.share_url).toEqualTypeOf<string>();
    expectTypeOf(plain.data).toEqualTypeOf<Permission[]>();
    // @ts-expect-error plain data has no methods
    void plain.nextPage;
  });
});

describe("a fake", () => {
  it("has the shape of the client", () => {
    expectTypeOf<Notetaker>().toExtend<NotetakerLike>();
    const rooms: Pick<NotetakerLike["rooms"], "list"> = { list: () => fakePage([] as Room[]) };
    const meetings: Pick<NotetakerLike["meetings"], "getTranscript"> = {
      getTranscript: async () => ({ meeting_id: "mtg_1", language: "en", speakers: [], segments: [] }),
    };
    void [rooms, meetings];
    expectTypeOf(fakePage([1, 2])).toExtend<PagePromise<number>>();
    // @ts-expect-error no such method
    void (null as unknown as NotetakerLike).rooms.remove;
  });
});

describe("request()", () => {
  it("resolves to the output of its schema, and to unknown if there is no schema", async () => {
    const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
    expectTypeOf(await notetaker.request("GET", "/x", { schema })).toEqualTypeOf<{ at: Date }>();
    expectTypeOf(await notetaker.request("GET", "/x", { schema: mini.object({ a: mini.number() }) })).toEqualTypeOf<{
      a: number;
    }>();
    const byHand = {
      "~standard": { version: 1, vendor: "x", validate: (_: unknown) => ({ value: new Date() }) },
    } as const;
    expectTypeOf(await notetaker.request("GET", "/x", { schema: byHand })).toEqualTypeOf<Date>();
    // @ts-expect-error not a schema
    notetaker.request("GET", "/x", { schema: { parse: () => 1 } });
    expectTypeOf(await notetaker.request("GET", "/x")).toBeUnknown();
    expectTypeOf(await notetaker.request("POST", "/x", { body: { a: 1 }, timeoutMs: 5 })).toBeUnknown();
    // @ts-expect-error no such method
    notetaker.request("HEAD", "/x");
    // @ts-expect-error
    notetaker.request("GET", "/x", { retries: 1 });
  });
});
