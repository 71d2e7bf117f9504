/** Bots: see "Bot schedule action" and the endpoints for bots in the API specification. */
import * as z from "zod/mini";
import { quoted } from "../checks/format-issues.js";
import { issueCode } from "../checks/issue-code.js";
import { conferenceService, isHostName, serviceOfHost, withoutInvisible } from "../links/conference-hosts.js";
import { httpUrl } from "../links/http-url.js";
import { eventId, meetingId } from "./id-schemas.js";
import {
  characters,
  type Infer,
  openEnum,
  requestObject,
  responseObject,
  type Schema,
  stringOf,
} from "./primitives.js";

export const BOT_SCHEDULE_ACTIONS = ["scheduling", "cancelling"] as const;
/** What an accepted request does with a bot. Either action is queued and happens later. */
export type BotScheduleAction = (typeof BOT_SCHEDULE_ACTIONS)[number];

const action = openEnum<BotScheduleAction | (string & {})>();

export const MEETING_URL_MAX = 1024;

/** One of the further hosts (`conferenceHosts`) whose links are join links. */
export const conferenceHost = () => stringOf(isHostName, "a host name such as meet.example.com");

const sendBotParams = (hosts: readonly string[]) => ({
  /**
   * A join link of at most 1024 characters: of Zoom (`zoom.us`, `zoom.com`, `zoomgov.com`, `zoom.com.cn`), Google Meet,
   * Microsoft Teams (`teams.microsoft.com`, `teams.live.com`, `teams.microsoft.us`, `teams.cloud.microsoft`) or Webex, of
   * their subdomains, or behind Microsoft Defender (`*.mcas.ms`). Required. The client's option `conferenceHosts` allows
   * links to further hosts. `sendBot` adds a missing `https://`, and removes invisible characters. `parseMeetingLink` finds the link in a calendar entry.
   */
  meeting_url: z.string().check(pasted(hosts), ...joinLinkChecks(hosts)),
});

/** Parameters of `meetings.sendBot`. */
export interface SendBotParams extends Infer<ReturnType<typeof sendBotParams>> {}

/** The message for an invalid join link. It repeats only the host: anyone with the whole link may join. */
function joinLinkProblem(link: string): string {
  const host = httpUrl(link)?.hostname;
  const reason =
    serviceOfHost(host ?? "") === undefined
      ? "(see conferenceHosts; parseMeetingLink(text) reads links of mail programs)"
      : "that leads to no call";
  const received =
    host === undefined
      ? "a text that is not a link; parseMeetingLink(text) finds the link in a text"
      : `a link to ${quoted(host)} ${reason}`;
  return `expected a Zoom, Google Meet, Microsoft Teams or Webex join link, received ${received}`;
}

const joinLinkChecks = (hosts: readonly string[]) => [
  characters(MEETING_URL_MAX),
  z.refine<string>((value) => conferenceService(value, hosts) !== undefined, {
    error: ({ input }) => joinLinkProblem(input as string),
    ...issueCode((value) => (httpUrl(value as string) === undefined ? "not_a_link" : "unsupported_link")),
  }),
];

export const sendBotBodySchemaFor = (hosts: readonly string[]): Schema<SendBotParams> =>
  requestObject<SendBotParams>({ meeting_url: z.string().check(...joinLinkChecks(hosts)) });

/** A link as people paste it, without white space around it and invisible characters, and with `https://`. */
const pasted = (hosts: readonly string[]) =>
  z.overwrite<string>((text) => {
    const link = withoutInvisible(text).trim();
    return conferenceService(`https://${link}`, hosts) === undefined ? link : `https://${link}`;
  });

/** The schema of {@link SendBotParams}, which also accepts links to `hosts` and their subdomains. */
export const sendBotParamsSchemaFor = (hosts: readonly string[]): Schema<SendBotParams> =>
  hosts.length === 0 ? sendBotParamsSchema : requestObject<SendBotParams>(sendBotParams(hosts));

export const sendBotParamsSchema = /* @__PURE__ */ requestObject<SendBotParams>(/* @__PURE__ */ sendBotParams([]));

const sendBotResult = {
  /**
   * The id of the meeting (`mtg_…`) under which recording and transcript will appear, and which events name. If a bot
   * of the user is already in the same call, the service keeps that bot, and no meeting with this id is ever found.
   */
  meeting_id: meetingId,
  /** `scheduling` */
  status: action,
};

/** The response to `meetings.sendBot`: the bot is queued. It may not have joined the call yet. */
export interface SendBotResult extends Infer<typeof sendBotResult> {}

export const sendBotResultSchema = responseObject<SendBotResult>(sendBotResult);

const eventBotResult = {
  /** The calendar event, `evt_…`. */
  event_id: eventId,
  /** `cancelling`, or `scheduling` if a bot is scheduled for the event. */
  status: action,
};

/** The response to `meetings.scheduleBot` and `meetings.cancelBot`: the request is queued. */
export interface EventBotResult extends Infer<typeof eventBotResult> {}

export const eventBotResultSchema = responseObject<EventBotResult>(eventBotResult);
