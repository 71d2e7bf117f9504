/** The Lambda function, called with events of the same form as API Gateway's. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aMeeting } from "notetaker-sdk/testing";
import { sign } from "notetaker-sdk/webhooks";
import { expect, test } from "vitest";
import { runProgram } from "../../test/support/run-program.js";
import { emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";

/** Behaves like the runtime of Lambda: one instance gets one event after the other. */
const RUNTIME = `
  import { handler } from "./handler.ts";
  const results = [];
  for (const event of JSON.parse(process.argv[2])) results.push(await handler(event));
  console.log("results " + JSON.stringify(results));
`;

const gatewayEvent = (method: string, body: string | undefined, signature: string, isBase64Encoded = false) => ({
  version: "2.0",
  rawPath: "/hooks/notetaker",
  rawQueryString: "",
  headers: { "content-type": "application/json", "x-webhook-signature": signature, "x-absent": undefined },
  requestContext: { domainName: "abc123.execute-api.eu-west-1.amazonaws.com", http: { method } },
  ...(body === undefined ? {} : { body }),
  isBase64Encoded,
});

/** The same as an event of payload format 1.0. */
const firstFormat = ({ rawPath, requestContext, headers, body, isBase64Encoded }: ReturnType<typeof gatewayEvent>) => ({
  version: "1.0",
  path: rawPath,
  httpMethod: requestContext.http.method,
  headers,
  multiValueHeaders: {},
  requestContext: { domainName: requestContext.domainName, httpMethod: requestContext.http.method },
  body: body ?? null,
  isBase64Encoded,
});

test("the Lambda function verifies text and base64 bodies of both payload formats, and handles each event once", async () => {
  const { service, env } = await emulatedAccount();
  const secret = env.NOTETAKER_WEBHOOK_SECRET ?? "";
  const body = (id: string) => JSON.stringify({ event: "meeting.transcript_ready", id, title: "Größe 🎙" });
  const asText = body(meetingId(service, "Sales call: Contoso"));
  const encoded = body(meetingId(service, "Quarterly planning"));
  const inFirstFormat = body(meetingId(service, "Release retrospective"));
  const events = [
    gatewayEvent("POST", asText, await sign(asText, secret)),
    gatewayEvent("POST", Buffer.from(encoded).toString("base64"), await sign(encoded, secret), true),
    gatewayEvent("POST", asText, await sign(asText, secret)),
    gatewayEvent("POST", `${asText} `, await sign(asText, secret)),
    gatewayEvent("GET", undefined, ""),
    gatewayEvent("POST", undefined, ""),
    firstFormat(gatewayEvent("POST", inFirstFormat, await sign(inFirstFormat, secret))),
    { ...firstFormat(gatewayEvent("GET", undefined, "")), headers: null },
  ];
  const folder = recipeFolder("aws-lambda");
  writeFileSync(join(folder, "runtime.ts"), RUNTIME);
  const { output, exitCode } = await runProgram("runtime.ts", [JSON.stringify(events)], env, folder);

  expect(exitCode, output).toBe(0);
  const results: { statusCode: number }[] = JSON.parse(/^results (.*)$/m.exec(output)?.[1] ?? "null");
  expect(results.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 401, 405, 401, 200, 405]);
  const handled = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  expect(handled.map(({ meetingId }) => meetingId)).toEqual(
    [asText, encoded, inFirstFormat].map((text) => JSON.parse(text).id),
  );
  for (const { segments } of handled) expect(segments).toBeGreaterThan(3);
});

/** The runtime starts the function of the schedule; the second time there is only a moment left. */
const SCHEDULE = `
  import { handler } from "./scheduled.ts";
  for (const ms of [900_000, 10_000, 900_000]) await handler({}, { getRemainingTimeInMillis: () => ms });
`;

test("the Lambda function of the schedule stores each meeting, and continues in the next run", async () => {
  // So few that the run does not wait for its pace.
  const meetings = ["mtg_1", "mtg_2"].map((id) => aMeeting({ id, documents: [] }));
  const { service, env } = await emulatedAccount({ seed: { meetings }, now: () => Date.now() });
  const folder = recipeFolder("aws-lambda");
  writeFileSync(join(folder, "schedule.ts"), SCHEDULE);
  const MEETINGS_FOLDER = join(folder, "meetings");
  const { output, exitCode } = await runProgram("schedule.ts", [], { ...env, MEETINGS_FOLDER }, folder);
  expect(exitCode, output).toBe(0);
  const index: { meeting_id: string }[] = JSON.parse(readFileSync(join(MEETINGS_FOLDER, "index.json"), "utf8"));
  expect(new Set(index.map(({ meeting_id }) => meeting_id))).toEqual(new Set(["mtg_1", "mtg_2"]));
  expect(service.requests.filter(({ path }) => path.endsWith("/transcript"))).toHaveLength(2);
});
