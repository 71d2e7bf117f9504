/**
 * Prints the CPU time of reading large responses, in milliseconds: `validation.mjs READER`, with and without validation,
 * and by parsing alone.
 */
import { Notetaker } from "notetaker-sdk";

const [name] = process.argv.slice(2);

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const meeting = (room, index) => ({
  id: `mtg_${room}_${index}_6f1a2b3c4d`,
  title: `Weekly sync ${index}`,
  status: "completed",
  source: "zoom",
  start_time: "2026-03-04T10:00:00+00:00",
  duration: 1800,
});
const room = (index) => ({
  id: `room_${index}_6f1a2b3c4d`,
  title: `Room ${index}`,
  created_at: "2026-01-02T03:04:05+00:00",
  updated_at: "2026-02-02T03:04:05+00:00",
  meeting_count: 10,
  share_url: null,
  meetings: times(10, (number) => meeting(index, number)),
});
const segment = (index) => ({
  speaker_id: `spk_${index % 2}`,
  start_time: index * 1.5,
  end_time: index * 1.5 + 1.25,
  text: "So what we want to do here is look at the numbers of last week.",
});

/** `calls` is the number of calls in a round. A round takes some tens of milliseconds. */
const ANSWERS = {
  rooms: {
    answer: { data: times(100, room), next_cursor: null, has_more: false },
    call: (client) => client.rooms.list({ expand: ["meetings"] }),
    calls: 40,
  },
  segments: {
    answer: {
      meeting_id: "mtg_1",
      language: "en",
      speakers: times(2, (index) => ({ id: `spk_${index}`, name: `Speaker ${index}` })),
      segments: times(50_000, segment),
    },
    call: (client) => client.meetings.getTranscript("mtg_1"),
    calls: 2,
  },
};

const headers = { "content-type": "application/json" };
const READERS = {
  "fetch and JSON.parse": (fetch) => async () => JSON.parse(await (await fetch()).text()),
  "notetaker-sdk, validation off": (fetch, call) => reader(fetch, call, "off"),
  "notetaker-sdk": (fetch, call) => reader(fetch, call, "strict"),
};
const reader = (fetch, call, validation) => {
  const baseUrl = "https://api.example.com/v1";
  const client = new Notetaker({ baseUrl, token: "token", validation, maxResponseBytes: 2 ** 30, fetch });
  return () => call(client);
};

async function cpuMilliseconds(work, calls) {
  const before = process.cpuUsage();
  for (let count = 0; count < calls; count += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / calls;
}

const ROUNDS = 15;
const measured = {};
for (const [size, { answer, call, calls }] of Object.entries(ANSWERS)) {
  const text = JSON.stringify(answer);
  const read = READERS[name](async () => new Response(text, { headers }), call);
  for (let round = 0; round < 3; round += 1) await cpuMilliseconds(read, calls);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await cpuMilliseconds(read, calls));
  measured[size] = rounds.sort((a, b) => a - b)[ROUNDS >> 1];
}
console.log(JSON.stringify(measured));
process.exit();
