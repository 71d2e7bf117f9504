import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { decodeDocx, InvalidArgumentError, NotFoundError, ResponseValidationError } from "notetaker-sdk";
import { saveDocument } from "notetaker-sdk/node";
import { aDocument, createEmulator } from "notetaker-sdk/testing";
import { beforeEach, expect, it } from "vitest";
import { rejectionOf } from "../../support/recorder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { clientOf } from "../support/account.js";

const service = createEmulator({ seed: { meetings: [{ documents: [aDocument({ id: "doc_1", title: "Notes" })] }] } });
const notetaker = clientOf(service);
const DOCUMENT = { id: "doc_1", title: "", format: "docx", content: "", created_at: "2025-01-01T00:00:00Z" };
let folder = "";
beforeEach(() => {
  service.reset();
  folder = temporaryFolder();
});

it.each([
  ["notes.md", "markdown"],
  ["notes.HTML", "html"],
  ["notes.txt", "raw"],
  ["notes.json", "json"],
  ["notes.docx", "docx"],
] as const)("writes %s with the content in the format %s", async (name, format) => {
  const path = join(folder, name);
  const document = await notetaker.documents.get("doc_1", { format });
  const bytes = format === "docx" ? decodeDocx(document as never) : Buffer.from(document.content);
  const saved = await saveDocument(notetaker, "doc_1", pathToFileURL(path));
  expect(saved).toEqual({ path, size: bytes.byteLength, title: "Notes", format });
  expect(await readFile(path)).toEqual(Buffer.from(bytes));
  expect(await readdir(folder)).toEqual([name]);
});

it("takes the format from its option before the extension of the path", async () => {
  const path = join(folder, "notes.md");
  expect(await saveDocument(notetaker, "doc_1", path, { format: "raw" })).toMatchObject({ format: "raw" });
});

it("replaces an existing file, also behind a symbolic link", async () => {
  const path = join(folder, "notes.md");
  await writeFile(path, "old and much longer than what is new".repeat(1_000));
  await symlink(path, join(folder, "latest.md"));
  const saved = await saveDocument(notetaker, "doc_1", join(folder, "latest.md"));
  expect([saved.path, saved.size]).toEqual([path, (await stat(path)).size]);
  expect((await readdir(folder)).sort()).toEqual(["latest.md", "notes.md"]);
});

it("leaves the existing file unchanged if there is no such document, or the response is another one", async () => {
  const path = join(folder, "notes.docx");
  await writeFile(path, "old");
  const odd = [null, 5, "text", [], {}, { format: 5 }, { format: "docx", content: 5 }];
  const bodies = [{ ...DOCUMENT, format: "html" }, { ...DOCUMENT, content: "?" }, ...odd];
  const saved = saveDocument(notetaker, "doc_9", path);
  expect(await rejectionOf(NotFoundError, saved)).toMatchObject({ attempts: 1 });
  for (const body of bodies) {
    service.faults.next("GET /documents/:id", { status: 200, body });
    const saving = saveDocument(clientOf(service, { validation: "off" }), "doc_1", path);
    expect(await rejectionOf(ResponseValidationError, saving)).toMatchObject({ attempts: 1 });
  }
  expect(await readFile(path, "utf8")).toBe("old");
  expect(await readdir(folder)).toEqual(["notes.docx"]);
});

it("sends no request for a path at which it cannot be saved, for invalid options, or after an abort", async () => {
  const refused: [path: unknown, options: unknown, issue: string][] = [
    ["notes.pdf", {}, "format"],
    [".", {}, "format"],
    ["none/notes.md", {}, "path"],
    [".", { format: "raw" }, "path"],
    ["notes.md", null, ""],
    ["notes.md", { format: "pdf" }, "format"],
    ["notes.md", { overwrite: true }, "overwrite"],
    [undefined, {}, "path"],
    ["", {}, "path"],
    [new URL("https://example.com/notes.md"), {}, "path"],
  ];
  for (const [name, options, issue] of refused) {
    const path = typeof name === "string" && name !== "" ? join(folder, name) : name;
    const saving = saveDocument(notetaker, "doc_1", path as string, options as never);
    const { issues } = await rejectionOf(InvalidArgumentError, saving);
    expect(issues.map((one) => one.path)).toEqual([issue]);
  }
  const aborted = saveDocument(notetaker, "doc_1", join(folder, "notes.md"), { signal: AbortSignal.abort("gone") });
  await expect(aborted).rejects.toBe("gone");
  expect(service.requests).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});
