import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  decodeDocx,
  InvalidArgumentError,
  type NotetakerError,
  NotFoundError,
  ResponseValidationError,
} from "notetaker-sdk";
import { saveDocument } from "notetaker-sdk/node";
import { aDocument, createEmulator } from "notetaker-sdk/testing";
import { beforeEach, describe, expect, it } from "vitest";
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

describe("saveDocument", () => {
  it.each([
    ["notes.md", "markdown"],
    ["notes.HTML", "html"],
    ["notes.txt", "raw"],
    ["notes.json", "json"],
  ] as const)("writes %s with the content in the format %s", async (name, format) => {
    const path = join(folder, name);
    const { content } = await notetaker.documents.get("doc_1", { format });
    expect(await saveDocument(notetaker, "doc_1", path)).toEqual({
      path,
      size: Buffer.byteLength(content),
      title: "Notes",
      format,
    });
    expect(await readFile(path, "utf8")).toBe(content);
    expect(await readdir(folder)).toEqual([name]);
  });

  it("decodes the content of a .docx", async () => {
    const path = join(folder, "notes.docx");
    await saveDocument(notetaker, "doc_1", path);
    const document = await notetaker.documents.get("doc_1", { format: "docx" });
    expect(await readFile(path)).toEqual(Buffer.from(decodeDocx(document)));
  });

  it("takes the format from its option before the extension of the path", async () => {
    const path = join(folder, "notes");
    expect(await saveDocument(notetaker, "doc_1", path, { format: "raw" })).toMatchObject({ format: "raw" });
  });

  it("replaces an existing file, also behind a symbolic link", async () => {
    const path = join(folder, "notes.md");
    await writeFile(path, "old and much longer than what is new".repeat(1_000));
    await symlink(path, join(folder, "latest.md"));
    const saved = await saveDocument(notetaker, "doc_1", join(folder, "latest.md"));
    expect(saved.path).toBe(path);
    expect((await stat(path)).size).toBe(saved.size);
    expect((await readdir(folder)).sort()).toEqual(["latest.md", "notes.md"]);
  });

  it.each([
    [404, NotFoundError, { status: 404 }],
    ["another format", ResponseValidationError, { status: 200, body: { ...DOCUMENT, format: "html" } }],
    ["not base64", ResponseValidationError, { status: 200, body: { ...DOCUMENT, content: "?" } }],
  ])("leaves the existing file unchanged if the response is %s", async (_, kind, fault) => {
    const path = join(folder, "notes.docx");
    await writeFile(path, "old");
    service.faults.next("GET /documents/:id", fault);
    const error = await rejectionOf(kind as typeof NotetakerError, saveDocument(notetaker, "doc_1", path));
    expect(error.attempts).toBe(1);
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["notes.docx"]);
  });

  it("throws a ResponseValidationError for a response that is no document, even if validation is off", async () => {
    for (const body of [null, 5, "text", [], {}, { format: 5 }, { format: "markdown", content: 5 }]) {
      service.faults.next("GET /documents/:id", { status: 200, body });
      const promise = saveDocument(clientOf(service, { validation: "off" }), "doc_1", join(folder, "notes.md"));
      await expect(promise).rejects.toMatchObject({ name: "ResponseValidationError", attempts: 1 });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it("sends no request for a path at which it cannot be saved, or for invalid options", async () => {
    const refused: [path: unknown, options: unknown, issue: string][] = [
      ["notes.pdf", {}, "format"],
      ["notes", {}, "format"],
      [".", {}, "format"],
      ["none/notes.md", {}, "path"],
      [".", { format: "raw" }, "path"],
      ["notes.md", null, ""],
      ["notes.md", "docx", ""],
      ["notes.md", { format: "pdf" }, "format"],
      ["notes.md", { overwrite: true }, "overwrite"],
      ...[undefined, null, 12, "", new URL("https://example.com/notes.md")].map((path): [unknown, unknown, string] => [
        path,
        {},
        "path",
      ]),
    ];
    for (const [name, options, issue] of refused) {
      const path = typeof name === "string" && name !== "" ? join(folder, name) : name;
      const call = saveDocument(notetaker, "doc_1", path as string, options as never);
      const { issues } = await rejectionOf(InvalidArgumentError, call);
      expect(
        issues.map((one) => one.path),
        `${name}`,
      ).toEqual([issue]);
    }
    expect(service.requests).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("accepts a file: URL", async () => {
    const path = join(folder, "my notes.md");
    expect(await saveDocument(notetaker, "doc_1", pathToFileURL(path))).toMatchObject({ path });
  });

  it("rejects with the reason of an aborted signal, and writes nothing", async () => {
    const path = join(folder, "notes.md");
    const reason = new Error("enough");
    await expect(saveDocument(notetaker, "doc_1", path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });
});
