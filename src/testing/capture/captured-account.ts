/** The content that a capture reads from an account: the JSON of each record, as it was received. */

export type Json = Record<string, unknown>;

export interface CapturedRoom {
  /** The row of the room list, without its expansions. */
  row: Json;
  owned: boolean;
  meetingIds: string[];
}

export interface CapturedMeeting {
  id: string;
  owned: boolean;
  /** The row of the meeting list, without its expansion; `undefined` if the meeting is not in the list. */
  row: Json | undefined;
  /** The summary of the meeting in a room. */
  summary: Json | undefined;
  documentIds: string[];
  transcript: Json | undefined;
  recording: boolean;
  permissions: Json[];
  share_url: unknown;
}

export interface CapturedDocument {
  id: string;
  /** The reference in a meeting or a room. */
  reference: Json | undefined;
  /** The document in the `json` format. */
  document: Json | undefined;
}

export interface CapturedAccount {
  rooms: CapturedRoom[];
  meetings: CapturedMeeting[];
  documents: CapturedDocument[];
  webhooks: Json[];
  events: Json[];
  automation: unknown;
}
