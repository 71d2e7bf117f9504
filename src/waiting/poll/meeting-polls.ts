/** The shared polls of one client: one for each set of headers, as long as it has a waiter or a watch. */

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

/** The requests of the client that waiters and watches send. */
export interface MeetingReader {
  /** The pages of the meeting list, with their rows as received. */
  listPages(
    params: Parameters<ListMeetingPages>[0] | Parameters<ListPagesSince>[0],
    request: ListRequest & { headers: RequestHeaders },
  ): ReturnType<ListMeetingPages>;
  getTranscript(meetingId: string, request: MeetingRequest): PromiseLike<Transcript>;
  /** Calls the client's token function, in the async context of the caller; `undefined` if the token is fixed. */
  readonly requestToken: RequestToken | undefined;
}

/** The options of a single request. */
export interface MeetingRequest extends Pick<RequestOptions, "signal" | "headers"> {
  /** Sent in place of the client's token. */
  readonly token: string | undefined;
}

/** `rejected` is the token that the service has just refused. */
export type RequestToken = (options: {
  signal: AbortSignal | undefined;
  rejected: string | undefined;
}) => Promise<string>;

/** The polls that waiters with the same headers share. */
export interface LookupPoll {
  readonly meetings: SharedPoll<MeetingQuestion, ListedMeeting>;
  readonly transcripts: TranscriptTurns;
}

/** The polls that watches with the same headers share. */
export type WalkPoll = SharedPoll<WalkQuestion, readonly WalkedMeeting[]>;

/** A text that is the same for equal sets of headers, in any order. */
function headersKey(headers: RequestHeaders): string {
  if (headers === undefined) return "";
  const pairs: [string, unknown][] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  return JSON.stringify(pairs.map(([name, value]) => [name.toLowerCase(), value, typeof value]).sort());
}

/**
 * In Cloudflare Workers, an outgoing request belongs to the incoming request that sent it. There, a waiter cannot use
 * the request of another waiter.
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

  /** The polls of all waiters with these headers. */
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

  /** The poll of all watches with these headers. It begins at the earliest day that any of them needs. */
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
