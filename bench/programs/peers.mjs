/**
 * The clients that are compared. `load` imports one client into its own process, and resolves to two functions:
 * `create` makes a client for an origin, and `call` requests one list, whose response has about 1.4 KB.
 */
const TOKEN = "a-token-of-some-length-as-they-are";
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };

async function notetaker(options) {
  const { Notetaker } = await import("notetaker-sdk");
  return {
    create: (origin) => new Notetaker({ baseUrl: `${origin}/notetaker/v1`, token: TOKEN, ...options }),
    call: (client) => client.rooms.list({ limit: 3, expand: ["meetings"] }),
  };
}

export const PEERS = {
  fetch: {
    does: "",
    load: async () => ({
      create: (origin) => `${origin}/notetaker/v1/rooms?limit=3&expand=meetings`,
      call: async (url) => (await fetch(url, { headers: AUTHORIZATION })).json(),
    }),
  },
  "notetaker-sdk": { does: "validates", load: () => notetaker({}) },
  "notetaker-sdk, validation off": { does: "", load: () => notetaker({ validation: "off" }) },
  ky: {
    does: "",
    load: async () => {
      const { default: ky } = await import("ky");
      return {
        create: (origin) => ky.create({ prefixUrl: `${origin}/notetaker/v1`, headers: AUTHORIZATION }),
        call: (client) => client.get("rooms", { searchParams: { limit: 3, expand: "meetings" } }).json(),
      };
    },
  },
  openai: {
    does: "",
    load: async () => {
      const { default: OpenAI } = await import("openai");
      return {
        create: (origin) => new OpenAI({ baseURL: `${origin}/openai/v1`, apiKey: TOKEN }),
        call: (client) => client.models.list(),
      };
    },
  },
  "@anthropic-ai/sdk": {
    does: "",
    load: async () => {
      const { default: Anthropic } = await import("@anthropic-ai/sdk");
      return {
        create: (origin) => new Anthropic({ baseURL: `${origin}/anthropic`, apiKey: TOKEN }),
        call: (client) => client.models.list(),
      };
    },
  },
  stripe: {
    does: "uses `node:http`, not `fetch`",
    load: async () => {
      const { default: Stripe } = await import("stripe");
      return {
        create: (origin) => {
          const { hostname, port } = new URL(origin);
          return new Stripe("sk_test_123", { host: hostname, port, protocol: "http", telemetry: false });
        },
        call: (client) => client.customers.list({ limit: 6 }),
      };
    },
  },
  octokit: {
    does: "no timeout",
    load: async () => {
      const { Octokit } = await import("octokit");
      return {
        create: (origin) => new Octokit({ baseUrl: `${origin}/octokit`, auth: TOKEN }),
        call: (client) => client.rest.issues.listLabelsForRepo({ owner: "owner", repo: "repo" }),
      };
    },
  },
  "@polar-sh/sdk": {
    does: "validates; no timeout, no retries unless asked for",
    load: async () => {
      const { Polar } = await import("@polar-sh/sdk");
      return {
        create: (origin) => new Polar({ serverURL: `${origin}/polar`, accessToken: TOKEN }),
        call: (client) => client.webhooks.listWebhookEndpoints({}),
      };
    },
  },
  resend: {
    does: "no retries, no timeout",
    load: async () => {
      const { Resend } = await import("resend");
      return {
        create: (origin) => new Resend(TOKEN, { baseUrl: `${origin}/resend` }),
        call: (client) => client.domains.list(),
      };
    },
  },
  assemblyai: {
    does: "no retries, no timeout",
    load: async () => {
      const { AssemblyAI } = await import("assemblyai");
      return {
        create: (origin) => new AssemblyAI({ apiKey: TOKEN, baseUrl: `${origin}/assemblyai` }),
        call: (client) => client.transcripts.list(),
      };
    },
  },
};
