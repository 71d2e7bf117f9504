/**
 * A server with many customers, each with their own account at the service: one
 * client for each customer, and one receiver for all webhooks.
 *
 *   GET  /meetings       the meetings of the customer who is signed in
 *   GET  /transcripts    the customer's transcripts, once an event came
 *   POST /hooks/:tenant  the URL of the customer's webhook
 *
 * Run it with `npx tsx server.ts`. Variables: NOTETAKER_BASE_URL, PORT, and
 * TENANTS, which stands for your database.
 */
import { createServer } from "node:http";
import { Notetaker } from "notetaker-sdk";
import { toText } from "notetaker-sdk/transcript";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

interface Tenant {
  id: string;
  /** The key with which the tenant's users sign in to this server. */
  session: string;
  /** The tenant's API token at the service. */
  token: string;
  /**
   * The secret of the tenant's webhook; two secrets while one replaces the
   * other.
   */
  webhookSecrets: string[];
}

const tenants: Tenant[] = JSON.parse(process.env.TENANTS ?? "[]");
const tenantById = (id: string) => tenants.find((tenant) => tenant.id === id);

/**
 * By tenant, then by meeting: two tenants may have been in the same meeting.
 */
const transcripts = new Map<string, Map<string, string>>();

const clients = new Map<string, Notetaker>();

/**
 * The client of a tenant. Clients are small and share no state. The server
 * keeps each client, because its `throttle` counts the calls of the account.
 * The client gets the token at each attempt, so it uses a new token at once.
 */
function clientOf({ id }: Tenant): Notetaker {
  const client =
    clients.get(id) ??
    new Notetaker({ token: () => tenantById(id)?.token ?? "", throttle: true });
  clients.set(id, client);
  return client;
}

// The receiver passes the second argument of `handle` to `secrets` and to the
// handlers.
const receiver = createReceiver<Tenant>({
  secrets: (_, tenant) => tenant.webhookSecrets,
});

receiver.on(
  "meeting.transcript_ready",
  async ({ meetingId }, { context: tenant, signal }) => {
    const transcript = await clientOf(tenant).meetings.getTranscript(
      meetingId,
      { signal },
    );
    const saved = transcripts.get(tenant.id) ?? new Map<string, string>();
    transcripts.set(tenant.id, saved.set(meetingId, toText(transcript)));
  },
);

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, hookTenant] = /^\/hooks\/([\w-]+)$/.exec(pathname) ?? [];
  if (hookTenant !== undefined) {
    const tenant = tenantById(hookTenant);
    return tenant === undefined
      ? new Response(null, { status: 404 })
      : receiver.handle(request, tenant);
  }

  const session = request.headers.get("authorization");
  const tenant = tenants.find(
    (candidate) => session === `Bearer ${candidate.session}`,
  );
  if (tenant === undefined) return new Response(null, { status: 401 });
  if (pathname === "/meetings") {
    const meetings = await clientOf(tenant)
      .meetings.list({}, { signal: request.signal })
      .toArray({ max: 100 });
    return Response.json(meetings.map(({ id, title }) => ({ id, title })));
  }
  if (pathname === "/transcripts")
    return Response.json(Object.fromEntries(transcripts.get(tenant.id) ?? []));
  return new Response(null, { status: 404 });
}

createServer(toNodeListener(answer)).listen(Number(process.env.PORT ?? 3000));
