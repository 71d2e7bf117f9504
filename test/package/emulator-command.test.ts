/** `npx -p notetaker-sdk notetaker-emulator`, from the packed tarball in an empty folder. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";

const installed = inject("installed");
const command = join(installed, "node_modules/.bin/notetaker-emulator");

/** Starts the command, and waits until its output matches `pattern`. */
async function started(args: string[], pattern = /token: +(\S+)/) {
  const child = spawn(command, args, { cwd: installed, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  const exited = once(child, "exit");
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const printed = async (wanted: RegExp) => {
    while (!wanted.test(output)) {
      const ended = await Promise.race([once(child.stdout, "data"), exited.then(() => "ended")]);
      if (ended === "ended") throw new Error(`ended before ${wanted}: ${output}`);
    }
    return output;
  };
  await printed(pattern);
  const url = /address: +(\S+)/.exec(output)![1]!;
  const token = /token: +(\S+)/.exec(output)![1]!;
  return { child, exited, url, token, printed };
}

describe("notetaker-emulator", () => {
  test("prints its URL and token, responds, and logs one line per request", async () => {
    const { url, token, printed } = await started(["--port", "0"]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    const rooms = await fetch(`${url}/rooms?limit=1`, { headers: { authorization: `Bearer ${token}` } });
    expect((await rooms.json()) as object).toMatchObject({ data: [{ title: "Product" }], has_more: true });
    expect((await fetch(`${url}/rooms`)).status).toBe(401);
    const output = await printed(/ 401/);
    expect(output.split("\n").slice(2)).toEqual(["GET /v1/rooms?limit=1 200", "GET /v1/rooms 401", ""]);
    expect(output.split("\n").slice(2).join()).not.toContain(token);
  });

  test("uses the given token and seed file", async () => {
    writeFileSync(join(installed, "seed.json"), JSON.stringify({ rooms: [{ id: "room_mine", title: "Mine" }] }));
    const { url, token } = await started(["--port", "0", "--token", "my-token", "--seed", "seed.json"]);
    expect(token).toBe("my-token");
    const rooms = await fetch(`${url}/rooms`, { headers: { authorization: "Bearer my-token" } });
    expect((await rooms.json()) as object).toMatchObject({ data: [{ id: "room_mine", title: "Mine" }] });
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "stops with exit code 0 on %s, even while a connection is open",
    async (signal) => {
      const { child, exited, url } = await started(["--port", "0"]);
      await fetch(`${url}/rooms`);
      child.kill(signal);
      expect(await exited).toEqual([0, null]);
      await expect(fetch(`${url}/rooms`)).rejects.toThrow();
    },
  );

  test("reports a wrong option in one line, without a stack trace", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    writeFileSync(join(installed, "wrong.json"), JSON.stringify({ rooms: [{ title: "A", meetings: ["mtg_1"] }] }));
    const cases: [args: string[], status: number, message: RegExp][] = [
      [["--prot", "1"], 2, /Unknown option '--prot'/],
      [["--port", "seven"], 2, /--port: expected a number from 0 to 65535, received seven/],
      [["--seed", "nowhere.json"], 2, /--seed: nowhere\.json could not be read/],
      [["--seed", "wrong.json"], 1, /rooms\[0\]\.meetings\[0\]: this seed has no meeting mtg_1/],
      [["--port", String(port)], 1, /EADDRINUSE/],
    ];
    for (const [args, status, message] of cases) {
      const ended = spawnSync(command, args, { cwd: installed, encoding: "utf8" });
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr).not.toMatch(/^\s+at /m);
      expect(ended.status, args.join(" ")).toBe(status);
    }
  });

  test("prints its options with --help", () => {
    const help = execFileSync(command, ["--help"], { encoding: "utf8" });
    for (const option of [
      "--port",
      "--host",
      "--allow-host",
      "--token",
      "--seed",
      "--speed",
      "--limits",
      "--cors",
      "--control",
    ])
      expect(help).toContain(option);
  });
});
