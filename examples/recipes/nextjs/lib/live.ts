/** The receiver of the webhooks, and the relay to the pages. */
import { EVENT_KINDS } from "notetaker-sdk";
import {
  createReceiver,
  createRelay,
  type Receiver,
  type Relay,
} from "notetaker-sdk/webhooks";
import { userOfCookie } from "./session";
import { tenantWith } from "./tenants";

interface Live {
  relay: Relay<Reader>;
  receiver: Receiver<string>;
}

/** Whose pages hear an event, and whose stream `logout` ends. */
interface Reader {
  audience: string;
  email: string;
}

/**
 * One for the process: `next dev` loads this module anew after an edit, and a new
 * relay would leave open pages without events. So an edit of `start` counts
 * after a restart. Several processes share a log: `redisEventLog`.
 */
const shared = globalThis as typeof globalThis & { live?: Live };

export function live(): Live {
  shared.live ??= start();
  return shared.live;
}

function start(): Live {
  // A page hears its own tenant. It is asked again each minute: a session ends.
  const relay = createRelay({
    authorize(request) {
      const cookies = request.headers.get("cookie") ?? "";
      const [, session] = /(?:^|; )session=([^;]*)/.exec(cookies) ?? [];
      const user = userOfCookie(decodeURIComponent(session ?? ""));
      return user && { audience: user.tenant.id, email: user.email };
    },
    reauthorizeMs: 60_000,
  });
  const receiver = createReceiver<string>({
    secrets: (_, id) => tenantWith(id)?.webhookSecret ?? [],
  });
  for (const kind of EVENT_KINDS)
    receiver.on(kind, (event, { context: audience }) =>
      relay.publish(event, { audience }),
    );
  // An open stream would keep `next start` running.
  process.once("SIGTERM", () => relay.close());
  return { relay, receiver };
}
