/**
 * The clients that are compared. `load` imports one client into its own process, and resolves to its functions: `create`
 * makes a client for an origin, `call` requests one list, whose response has about 1.4 KB, and `walk` iterates over all
 * pages of a list.
 */
const TOKEN = "a-token-of-some-length-as-they-are";
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };

/** `does` is a remark: what a client does, or leaves out. */
const peer = (does, specifier, { create, ...functions }) => ({
  does,
  async load() {
    const module = specifier && (await import(specifier));
    return { create: (origin) => create(origin, module), ...functions };
  },
});

const notetaker = (does, options) =>
  peer(does, "notetaker-sdk", {
    create: (origin, { Notetaker }) => new Notetaker({ baseUrl: `${origin}/notetaker/v1`, token: TOKEN, ...options }),
    call: (client) => client.rooms.list({ limit: 3, expand: ["meetings"] }),
    walk: (client) => client.rooms.list(),
  });

export const PEERS = {
  fetch: peer("", undefined, {
    create: (origin) => `${origin}/notetaker/v1/rooms`,
    call: async (url) => (await fetch(`${url}?limit=3&expand=meetings`, { headers: AUTHORIZATION })).json(),
    async *walk(url) {
      for (let cursor; cursor !== null; ) {
        const page = await (await fetch(cursor === undefined ? url : `${url}?cursor=${cursor}`)).json();
        yield* page.data;
        cursor = page.next_cursor;
      }
    },
  }),
  "notetaker-sdk": notetaker("validates", {}),
  "notetaker-sdk, validation off": notetaker("", { validation: "off" }),
  ky: peer("", "ky", {
    create: (origin, { default: ky }) => ky.create({ prefixUrl: `${origin}/notetaker/v1`, headers: AUTHORIZATION }),
    call: (client) => client.get("rooms", { searchParams: { limit: 3, expand: "meetings" } }).json(),
  }),
  openai: peer("", "openai", {
    create: (origin, { default: OpenAI }) => new OpenAI({ baseURL: `${origin}/openai/v1`, apiKey: TOKEN }),
    call: (client) => client.models.list(),
    walk: (client) => client.files.list(),
  }),
  "@anthropic-ai/sdk": peer("", "@anthropic-ai/sdk", {
    create: (origin, { default: Anthropic }) => new Anthropic({ baseURL: `${origin}/anthropic`, apiKey: TOKEN }),
    call: (client) => client.models.list(),
    walk: (client) => client.models.list(),
  }),
  stripe: peer("uses `node:http`, not `fetch`", "stripe", {
    create(origin, { default: Stripe }) {
      const { hostname, port } = new URL(origin);
      return new Stripe("sk_test_123", { host: hostname, port, protocol: "http", telemetry: false });
    },
    call: (client) => client.customers.list({ limit: 6 }),
  }),
  octokit: peer("no timeout", "octokit", {
    create: (origin, { Octokit }) => new Octokit({ baseUrl: `${origin}/octokit`, auth: TOKEN }),
    call: (client) => client.rest.issues.listLabelsForRepo({ owner: "owner", repo: "repo" }),
  }),
  "@polar-sh/sdk": peer("validates; no timeout, no retries unless asked for", "@polar-sh/sdk", {
    create: (origin, { Polar }) => new Polar({ serverURL: `${origin}/polar`, accessToken: TOKEN }),
    call: (client) => client.webhooks.listWebhookEndpoints({}),
  }),
  resend: peer("no retries, no timeout", "resend", {
    create: (origin, { Resend }) => new Resend(TOKEN, { baseUrl: `${origin}/resend` }),
    call: (client) => client.domains.list(),
  }),
  assemblyai: peer("no retries, no timeout", "assemblyai", {
    create: (origin, { AssemblyAI }) => new AssemblyAI({ apiKey: TOKEN, baseUrl: `${origin}/assemblyai` }),
    call: (client) => client.transcripts.list(),
  }),
};
