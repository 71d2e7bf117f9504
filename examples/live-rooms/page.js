/** The script of the page: lists rooms, and updates them as events arrive. */

const rooms = document.querySelector("#rooms");
const feed = document.querySelector("#feed");
const status = document.querySelector("#status");

const LABELS = {
  "meeting.transcript_ready": "Transcript ready",
  "meeting.initial_summary_ready": "Summary ready",
};

const STATUSES = { scheduled: "Scheduled", processing: "Transcribing", failed: "Failed" };

/** How long the page waits after its server failed. */
const RETRY_MS = 2_000;
/** How many events the page shows. */
const MAX_NEWS = 20;

/** The kinds of the events that arrive while the list is read: the list may be older than they are. */
let newer = new Map();
let latestRead = 0;

const copyOf = (id) => document.querySelector(`template#${id}`).content.firstElementChild.cloneNode(true);
const meetingElement = (id) => rooms.querySelector(`[data-id="${CSS.escape(id)}"]`);

const labelOf = ({ status, has_summary }) => {
  if (status !== "completed") return STATUSES[status] ?? status.replaceAll("_", " ");
  return LABELS[has_summary ? "meeting.initial_summary_ready" : "meeting.transcript_ready"];
};

function showMeeting(meeting) {
  const { id, title, source, start_time, status } = meeting;
  const item = copyOf("meeting");
  item.dataset.id = id;
  item.dataset.status = status;
  item.querySelector("strong").textContent = title ?? "Untitled";
  const time = new Date(start_time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  item.querySelector(".when").textContent = `${time} · ${source.replaceAll("_", " ")}`;
  item.querySelector(".badge").textContent = labelOf(meeting);
  const button = item.querySelector("button");
  // Each meeting has such a button: the accessible name tells them apart.
  button.querySelector(".unseen").textContent = item.querySelector("strong").textContent;
  button.addEventListener("click", () => finish(button, id));
  return item;
}

async function finish(button, id) {
  // Not `disabled`: a disabled button would lose the keyboard focus.
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  const response = await fetch(`/api/meetings/${id}/finish`, { method: "POST" }).catch(() => undefined);
  if (response?.ok) return;
  // The meeting is not in progress any more.
  if (response?.status === 409) return showRooms();
  button.removeAttribute("aria-disabled");
  button.querySelector(".action").textContent = "Try again";
}

/** Moves the focus before the focused button disappears: to the next meeting that can be finished. */
function keepFocus(item) {
  const buttons = [...rooms.querySelectorAll('.meeting[data-status="processing"] button')];
  const index = buttons.indexOf(document.activeElement);
  if (!item.contains(document.activeElement) || index === -1) return;
  (buttons[index + 1] ?? buttons[index - 1] ?? status).focus();
}

/** The response as JSON. Throws after any other status than 2xx, for example a 500 of the server. */
async function getJson(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/**
 * Reads the rooms until the server lists them. Until then, the page keeps what it shows. Resolves to `undefined` if a
 * later call has taken over.
 */
async function readRooms() {
  latestRead += 1;
  const read = latestRead;
  while (read === latestRead) {
    newer = new Map();
    try {
      const list = await getJson("/api/rooms");
      return read === latestRead ? list : undefined;
    } catch {
      if (read === latestRead) showStatus("failed", "Rooms unavailable, trying again");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  return undefined;
}

async function showRooms() {
  const list = await readRooms();
  if (list === undefined) return;
  const focused = document.activeElement.closest(".meeting")?.dataset.id;
  rooms.replaceChildren(
    ...list.map(({ title, meeting_count, meetings }) => {
      const room = copyOf("room");
      room.querySelector("h2").textContent = title;
      room.querySelector(".count").textContent = `${meeting_count} ${meeting_count === 1 ? "meeting" : "meetings"}`;
      room.querySelector("ul").replaceChildren(...meetings.map(showMeeting));
      return room;
    }),
  );
  for (const [id, kind] of newer) showReady(id, kind);
  if (focused) {
    meetingElement(focused)?.querySelector("button").focus();
    if (document.activeElement === document.body) status.focus();
  }
  rooms.setAttribute("aria-busy", "false");
  if (events.readyState === EventSource.OPEN) showStatus("live", "Live");
}

/** Shows the first lines of a transcript under its meeting. */
async function showTranscript(item, id) {
  const transcript = await getJson(`/api/meetings/${id}/transcript`).catch(() => undefined);
  // The meeting stays as it is, without its first lines.
  if (transcript === undefined) return;
  const { speakers, segments } = transcript;
  const lines = segments.slice(0, 2).map(({ speaker_id, text }) => {
    const line = document.createElement("p");
    const name = document.createElement("b");
    name.textContent = speakers.find((speaker) => speaker.id === speaker_id)?.name ?? "Somebody";
    line.append(name, ` ${text}`);
    return line;
  });
  const quote = item.querySelector("blockquote");
  quote.replaceChildren(...lines);
  quote.hidden = false;
}

function showEvent({ kind, meetingId, payload }) {
  const label = LABELS[kind];
  if (!label) return;
  const entry = document.createElement("li");
  const title = document.createElement("b");
  title.textContent = label;
  entry.append(title, ` ${payload.title ?? meetingId}`);
  entry.dataset.kind = kind;
  feed.prepend(entry);
  feed.children[MAX_NEWS]?.remove();
  newer.set(meetingId, kind);
  showReady(meetingId, kind);
}

function showReady(meetingId, kind) {
  const item = meetingElement(meetingId);
  if (!item) return;
  keepFocus(item);
  item.dataset.status = "completed";
  item.querySelector(".badge").textContent = LABELS[kind];
  item.classList.add("fresh");
  if (kind === "meeting.transcript_ready") void showTranscript(item, meetingId);
}

function showStatus(state, text) {
  status.dataset.state = state;
  status.textContent = text;
}

let events;

/** The browser reconnects by itself and sends the id of its last event. */
function listen() {
  events = new EventSource("/events");
  events.addEventListener("open", showRooms);
  events.addEventListener("message", ({ data }) => showEvent(JSON.parse(data)));
  // The page has missed events: the server was restarted, or the page was suspended for too long.
  events.addEventListener("resync", showRooms);
  events.addEventListener("error", () => {
    showStatus("reconnecting", "Reconnecting");
    // After a response that is not a stream (a 502 of a proxy), the browser does not reconnect.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
  });
}

listen();
