const { Notetaker } = require("notetaker-sdk");
const { createEmulator } = require("notetaker-sdk/testing");
const { minutesOf } = require("./invite.js");

const service = createEmulator({
  stepTimes: { createMs: 2_000, callMs: 30 * 60_000 },
});
const notetaker = new Notetaker(service.clientOptions);
const link = "https://meet.google.com/abc-defg-hij";

beforeEach(() => {
  service.reset();
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

/** Advances the time of the client and of the service. */
async function pass(ms) {
  for (let passed = 0; passed < ms; passed += 60_000) {
    await jest.advanceTimersByTimeAsync(60_000);
    await service.clock.advance(60_000);
  }
}

test("returns the minutes of a call of half an hour", async () => {
  const minutes = minutesOf(notetaker, link);
  await pass(45 * 60_000);
  expect(await minutes).toMatch(/^\[00:00:\d\d\] /);
});
