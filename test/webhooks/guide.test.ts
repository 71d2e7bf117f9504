/** The shell recipe of docs/webhooks.md works. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { toNodeListener } from "../../src/webhooks/http/node-listener.js";
import { createReceiver } from "../../src/webhooks/receive/receiver.js";
import { codeBlocks } from "../support/code-blocks.js";
import { httpServer } from "../support/servers.js";
import { SECRET } from "./signed-delivery.js";

const blocks = codeBlocks().filter(({ at }) => at.startsWith("docs/webhooks.md"));

const hasTools = existsSync("/bin/sh") && spawnSync("sh", ["-c", "command -v openssl curl sed"]).status === 0;

it.runIf(hasTools)("the receiver accepts a delivery that was created by the openssl recipe", async () => {
  const meetings: unknown[] = [];
  const receiver = createReceiver({ secrets: SECRET });
  receiver.on("meeting.transcript_ready", ({ meetingId }) => void meetings.push(meetingId));
  const url = await httpServer(toNodeListener(receiver.handle));
  const recipe = blocks.find(({ flag }) => flag === "openssl")!.code;
  expect(recipe).toContain("http://localhost:3000/");

  const shell = spawn("sh", ["-c", recipe.replace("http://localhost:3000", url)], {
    env: { ...process.env, NOTETAKER_WEBHOOK_SECRET: SECRET },
  });
  let output = "";
  for await (const chunk of shell.stdout) output += chunk;
  expect(output).toMatch(/^HTTP\/1.1 200/);
  expect(meetings).toEqual(["mtg_1"]);
});
