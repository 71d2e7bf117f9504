/** The servers that the programs call: the emulator over HTTP, and a server that redirects every request. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";

export interface ProgramInput {
  baseUrl: string;
  token: string;
  /** A server that redirects each request. No request may follow the redirect. */
  redirectingUrl: string;
  meetingId: string;
}

export interface Service extends ProgramInput {
  /** How many requests have followed a redirect. */
  astray(): number;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen({ cors: "*" });
  const client = new Notetaker({ baseUrl: url, token: emulator.token });
  const meetings = await client.meetings.list({ status: "completed" }).toArray({ max: 1 });
  const [meeting] = meetings;
  if (meeting === undefined) throw new Error("the emulator has no completed meeting");
  emulator.faults.next("GET /meetings/:id/recording", { status: 429, retryAfterSeconds: 0 });
  const redirecting = await startRedirecting();
  return {
    baseUrl: url,
    token: emulator.token,
    redirectingUrl: redirecting.url,
    meetingId: meeting.id,
    astray: redirecting.astray,
    async close() {
      redirecting.close();
      await close();
    },
  };
}

async function startRedirecting() {
  let astray = 0;
  const server = createServer((request, response) => {
    const headers = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*, authorization",
      "access-control-allow-methods": "*",
    };
    if (request.method === "OPTIONS") response.writeHead(204, headers).end();
    else if (request.url === "/astray") {
      astray += 1;
      response.writeHead(200, { ...headers, "content-type": "application/json" }).end('{"data":[],"has_more":false}');
    } else response.writeHead(302, { ...headers, location: "/astray" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    astray: () => astray,
    close: () => server.close(),
  };
}
