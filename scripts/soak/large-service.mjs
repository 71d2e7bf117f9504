/**
 * The service of sync-large.mjs, in a separate process, so that its memory does not count: an emulator over HTTP with as
 * many meetings as its argument says, one each hour, the last of them a week ago.
 */
import { createEmulator } from "notetaker-sdk/testing";
import { DAY, HOUR, meetingsBefore } from "./simulated-account.mjs";

const service = createEmulator({
  seed: { meetings: meetingsBefore(Date.now() - 7 * DAY, HOUR, Number(process.argv[2])) },
  ...{ now: () => Date.now(), stepTimes: "manual", limits: "none" },
});
const { url } = await service.listen({ port: 0 });
// Ends together with the other process.
process.once("disconnect", () => process.exit());
process.send?.({ url, token: service.token });
