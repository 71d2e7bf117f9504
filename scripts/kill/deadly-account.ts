/** An account in an emulator, and programs that read it and are killed at a random moment. */
import { createEmulator } from "notetaker-sdk/testing";
import { meetings } from "../../test/node/support/account.js";
import type { RunningProgram } from "./program.js";

const MEETINGS = 30;
/** A program is killed after at most this many of its requests, and then at most this many milliseconds. */
const MAX_REQUESTS = 50;
const MAX_MS = 12;

export async function deadlyAccount() {
  let left = Number.POSITIVE_INFINITY;
  let onLast = () => {};
  const onRequest = () => {
    left -= 1;
    if (left === 0) onLast();
  };
  const service = createEmulator({ seed: { meetings: meetings(MEETINGS) }, limits: "none", onRequest });
  const { url, close } = await service.listen({ port: 0 });
  return {
    env: { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token },
    close,
    /** Kills the program, which has just begun, soon after one of its first requests. */
    killSoon(child: RunningProgram): void {
      left = 1 + Math.floor(Math.random() * MAX_REQUESTS);
      onLast = () => void setTimeout(() => child.kill(), Math.random() * MAX_MS);
    },
    /** Lets the program run. */
    spare(): void {
      left = Number.POSITIVE_INFINITY;
    },
  };
}
