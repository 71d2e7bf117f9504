/** Sends requests to an emulator in memory, as a program would with plain `fetch`. */
import { createEmulator, type Emulator, EmulatorError, type EmulatorOptions } from "notetaker-sdk/testing";
import { expect } from "vitest";

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
  read(path: string): Promise<Answer["body"]>;
}

export const emulatorClient = (options: EmulatorOptions = {}): EmulatorClient => clientOf(createEmulator(options));

export function clientOf(service: Emulator): EmulatorClient {
  const ask: EmulatorClient["ask"] = async (method, path, body, init = {}) => {
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
  return { service, ask, read: async (path) => (await ask("GET", path)).body };
}

export async function sendBot(
  { ask }: Pick<EmulatorClient, "ask">,
  meeting_url = "https://zoom.us/j/1234567890",
): Promise<string> {
  const { status, body } = await ask("POST", "/meetings/bot", { meeting_url });
  if (status !== 202) throw new Error(`send bot: ${status} ${JSON.stringify(body)}`);
  return body.meeting_id;
}

/** The meeting in the list, with its documents; `undefined` if the list does not contain it. */
export const listed = async ({ read }: Pick<EmulatorClient, "read">, meetingId: string) =>
  (await read(`/meetings?id=${meetingId}&expand=documents`)).data[0];

/** The mistakes that `createEmulator` finds in options that TypeScript has not checked. */
export function mistakesOf(options: unknown): EmulatorError["mistakes"] {
  try {
    createEmulator(options as object);
  } catch (error) {
    expect(error).toBeInstanceOf(EmulatorError);
    expect((error as EmulatorError).message).toMatch(/^createEmulator: /);
    return (error as EmulatorError).mistakes;
  }
  return [];
}
