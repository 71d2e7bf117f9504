/**
 * Replaces operations of `node:fs/promises` with those of `node:fs` that return when the disk is done: they need no
 * simulated time, and the threads of Node take most of the real time of a month.
 */
import fs from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const OPERATIONS = [
  "access",
  "lstat",
  "mkdir",
  "readFile",
  "readdir",
  "realpath",
  "rename",
  "rm",
  "rmdir",
  "stat",
  "utimes",
];

/** A file that was opened, with the operations that a store of files uses. */
class OpenFile {
  #file;

  constructor(file) {
    this.#file = file;
  }

  writeFile = async (data) => fs.writeFileSync(this.#file, data);
  chmod = async (mode) => fs.fchmodSync(this.#file, mode);
  utimes = async (read, changed) => fs.futimesSync(this.#file, read, changed);
  sync = async () => fs.fsyncSync(this.#file);
  close = async () => fs.closeSync(this.#file);
}

export function makeFilesImmediate() {
  for (const name of OPERATIONS) {
    const operation = fs[`${name}Sync`];
    files[name] = async (...values) => operation(...values);
  }
  files.open = async (...values) => new OpenFile(fs.openSync(...values));
  syncBuiltinESMExports();
}
