/** The shared polls of one client: one for each set of headers, as long as somebody waits. */

import type { Transcript } from "../../schemas/transcript.js";
import type { RequestOptions } from "../../transport/request-options.js";
import { ContextRunner, type RunInContext } from "./context-runner.js";
import {
  type ListedMeeting,
  type ListMeetingPages,
  type ListRequest,
  lookUpMeetings,
  type MeetingQuestion,
} from "./meeting-lookup.js";
import { type ListPagesSince, type WalkedMeeting, type WalkQuestion, walkMeetings } from "./meeting-walk.js";
import { SharedPoll } from "./shared-poll.js";
import { TranscriptTurns } from "./transcript-turns.js";

type RequestHeaders = RequestOptions["headers"];

/** What the waits need of the client. */
export interface MeetingReader {
  /** The meeting list, its rows as received. */
  listPages(
    params: Parameters<ListMeetingPages>[0] | Parameters<ListPagesSince>[0],
    request: ListRequest & { headers: RequestHeaders },
  ): ReturnType<ListMeetingPages>;
  getTranscript(meetingId: string, request: MeetingRequest): PromiseLike<Transcript>;
  /** Asks for a token in the async context of the caller; `undefined` if every call has the same token. */
  readonly requestToken: RequestToken | undefined;
}

/** What a single request carries. */
export interface MeetingRequest extends Pick<RequestOptions, "signal" | "headers"> {
  /** Sent in place of the client's token. */
  readonly token: string | undefined;
}

/** `rejected` is the token that the service has just refused. */
export type RequestToken = (options: {
  signal: AbortSignal | undefined;
  rejected: string | undefined;
}) => Promise<string>;

/** The polls that waits with the same headers share. */
export interface LookupPoll {
  readonly meetings: SharedPoll<MeetingQuestion, ListedMeeting>;
  readonly transcripts: TranscriptTurns;
}

/** The polls that watches with the same headers share. */
export type WalkPoll = SharedPoll<WalkQuestion, readonly WalkedMeeting[]>;

/** One text for each set of headers. */
function headersKey(headers: RequestHeaders): string {
  if (headers === undefined) return "";
  const pairs: [string, unknown][] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  return JSON.stringify(pairs.map(([name, value]) => [name.toLowerCase(), value, typeof value]).sort());
}

/**
 * In Cloudflare Workers, an outgoing request belongs to the incoming one that made it: there, a wait cannot use the
 * request of another.
 */
const canShareRequests = () => globalThis.navigator?.userAgent !== "Cloudflare-Workers";

const runHere: RunInContext = (work) => work();

export class MeetingPolls {
  readonly reader: MeetingReader;
  readonly #context = new ContextRunner();
  readonly #lookups = new Map<string, LookupPoll>();
  readonly #walks = new Map<string, WalkPoll>();

  constructor(reader: MeetingReader) {
    this.reader = reader;
  }

  /** The poll of all waits with these headers. */
  lookups(headers: RequestHeaders): LookupPoll {
    return this.#shared(this.#lookups, headers, (onEmpty) => ({
      meetings: new SharedPoll(
        (questions, request) =>
          lookUpMeetings((params, list) => this.reader.listPages(params, { ...list, headers }), questions, request),
        { run: this.#run, onEmpty },
      ),
      transcripts: new TranscriptTurns(),
    }));
  }

  /** The poll of all watches with these headers: it begins at the earliest day that one of them needs. */
  walks(headers: RequestHeaders): WalkPoll {
    return this.#shared(this.#walks, headers, (onEmpty) => {
      const walk = async (questions: readonly WalkQuestion[], request: ListRequest) => {
        const [startDate = ""] = questions.map((question) => question.startDate).sort();
        const listPages: ListPagesSince = (params) => this.reader.listPages(params, { ...request, headers });
        const walked = await walkMeetings(listPages, startDate, request.signal);
        return () => walked;
      };
      return new SharedPoll(walk, { run: this.#run, onEmpty });
    });
  }

  #shared<P extends object>(polls: Map<string, P>, headers: RequestHeaders, create: (onEmpty: () => void) => P): P {
    const key = headersKey(headers);
    const existing = canShareRequests() ? polls.get(key) : undefined;
    if (existing !== undefined) return existing;
    const poll = create(() => {
      if (polls.get(key) === poll) polls.delete(key);
    });
    polls.set(key, poll);
    return poll;
  }

  get #run(): RunInContext {
    return canShareRequests() ? this.#context.run : runHere;
  }
}
