/** `npx tsx emulator.ts`: the service for two tenants, when there is no account. A call takes 15 seconds. */
import { EVENT_KINDS } from "notetaker-sdk";
import {
  aDocument,
  aMeeting,
  aWebhook,
  createEmulator,
} from "notetaker-sdk/testing";
import { TENANTS } from "./lib/tenants";

/** Two hours ago, and on the days before in working hours. */
function startOf(index: number) {
  const date = new Date();
  date.setHours(date.getHours() - 2, 30 * (index % 2), 0, 0);
  if (index > 0) date.setHours(9 + ((index * 5) % 8) - 24 * index);
  return date.toISOString();
}
const summary = () =>
  aDocument({
    title: "Summary",
    blocks: [
      { type: "heading", level: 2, text: "Decisions" },
      {
        type: "list",
        items: [
          "Turn the new onboarding on for everybody on Thursday",
          "Ask for one permission at first, not for two",
        ],
      },
      { type: "heading", level: 2, text: "Numbers" },
      { type: "list", items: ["64 percent complete the new onboarding"] },
    ],
  });
/** Of the transcript that `aMeeting` makes; a meeting is as long as this. */
const SPEAKERS = ["Ada Okafor", "Ben Castellano", "Chidi Marsh"];
const TITLES = {
  acme: "Weekly product sync, Hiring panel: backend, Budget review, Design critique, Customer call: Contoso, Retrospective, Planning, All hands, Board preparation, Security review",
  globex: "Launch of the pilot, Sales forecast, Support rota",
};

const service = createEmulator({
  accounts: Object.fromEntries(
    TENANTS.map(({ id, token, webhookSecret: secret }) => {
      const url = `http://localhost:${process.env.PORT ?? 3000}/api/hooks/${id}`;
      const titles = TITLES[id as keyof typeof TITLES].split(", ");
      const meetings = titles.map((title, index) =>
        aMeeting({
          id: `mtg_${id}_${index + 1}`,
          title,
          source: index % 3 === 1 ? "zoom" : "google_meet",
          start_time: startOf(index),
          participants: SPEAKERS.map((name) => ({ name })),
          documents: [summary()],
          recording: true,
          // Nobody let the bot in.
          ...(index === 2 && { status: "failed" }),
        }),
      );
      const webhooks = [aWebhook({ url, secret, events: [...EVENT_KINDS] })];
      return [token, { meetings, webhooks }];
    }),
  ),
  now: Date.now,
  stepTimes: {
    ...{ createMs: 500, admitMs: 2_000, callMs: 15_000 },
    ...{ transcribeMs: 3_000, summariseMs: 2_000 },
  },
});
const port = Number(process.env.EMULATOR_PORT ?? 4010);
void service
  .listen({ port, control: true })
  .then(({ url }) => console.log(`NOTETAKER_BASE_URL=${url}`));
