const { toText } = require("notetaker-sdk/transcript");

async function minutesOf(notetaker, meeting_url) {
  const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url });
  const transcript = await notetaker.meetings.waitForTranscript(meeting_id, {
    timeoutMs: 7_200_000,
    pollMs: 60_000,
  });
  return toText(transcript);
}

module.exports = { minutesOf };
