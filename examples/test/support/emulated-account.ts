/** An account of the emulator over HTTP, and the environment variables by which a recipe finds it. */
import { createEmulator, type Emulator, type EmulatorOptions } from "notetaker-sdk/testing";
import { onTestFinished } from "vitest";

export interface EmulatedAccount {
  service: Emulator;
  /** The base URL, the token and the secret of the first webhook. */
  env: Record<string, string>;
}

export async function emulatedAccount(options: EmulatorOptions = {}): Promise<EmulatedAccount> {
  const service = createEmulator({ limits: "none", ...options });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  const [webhook] = service.webhooks.list();
  return {
    service,
    env: {
      NOTETAKER_BASE_URL: url,
      NOTETAKER_TOKEN: service.token,
      NOTETAKER_WEBHOOK_SECRET: webhook?.secret ?? "",
    },
  };
}

/** Delivers over HTTP to a URL of this machine, instead of the URL of the webhook. */
export function deliverOverHttp(service: Emulator, url: string): void {
  service.webhooks.deliverTo(async ({ headers, body }) =>
    fetch(url, { method: "POST", headers, body: await new Response(body).arrayBuffer() }),
  );
}

/** The id of the meeting with this title. */
export function meetingId(service: Emulator, title: string): string {
  const meeting = service.meetings.list().find((meeting) => meeting.title === title);
  if (meeting === undefined) throw new Error(`there is no meeting ${title}`);
  return meeting.id;
}

/** The status of each attempt of the newest delivery. */
export const attempts = (service: Emulator) =>
  service.webhooks.deliveries.at(-1)?.attempts.map(({ status, error }) => status ?? error);
