import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import mammoth from "mammoth";
import {
  decodeDocx,
  InvalidArgumentError,
  type NotetakerError,
  NotFoundError,
  ResponseValidationError,
} from "notetaker-sdk";
import { saveDocument } from "notetaker-sdk/node";
import { aDocument, type Block, createEmulator } from "notetaker-sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rejectionOf } from "../../support/recorder.js";
import { clientOf } from "../export/export-support.js";

const service = createEmulator({ seed: { documents: [aDocument({ id: "doc_1", title: "Notes" })] } });
const notetaker = clientOf(service);
let folder = "";
beforeEach(async () => {
  service.reset();
  folder = await mkdtemp(join(tmpdir(), "document-"));
});
afterEach(() => rm(folder, { recursive: true }));

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

  it("keeps headings, lists and tables in every format", async () => {
    const rows = [
      ["Who", "What"],
      ["Ada", "slides"],
    ];
    const blocks: Block[] = [
      { type: "heading", level: 1, text: "Weekly" },
      { type: "heading", level: 2, text: "Decisions" },
      { type: "list", items: ["ship it", "write it down"] },
      { type: "list", items: ["first", "second"], ordered: true },
      { type: "table", rows },
    ];
    const client = clientOf(createEmulator({ seed: { documents: [aDocument({ id: "doc_2", blocks })] } }));
    const saved = async (name: string) => {
      await saveDocument(client, "doc_2", join(folder, name));
      return readFile(join(folder, name));
    };

    const markdown = String(await saved("notes.md"));
    expect(markdown).toBe(
      "# Weekly\n\n## Decisions\n\n- ship it\n- write it down\n\n1. first\n2. second\n\n" +
        "| Who | What |\n| --- | --- |\n| Ada | slides |",
    );
    expect(String(await saved("notes.txt"))).toBe(
      "Weekly\n\nDecisions\n\nship it\nwrite it down\n\nfirst\nsecond\n\nWho\tWhat\nAda\tslides",
    );
    expect(JSON.parse(String(await saved("notes.json")))).toEqual(blocks);

    const structure =
      "<h1>Weekly</h1><h2>Decisions</h2><ul><li>ship it</li><li>write it down</li></ul>" +
      "<ol><li>first</li><li>second</li></ol><table><thead><tr><th>Who</th><th>What</th></tr></thead>" +
      "<tbody><tr><td>Ada</td><td>slides</td></tr></tbody></table>";
    expect(String(await saved("notes.html")).replaceAll("\n", "")).toBe(structure);
    // The parts that a word processor reads.
    const word = await mammoth.convertToHtml({ buffer: await saved("notes.docx") });
    expect(word).toEqual({ value: structure.replace(/<(t[hd])>(.*?)<\/\1>/g, "<$1><p>$2</p></$1>"), messages: [] });
  });

  it("takes the format from its option before the extension of the path", async () => {
    const path = join(folder, "notes");
    expect(await saveDocument(notetaker, "doc_1", path, { format: "raw" })).toMatchObject({ format: "raw" });
  });

  it("replaces an existing file", async () => {
    const path = join(folder, "notes.md");
    await writeFile(path, "old and much longer than what is new".repeat(1_000));
    const { size } = await saveDocument(notetaker, "doc_1", path);
    expect((await stat(path)).size).toBe(size);
  });

  it.each([
    [404, NotFoundError, { status: 404 }],
    [
      "another format",
      ResponseValidationError,
      {
        status: 200,
        body: { id: "doc_1", title: "", format: "html", content: "", created_at: "2025-01-01T00:00:00Z" },
      },
    ],
    [
      "not base64",
      ResponseValidationError,
      {
        status: 200,
        body: { id: "doc_1", title: "", format: "docx", content: "?", created_at: "2025-01-01T00:00:00Z" },
      },
    ],
  ])("leaves the existing file unchanged if the response is %s", async (_, kind, fault) => {
    const path = join(folder, "notes.docx");
    await writeFile(path, "old");
    service.faults.next("GET /documents/:id", fault);
    const error = await rejectionOf(kind as typeof NotetakerError, saveDocument(notetaker, "doc_1", path));
    expect(error.attempts).toBe(1);
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["notes.docx"]);
  });

  it.each([null, 5, "text", [], {}, { format: 5 }, { format: "markdown", content: 5 }])(
    "throws a ResponseValidationError for the response %j even if validation is off",
    async (body) => {
      service.faults.next("GET /documents/:id", { status: 200, body });
      const promise = saveDocument(clientOf(service, { validation: "off" }), "doc_1", join(folder, "notes.md"));
      await expect(promise).rejects.toMatchObject({ name: "ResponseValidationError", attempts: 1 });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.each([
    ["notes.pdf", "format"],
    ["notes", "format"],
    [".", "format"],
    ["none/notes.md", "path"],
  ])("refuses the path %s before a request is sent", async (name, issue) => {
    const promise = saveDocument(notetaker, "doc_1", join(folder, name));
    await expect(promise).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path: issue }] });
    await expect(saveDocument(notetaker, "doc_1", folder, { format: "raw" })).rejects.toBeInstanceOf(
      InvalidArgumentError,
    );
    expect(service.requests).toEqual([]);
  });

  it.each([
    ["null", null, ""],
    ["a string", "docx", ""],
    ["an unknown format", { format: "pdf" }, "format"],
    ["an unknown option", { overwrite: true }, "overwrite"],
  ])("refuses %s as options before a request is sent", async (_, options, field) => {
    const promise = saveDocument(notetaker, "doc_1", join(folder, "notes.md"), options as never);
    await expect(promise).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path: field }] });
    expect(service.requests).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([undefined, null, 12, "", new URL("https://example.com/notes.md")])(
    "refuses the path %j before a request is sent",
    async (path) => {
      const promise = saveDocument(notetaker, "doc_1", path as string);
      await expect(promise).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path: "path" }] });
      expect(service.requests).toEqual([]);
    },
  );

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
