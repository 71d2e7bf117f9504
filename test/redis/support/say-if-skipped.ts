import { hasRedis } from "./redis-server.js";

export default function sayIfSkipped(): void {
  if (hasRedis) return;
  if (process.env.NOTETAKER_REQUIRE_REDIS) {
    throw new Error("redis-server is not installed: the tests with Redis would be skipped");
  }
  console.log("Skipped: the tests with Redis, because redis-server is not installed.");
}
