/** The files of a folder whose content is not trusted: no link in it is followed, and no path leads out of it. */
import { mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { parseJson } from "../../json/parse-json.js";
import { entryAt, isRegularFile } from "../files/paths.js";
import { namedFailure, replaceFile, whileBusy } from "../files/replace-file.js";

const OPERATION = "folderStore";

/** A value as JSON that is indented for people. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

/** Paths are relative to the folder, and their parts are separated by `/`. */
export class FolderFiles {
  readonly root: string;
  /** Called before a file is changed, and throws if another process may have the folder. */
  check: () => Promise<void> = async () => {};
  /** The folders that are there, and are no links. */
  readonly #known = new Set<string>();

  constructor(folder: string) {
    this.root = resolve(folder);
  }

  /** The bytes of a file; `undefined` if there is none, or a link: the store writes no links. */
  async read(path: string): Promise<Buffer | undefined> {
    const fullPath = this.#pathTo(path);
    if (!isRegularFile(OPERATION, fullPath)) return undefined;
    return readFile(fullPath).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw namedFailure(error, fullPath);
    });
  }

  /** The value of a JSON file; `undefined` if the file does not exist or is not JSON. The shape is unchecked. */
  async readJson(path: string): Promise<unknown> {
    const bytes = await this.read(path);
    return bytes === undefined ? undefined : parseJson(bytes.toString("utf8"));
  }

  /** The names of the regular files in a folder. */
  async namesIn(path: string): Promise<string[]> {
    const folder = dirname(this.#pathTo(`${path}/_`));
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    return entries.flatMap((entry) => (entry.isFile() ? entry.name : []));
  }

  /** Whether there is a file, and no link. */
  async has(path: string): Promise<boolean> {
    return isRegularFile(OPERATION, this.#pathTo(path));
  }

  /** The full path of a file that is about to be written. Creates its folders. */
  async pathToWrite(path: string): Promise<string> {
    const fullPath = this.#pathTo(path);
    const folder = dirname(fullPath);
    if (!this.#known.has(folder)) await makeFolder(folder);
    return fullPath;
  }

  /** Looks at the folders again: another program may have removed or replaced one. */
  lookAgain(): void {
    this.#known.clear();
  }

  async write(path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    // A recording may take long: then another run of this process may have the folder.
    const { check } = this;
    await check();
    const target = await this.pathToWrite(path);
    // The temporary name is always the same, so that the next run replaces the remainder of a killed run.
    await replaceFile(OPERATION, target, join(dirname(target), `.${basename(target)}.part`), async (file) => {
      for await (const chunk of chunks) await file.writeFile(chunk);
      await check();
    });
  }

  /** Deletes a file and what is left of an interrupted write of it, and the folders that are empty then. */
  async delete(path: string): Promise<void> {
    await this.check();
    const fullPath = this.#pathTo(path);
    isRegularFile(OPERATION, fullPath);
    const folder = dirname(fullPath);
    this.lookAgain();
    await whileBusy(() => rm(fullPath, { force: true }));
    await rm(join(folder, `.${basename(fullPath)}.part`), { force: true });
    try {
      for (let current = folder; current !== this.root; current = dirname(current)) await rmdir(current);
    } catch {
      // This folder has other files.
    }
  }

  /** Refuses a path with a symbolic link among its folders, because the link may lead anywhere; the root may be one. */
  #pathTo(path: string): string {
    const parts = path.split("/");
    const isUnsafe = (part: string) => part === "" || part === "." || part === ".." || /[\\:\0]/.test(part);
    if (parts.some(isUnsafe))
      throw refused(path, "expected a relative path with parts separated by /, without . and ..");
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = join(this.root, ...parts.slice(0, depth));
      if (this.#known.has(folder)) continue;
      const found = entryAt(folder);
      if (found?.isSymbolicLink()) throw refused(path, `${folder} is a symbolic link, and is not followed`);
      if (found?.isDirectory()) this.#known.add(folder);
    }
    return join(this.root, ...parts);
  }
}

/** Creates a folder and its parents. Where no folder can be made, as in `/proc`, Node's recursive `mkdir` never ends. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  });
}

const refused = (path: string, message: string) =>
  new InvalidArgumentError({ operation: OPERATION, issues: [{ path, message }] });
