import { setupServer } from "msw/node";
import { type Meeting, Notetaker, type PagePromise } from "notetaker-sdk";
import { aMeeting, aTranscript, createEmulator, fakePage, type MeetingSeed, type Seed } from "notetaker-sdk/testing";
import { turns } from "notetaker-sdk/transcript";
import { describe, expectTypeOf, it } from "vitest";

const service = createEmulator();

describe("the types of the emulator", () => {
  it("match the client and msw without a cast", () => {
    new Notetaker(service.clientOptions);
    new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch, maxRetries: 0 });
    expectTypeOf(setupServer(...service.handlers())).toHaveProperty("listen");
  });

  it("allow the emulator's fetch as the global fetch, and the reverse", () => {
    expectTypeOf(service.fetch).toBeCallableWith("https://api.notetaker.test/v1/rooms", { method: "GET" });
    expectTypeOf(service.fetch).toExtend<typeof globalThis.fetch>();
  });

  it("accept exactly the known kinds of fault", () => {
    service.faults.next("GET /rooms", "drop");
    service.faults.next("GET /rooms", { kind: "drop", times: 2 });
    service.faults.next("GET /rooms", { status: 503, retryAfterSeconds: 7 });
    // @ts-expect-error no such kind
    service.faults.next("GET /rooms", "explode");
    // @ts-expect-error no such field
    service.faults.next("GET /rooms", { status: 503, retryAfter: 7 });
  });

  it("check a literal seed, and accept a seed from a file", () => {
    const file: { rooms: { title: string; meetings: { transcript: { lines: string[] } }[] }[] } = { rooms: [] };
    expectTypeOf(file).toExtend<Seed>();
    // @ts-expect-error no such status
    aMeeting({ status: "done" });
    // @ts-expect-error no such option
    createEmulator({ tokn: "x" });
    // @ts-expect-error options are an object
    createEmulator("x");
    // @ts-expect-error the port is an option
    service.listen(4010);
  });

  it("of built parts are those of the service, and of a seed", () => {
    const meeting: Meeting = aMeeting();
    const seed: MeetingSeed = aMeeting({ title: "Weekly" });
    const page: PagePromise<Meeting> = fakePage([meeting, aMeeting({ id: "mtg_2" })]);
    expectTypeOf(turns(aTranscript())).toBeArray();
    createEmulator({ seed: { meetings: [seed, aMeeting()] } });
    void page;
  });

  it("are read-only for the emulator's records", () => {
    // @ts-expect-error a meeting is changed by controls, not by assignment
    service.meetings.list()[0]!.status = "completed";
    service.account.calendarConnected = false;
  });
});
