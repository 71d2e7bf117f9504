/** `npx notetaker-sdk trigger` and `capture`, from the packed tarball in an empty folder. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpServer } from "../support/servers.js";
import { ended, installed, started } from "./emulator-process.js";

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

describe("notetaker-sdk capture", () => {
  const file = (name: string) => join(installed, name);
  const capture = (url: string, token: string, ...args: string[]) =>
    ended(["capture", ...args], { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: token });

  test("writes a seed file that the emulator can serve, and prints no content of the account", async () => {
    const { url, token } = await started("--limits", "none");
    const { status, output } = await capture(url, token, "--out", file("captured.json"));
    expect(output).toBe(`captured 5 rooms, 11 meetings in ${file("captured.json")}\n`);
    expect(status).toBe(0);
    const content = readFileSync(file("captured.json"), "utf8");
    expect(content).not.toMatch(/Okafor|Product|Northwind/);
    expect(statSync(file("captured.json")).mode & 0o777).toBe(0o600);
    const again = await started("--seed", file("captured.json"));
    const rooms = await fetch(`${again.url}/rooms`, { headers: again.headers });
    expect(((await rooms.json()) as { data: [] }).data).toHaveLength(5);
  });

  test("replaces a file only with --force, and warns that --keep-content writes private content", async () => {
    const { url, token } = await started("--limits", "none");
    writeFileSync(file("existing.json"), "old");
    const refused = await capture(url, token, "--out", file("existing.json"));
    expect(refused).toMatchObject({ status: 2, output: expect.stringContaining("--force replaces it") });
    expect(readFileSync(file("existing.json"), "utf8")).toBe("old");
    const args = ["--out", file("existing.json"), "--force", "--rooms", "1", "--keep-content"];
    const { output } = await capture(url, token, ...args);
    expect(output).toMatch(/^captured 1 rooms, 3 meetings in .*\nthe file contains private content/);
    expect(readFileSync(file("existing.json"), "utf8")).toContain("Okafor");
  });

  test("leaves no file if the service fails, and prints no content of the account", async () => {
    const { url, token, headers } = await started("--limits", "none", "--control");
    await fetch(new URL("/_emulator/faults", url), {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ route: "GET /meetings/:id/transcript", fault: { status: 500, times: 100 } }),
    });
    const { status, output } = await capture(url, token, "--out", file("failed.json"));
    expect(output).toBe(
      "notetaker-sdk capture: ServerError, status 500, internal_error, GET /meetings/…/transcript; no file was written\n",
    );
    expect(status).toBe(1);
    expect(readdirSync(installed).filter((name) => name.startsWith("failed"))).toEqual([]);
  });
});
