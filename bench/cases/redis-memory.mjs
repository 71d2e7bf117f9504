/** The memory that Redis needs for the data that several processes share. */
import { missingRedis } from "../runner/missing-redis.mjs";

const COUNT = { quick: "300", usual: "1000", full: "10000" };

export default {
  title: "Memory in Redis",
  metrics: { bytes: { title: "bytes", digits: 0 } },
  rounds: { quick: 1, usual: 2, full: 2 },
  programs: ({ mode }) => [{ program: "programs/redis-memory.mjs", args: [COUNT[mode]] }],
  missing: missingRedis,
};
