/** The receiver of the webhook, and the relay to the pages. */

import { EVENT_KINDS } from "notetaker-sdk";
import {
  createReceiver,
  createRelay,
  type Receiver,
  type Relay,
} from "notetaker-sdk/webhooks";

interface Live {
  relay: Relay;
  receiver: Receiver;
}

/**
 * One for the process: `next dev` loads this module anew after an edit, and a new
 * relay would leave open pages without events. So an edit of `start` counts
 * after a restart.
 */
const shared = globalThis as typeof globalThis & { live?: Live };

export function live(): Live {
  shared.live ??= start();
  return shared.live;
}

function start(): Live {
  // With a login, return the user's id here, and publish to this audience.
  const relay = createRelay({ authorize: () => true });
  const receiver = createReceiver({
    secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
  });
  for (const kind of EVENT_KINDS)
    receiver.on(kind, (event) => relay.publish(event));
  // An open stream would keep `next start` running.
  process.once("SIGTERM", () => relay.close());
  return { relay, receiver };
}
