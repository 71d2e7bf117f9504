/** The cost of the Redis throttle for a call that need not wait, beside another limiter and a plain round trip. */
import { missingRedis } from "../runner/missing-redis.mjs";
import { THROTTLE_METRICS } from "./throttle.mjs";

export default {
  title: "The throttle by Redis",
  baseline: "notetaker-sdk, redisThrottle",
  metrics: THROTTLE_METRICS,
  rounds: { quick: 3, usual: 5, full: 15 },
  programs: () => [{ program: "programs/throttle.mjs", args: ["redis"] }],
  missing: missingRedis,
};
