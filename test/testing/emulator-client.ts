/** Sends requests to an emulator in memory, as a program would with plain `fetch`. */
import { createEmulator, type Emulator, type EmulatorOptions } from "notetaker-sdk/testing";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the body itself
  body: any;
}

export interface EmulatorClient {
  service: Emulator;
  /** The request body: JSON, or an upload of WAV if it is a `Uint8Array`. */
  ask(method: string, path: string, body?: unknown, init?: RequestInit): Promise<Answer>;
}

export function emulatorClient(options: EmulatorOptions = {}): EmulatorClient {
  const service = createEmulator(options);
  return { service, ask: clientOf(service) };
}

export const clientOf =
  (service: Emulator): EmulatorClient["ask"] =>
  async (method, path, body, init = {}) => {
    const file = body instanceof Uint8Array;
    const response = await service.fetch(service.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${service.token}`, "content-type": file ? "audio/wav" : "application/json" },
      ...(body === undefined ? {} : { body: file ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      ...init,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };

/** Sends a bot, and returns the id of its meeting. */
export async function sendBot(
  ask: EmulatorClient["ask"],
  meeting_url = "https://zoom.us/j/1234567890",
): Promise<string> {
  const { status, body } = await ask("POST", "/meetings/bot", { meeting_url });
  if (status !== 202) throw new Error(`send bot: ${status} ${JSON.stringify(body)}`);
  return body.meeting_id;
}

/** The meeting in the list; `undefined` if the list does not contain it. */
export async function listed(ask: EmulatorClient["ask"], meetingId: string) {
  return (await ask("GET", `/meetings?id=${meetingId}`)).body.data[0];
}
