/** Responses of the service, with exactly the fields that the API specification documents. */

export const meetingSummary = {
  id: "mtg_1",
  title: "Weekly",
  status: "completed",
  source: "zoom",
  start_time: "2026-03-01T10:00:00Z",
  duration: 1800,
};

export const room = {
  id: "room_1",
  title: "Design",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-02-01T00:00:00+02:00",
  meeting_count: 1,
  share_url: "https://app.example.com/r/1",
};

export const documentReference = { id: "doc_1", title: "Summary", created_at: "2026-03-01T11:00:00Z" };

export const document = { ...documentReference, format: "html", content: "<p>Hello</p>" };

export const meeting = {
  ...meetingSummary,
  end_time: "2026-03-01T10:30:00Z",
  host: { id: "usr_1", name: "Ada", email: "ada@example.com" },
  participants: [{ name: "Bo", email: null, title: null, company: "Example" }],
  created_at: "2026-03-01T09:00:00Z",
};

export const transcript = {
  meeting_id: "mtg_1",
  language: "en",
  speakers: [{ id: "spk_1", name: "Ada" }],
  segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 1.5, text: "Hello." }],
};

export const permission = { id: "perm_1", recipient: { type: "anyone" }, role: "read" };

export const webhook = {
  id: "whk_1",
  url: "https://hooks.example.com/in",
  events: ["meeting.transcript_ready"],
  enabled: true,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

export const createdWebhook = { ...webhook, secret: "whsec_9f8e7d6c5b4a" };

export const page = <T>(data: T[], next_cursor: string | null = null) => ({
  data,
  next_cursor,
  has_more: next_cursor !== null,
});

export const permissionPage = { ...page([permission]), share_url: "https://app.example.com/m/1" };

/** The first bytes of a sound file, which are all that the client reads. */
export const audio = new Blob([new Uint8Array([1, 2, 3])], { type: "audio/wav" });
