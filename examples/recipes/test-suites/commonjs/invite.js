const { isNotetakerError } = require("notetaker-sdk");
const { toText } = require("notetaker-sdk/transcript");

async function minutesOf(notetaker, meeting_url) {
  const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url });
  try {
    return toText(
      await notetaker.meetings.waitForTranscript(meeting_id, {
        timeoutMs: 7_200_000,
      }),
    );
  } catch (error) {
    if (isNotetakerError(error) && error.name === "MeetingFailedError")
      return undefined;
    throw error;
  }
}

module.exports = { minutesOf };
