/** The script of the page: lists rooms, and updates them as events arrive. */

const rooms = document.querySelector("#rooms");
const feed = document.querySelector("#feed");
const status = document.querySelector("#status");

const LABELS = {
  "meeting.transcript_ready": "Transcript ready",
  "meeting.initial_summary_ready": "Summary ready",
};

const copyOf = (id) => document.querySelector(`template#${id}`).content.firstElementChild.cloneNode(true);
const meetingElement = (id) => rooms.querySelector(`[data-id="${CSS.escape(id)}"]`);

function showMeeting({ id, title, source, start_time, status }) {
  const item = copyOf("meeting");
  item.dataset.id = id;
  item.dataset.status = status;
  item.querySelector("strong").textContent = title ?? "Untitled";
  const time = new Date(start_time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  item.querySelector(".when").textContent = `${time} · ${source.replaceAll("_", " ")}`;
  item.querySelector(".badge").textContent =
    status === "processing" ? "Transcribing" : LABELS["meeting.transcript_ready"];
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

async function showRooms() {
  const response = await fetch("/api/rooms");
  const list = await response.json();
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
  if (focused) meetingElement(focused)?.querySelector("button").focus();
  rooms.setAttribute("aria-busy", "false");
}

/** Shows the first lines of a transcript under its meeting. */
async function showTranscript(item, id) {
  const { speakers, segments } = await (await fetch(`/api/meetings/${id}/transcript`)).json();
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

  const item = meetingElement(meetingId);
  if (!item) return;
  keepFocus(item);
  item.dataset.status = "completed";
  item.querySelector(".badge").textContent = label;
  item.classList.add("fresh");
  if (kind === "meeting.transcript_ready") void showTranscript(item, meetingId);
}

function showStatus(state, text) {
  status.dataset.state = state;
  status.textContent = text;
}

/** The browser reconnects by itself and sends the id of its last event. */
function listen() {
  const events = new EventSource("/events");
  events.addEventListener("open", async () => {
    await showRooms();
    showStatus("live", "Live");
  });
  events.addEventListener("message", ({ data }) => showEvent(JSON.parse(data)));
  // The page has missed events: the server was restarted, or the page was suspended for too long.
  events.addEventListener("resync", showRooms);
  events.addEventListener("error", () => {
    showStatus("reconnecting", "Reconnecting");
    // After a response that is not a stream (a 502 of a proxy), the browser does not reconnect.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2_000);
  });
}

listen();
