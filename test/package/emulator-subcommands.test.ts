/** `npx notetaker-sdk trigger`, from the packed tarball in an empty folder. */
import { describe, expect, test } from "vitest";
import { httpServer } from "../support/servers.js";
import { ended } from "./emulator-process.js";

describe("notetaker-sdk trigger", () => {
  const endpoint = async (...statuses: number[]) => {
    let count = 0;
    const url = await httpServer((request, response) => {
      request.resume();
      request.once("end", () => response.writeHead(statuses[count++] ?? 200).end());
    });
    return `${url}/hooks`;
  };
  const trigger = (...args: string[]) => ended(["trigger", ...args], { NOTETAKER_WEBHOOK_SECRET: "whsec_1" });

  test("sends an event, retries it, and prints the status and the time", async () => {
    const { status, output } = await trigger(
      "meeting.transcript_ready",
      "--to",
      await endpoint(503, 200),
      "--id",
      "mtg_1",
    );
    expect(output).toMatch(
      /^status 503 after \d+ ms; next attempt in 1 s\nstatus 200 after \d+ ms\naccepted after 2 attempts\n$/,
    );
    expect(status).toBe(0);
  });

  test("exits with 1 if the event is not accepted", async () => {
    const { status, output } = await trigger("meeting.initial_summary_ready", "--to", await endpoint(401));
    expect(output).toMatch(/^status 401 after \d+ ms\nnot accepted after 1 attempt\n$/);
    expect(status).toBe(1);
  });

  test("sends to another host only with --allow", async () => {
    const { status, output } = await trigger("meeting.transcript_ready", "--to", "https://example.com/hooks");
    expect(output).toContain("example.com is not this machine");
    expect(status).toBe(1);
    expect(output).not.toContain("whsec_1");
  });
});
