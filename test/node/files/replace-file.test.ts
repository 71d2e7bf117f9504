/** Some shares, and Node's permission model, refuse what only makes a good file safer. */
import { open, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { replaceFile } from "../../../src/node/files/replace-file.js";
import { rejection } from "../../support/recorder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { failingFiles } from "../support/failing-files.js";
import { quickly } from "../support/quickly.js";

let folder = "";
let target = "";
beforeEach(async () => {
  folder = temporaryFolder();
  target = join(folder, "old");
  await writeFile(target, "old");
});

async function refuse(method: "sync" | "chmod", code: string): Promise<void> {
  const file = await open(target);
  const methods = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  vi.spyOn(methods, method).mockRejectedValue(Object.assign(new Error(`${code}: ${method}`), { code }));
}

const replace = () => replaceFile("test", target, join(folder, ".part"), (file) => file.writeFile("new"));
const expectFiles = async (content: string) => {
  expect(await readFile(target, "utf8")).toBe(content);
  expect(await readdir(folder)).toEqual(["old"]);
};

it.each(["sync", "chmod"] as const)(
  "a file is replaced although the disk refuses %s, unless it is broken",
  async (method) => {
    for (const code of ["EPERM", "EINVAL", "ENOTSUP", "ERR_ACCESS_DENIED"]) {
      await refuse(method, code);
      await replace();
      await expectFiles("new");
    }
    await writeFile(target, "old");
    await refuse(method, "EIO");
    expect(await rejection(replace())).toMatchObject({ code: "EIO" });
    await expectFiles("old");
  },
);

it.each(["EPERM", "EACCES", "EBUSY"] as const)(
  "a rename that a virus scanner refuses with %s is repeated, and given up after two seconds",
  async (code) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    {
      using _disk = failingFiles(folder, code, 1, { only: "rename", times: 20 });
      await quickly(replace());
      await expectFiles("new");
    }
    await writeFile(target, "old");
    using _disk = failingFiles(folder, code, 1, { only: "rename", times: Number.POSITIVE_INFINITY });
    expect(await rejection(quickly(replace()))).toMatchObject({ code });
    await expectFiles("old");
  },
);
