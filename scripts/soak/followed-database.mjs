/** The program of docs/database.md, with a database in memory: it can be killed and started again. */
import { walkMeetings } from "notetaker-sdk";
import { createReceiver } from "notetaker-sdk/webhooks";
import { clientOf, DAY, MINUTE, SECRET } from "./followed-account.mjs";

/** Whether the database has all of a meeting: it is complete, of no recent day, and the list has nothing new of it. */
function isDone(row, { title = null, documents }) {
  if (!row?.complete || row.title !== title || row.listed !== (documents?.length ?? 0)) return false;
  return row.start_time < new Date(Date.now() - 4 * DAY).toISOString().slice(0, 10);
}

/** The row of a meeting after an item. What the item misses stays as it was. */
function rowOf({ meeting, transcript, documents, missing }, before) {
  const texts = documents.map(({ id, title, content }) => [id, { title, content }]);
  return {
    status: meeting.status,
    title: meeting.title ?? null,
    start_time: meeting.start_time,
    listed: meeting.documents?.length ?? 0,
    transcript: transcript ? JSON.stringify(transcript) : (before?.transcript ?? null),
    complete: !missing.some(({ retryable }) => retryable),
    documents: Object.fromEntries([...(missing.length === 0 ? [] : Object.entries(before?.documents ?? {})), ...texts]),
  };
}

/** `service`, `time` and `random` belong to the whole test. Of the requests, the share `failureRate` fails. */
export function database({ service, time, random }, { failureRate = 0, pollMs = MINUTE } = {}) {
  const self = { rows: new Map(), unchanged: 0, items: 0, checkpoint: undefined, error: undefined };
  Object.assign(self, { onItem: () => {}, requests: 0, others: 0 });
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

  function store({ checkpoint, ...item }) {
    const { id } = item.meeting;
    const before = self.rows.get(id);
    const row = rowOf(item, before);
    self.unchanged += JSON.stringify(row) === JSON.stringify(before) ? 1 : 0;
    self.items += 1;
    self.rows.set(id, row);
    self.checkpoint = checkpoint;
    self.onItem(item);
  }
  async function run(signal) {
    const walk = walkMeetings(clientOf(service, time.timeless(fetch)), {
      ...{ follow: true, pollMs, resume: self.checkpoint, wake: receiver.events({ signal }), signal },
      wants: (meeting, { event }) => event || !isDone(self.rows.get(meeting.id), meeting),
      known: () => self.rows.keys(),
      onGone: (id) => void self.rows.delete(id),
      onIdle: (checkpoint) => {
        if (!signal.aborted) self.checkpoint = checkpoint;
      },
    });
    for await (const item of walk) {
      if (signal.aborted) return;
      store(item);
    }
  }
  self.kill = () => {
    life?.abort();
    receiver = undefined;
  };
  self.start = () => {
    life = new AbortController();
    const { signal } = life;
    receiver = createReceiver({ secrets: SECRET });
    run(signal).catch((error) => {
      if (!signal.aborted) self.error = error;
    });
  };
  return self;
}
