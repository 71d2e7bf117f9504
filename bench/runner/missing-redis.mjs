import { spawnSync } from "node:child_process";

/** Why a case that needs Redis cannot run on this machine, or `undefined` if it can. */
export const missingRedis = () =>
  spawnSync("redis-server", ["--version"]).error === undefined
    ? undefined
    : "redis-server is not installed (on Debian: apt-get install redis-server)";
