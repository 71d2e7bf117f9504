/** docs/observability.md: what OpenTelemetry's SDK for Node sends to a collector. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { runProgram } from "../../test/support/run-program.js";
import { httpServer } from "../../test/support/servers.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { runFolder } from "./support/run-folder.js";

const USE = `
await notetaker.rooms.list();
await receiver.handle(new Request("https://app.example.com/hooks", { method: "POST", body: "{}" }));
await sdk.shutdown();
`;

test("the collector gets the spans of a call, and the metrics of calls and deliveries", async () => {
  const received: Record<string, string> = {};
  const collector = await httpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received[request.url ?? ""] += Buffer.concat(chunks).toString("latin1");
    response.end();
  });
  const { env } = await emulatedAccount();
  const folder = runFolder();
  const { code = "" } = codeBlocks().find(({ flag }) => flag === "telemetry") ?? {};
  writeFileSync(join(folder, "program.ts"), `${code}${USE}`);
  const telemetry = { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_METRICS_EXPORTER: "otlp" };
  const { exitCode, output } = await runProgram("program.ts", [], { ...env, ...telemetry }, folder);
  expect(exitCode, output).toBe(0);
  expect(received["/v1/traces"]).toMatch(/meetings[\s\S]*rooms\.list/);
  expect(received["/v1/metrics"]).toContain("http.client.request.duration");
  expect(received["/v1/metrics"]).toContain("notetaker.webhook.delivery.duration");
});
