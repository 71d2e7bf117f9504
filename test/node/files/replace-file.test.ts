/** Some shares, and Node's permission model, refuse what only makes a good file safer. */
import files, { open, readdir, readFile, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { folderStore } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { replaceFile } from "../../../src/node/files/replace-file.js";
import { rejection } from "../../support/recorder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { quickly } from "../support/quickly.js";
import { itemOf, writeItems } from "../support/store-items.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

/** Lets this method of every open file fail. */
async function refuse(method: "sync" | "chmod", code: string): Promise<void> {
  const file = await open(join(folder, "old"), "w");
  const methods = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  vi.spyOn(methods, method).mockRejectedValue(Object.assign(new Error(`${code}: ${method}`), { code }));
}

const replace = () => {
  const target = join(folder, "old");
  return replaceFile("test", target, join(folder, ".part"), (file) => file.writeFile("new"));
};

describe.each(["sync", "chmod"] as const)("a file is replaced although the disk refuses %s", (method) => {
  it.each(["EPERM", "EINVAL", "ENOTSUP", "ERR_ACCESS_DENIED"])("with %s", async (code) => {
    await refuse(method, code);
    await replace();
    expect(await readFile(join(folder, "old"), "utf8")).toBe("new");
    expect(await writeItems(folderStore(join(folder, "store")), itemOf("mtg_1"))).toEqual([]);
  });

  it("but not if the disk is broken", async () => {
    await writeFile(join(folder, "old"), "old");
    await refuse(method, "EIO");
    await writeFile(join(folder, "old"), "old");
    expect(await rejection(replace())).toMatchObject({ code: "EIO" });
    expect(await readFile(join(folder, "old"), "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["old"]);
  });
});

describe.each(["EPERM", "EACCES", "EBUSY"])("a rename that a virus scanner refuses with %s", (code) => {
  /** Lets as many renames fail. */
  function refuseRenames(count: number) {
    const { rename } = files;
    let refused = 0;
    const refusing = async (...args: Parameters<typeof rename>) => {
      if (refused++ < count) throw Object.assign(new Error(`${code}: rename`), { code });
      return rename(...args);
    };
    const set = (value: typeof rename) => {
      Object.assign(files, { rename: value });
      syncBuiltinESMExports();
    };
    set(refusing);
    onTestFinished(() => set(rename));
  }
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await writeFile(join(folder, "old"), "old");
  });

  it("is repeated", async () => {
    refuseRenames(20);
    await quickly(replace());
    expect(await readFile(join(folder, "old"), "utf8")).toBe("new");
  });

  it("is given up after two seconds, and leaves the old file alone", async () => {
    refuseRenames(Number.POSITIVE_INFINITY);
    expect(await rejection(quickly(replace()))).toMatchObject({ code });
    expect(await readdir(folder)).toEqual(["old"]);
    expect(await readFile(join(folder, "old"), "utf8")).toBe("old");
  });
});
