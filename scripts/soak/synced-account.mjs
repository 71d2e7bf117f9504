/** A process that follows an account into a store: it can be killed and started again. */
import { syncMeetings } from "notetaker-sdk";
import { createReceiver } from "notetaker-sdk/webhooks";
import { clientOf, MINUTE, SECRET } from "./simulated-account.mjs";

/**
 * A store in a database, as one process has it. Its work needs no time. Nobody waits for its lock, whose time is that of
 * the database.
 */
function storeWithoutLock(store, time) {
  const methods = ["readState", "readMemory", "due", "ids", "write"];
  return Object.fromEntries(methods.map((name) => [name, time.timeless((...args) => store[name](...args))]));
}

/** `service`, `time` and `random` belong to the whole test. Of the requests, the share `failureRate` fails. */
export function syncedAccount({ service, time, random }, into, { failureRate = 0, pollMs = MINUTE } = {}) {
  const self = { error: undefined, onChange: () => {}, requests: 0, others: 0, changes: 0, lastChange: 0 };
  const fetch = async (...request) => {
    const fails = random() < failureRate;
    self.requests += 1;
    self.others += new URL(String(request[0]?.url ?? request[0])).pathname.endsWith("/meetings") ? 0 : 1;
    if (fails && random() < 0.5) return new Response(null, { status: 503 });
    // After a response that is lost, the request may have had its effect.
    const response = await service.fetch(...request);
    if (fails) throw new TypeError("fetch failed");
    return response;
  };
  let life;
  let receiver;
  // The signature is verified in another thread.
  const deliver = time.timeless(async (request) => receiver?.handle(request) ?? new Response(null, { status: 503 }));
  service.webhooks.deliverTo(deliver);

  self.kill = () => {
    life?.kill();
    life = undefined;
    receiver = undefined;
  };
  self.start = () => {
    self.kill();
    receiver = createReceiver({ secrets: SECRET });
    life = time.runProgram(() => {
      const store = into.open();
      syncMeetings(clientOf(service, time.timeless(fetch)), {
        into: into.isDatabase ? storeWithoutLock(store, time) : store,
        ...{ follow: true, pollMs, wake: receiver.events() },
        onChange(change) {
          self.changes += 1;
          self.onChange(change);
        },
      }).catch((error) => {
        self.error = error;
      });
    });
  };
  return self;
}
