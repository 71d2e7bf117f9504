/** The NestJS application, compiled as Nest's own build compiles it, and served. */
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";
import { attempts, deliverOverHttp, emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/recipe-folder.js";
import { startProgram } from "./support/start-program.js";

const NEST = ["@nestjs/common", "@nestjs/core", "@nestjs/platform-express", "reflect-metadata", "rxjs", "@types/node"];

test("the NestJS application receives webhooks with its body parser, and logs through Nest's logger", async () => {
  const { service, env } = await emulatedAccount();
  const folder = recipeFolder("nestjs", NEST);
  const compiler = join(root, "node_modules/typescript7/bin/tsc");
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
  symlinkSync(join(folder, "package.json"), join(folder, "dist/package.json"));

  const { url, printed, output, stop } = await startProgram(folder, "dist/main.js", env);
  deliverOverHttp(service, `${url}/hooks/notetaker`);
  const id = meetingId(service, "Quarterly planning");
  service.webhooks.next({ duplicate: true });
  await service.webhooks.send("meeting.transcript_ready", id);

  expect(attempts(service)).toEqual([200]);
  await printed(new RegExp(`LOG \\[WebhookController\\] ${id}: \\d+ segments`));
  expect(output().match(/segments/g)).toHaveLength(1);
  // The log record of the client, with its fields.
  await printed(/DEBUG \[Notetaker\] .*meetings\.getTranscript/s);
  await printed(/durationMs/);
  expect(output()).not.toContain(service.token);

  service.webhooks.next({ corrupt: "body" });
  await service.webhooks.send("meeting.transcript_ready", id);
  expect(attempts(service)).toEqual([401]);
  expect(await stop()).not.toBe(1);
});
