/** The settings of a process are variables of its environment. */
import { log } from "./log.js";

/** A process with a wrong setting does not start. */
export function stop(reason: string): never {
  log("error", `not started: ${reason}`);
  process.exit(1);
}

export function setting(name: string): string {
  return process.env[name] || stop(`${name} is not set`);
}

/** A whole number up to `most`. */
export function numberSetting(name: string, unlessSet: number, most: number): number {
  const text = process.env[name] || String(unlessSet);
  const isNumber = /^\d+$/.test(text) && Number(text) <= most;
  return isNumber ? Number(text) : stop(`${name} is "${text}": expected a whole number up to ${most}`);
}
