/**
 * The code under test: sends a bot into a call, and waits for the transcript.
 */
const { isNotetakerError } = require("notetaker-sdk");
const { toText } = require("notetaker-sdk/transcript");
const { verify } = require("notetaker-sdk/webhooks");

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

/** For Express with `express.raw()`: `req.body` is a Buffer. */
async function meetingOf(req, secret) {
  const { meetingId } = await verify(req.body, req.headers, secret);
  return meetingId;
}

module.exports = { minutesOf, meetingOf };
