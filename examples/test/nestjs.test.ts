/** The NestJS application, compiled as Nest's own build compiles it, and served. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attempts, deliverOverHttp, emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";
import { typeErrors } from "./support/type-check.js";

/** The recipe, and the line that the guide changes for Fastify. */
function folderFor(adapter: string): string {
  const folder = recipeFolder("nestjs");
  if (adapter === "Express") return folder;
  const main = join(folder, "main.ts");
  const changed = readFileSync(main, "utf8").replace(
    "create(AppModule, {",
    "create(AppModule, new FastifyAdapter(), {",
  );
  expect(changed).toContain("new FastifyAdapter()");
  writeFileSync(main, `import { FastifyAdapter } from "@nestjs/platform-fastify";\n${changed}`);
  return folder;
}

test.each(["Express", "Fastify"])(
  "the NestJS application on %s receives webhooks with its body parser, and logs through Nest's logger",
  async (adapter) => {
    const { service, env } = await emulatedAccount();
    const folder = folderFor(adapter);
    expect(await typeErrors(folder)).toBe("");
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
    // Anybody's POST must not end the process.
    const strange = await fetch(`${url}/hooks/notetaker`, { method: "POST", body: "{}" });
    expect(strange.status).toBeGreaterThanOrEqual(400);
    expect(await stop()).not.toBe(1);
  },
);
