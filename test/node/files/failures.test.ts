/** The errors for a path that cannot be used, and for a file that fails. */
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { documentBytes, isOfAnotherFormat } from "../../../src/node/files/document-bytes.js";
import { filePath } from "../../../src/node/files/file-path.js";
import { namedFailure } from "../../../src/node/files/named-failure.js";
import { refusedPath } from "../../../src/node/files/refused-path.js";

const systemError = (fields: object) => Object.assign(new Error("ENOSPC: no space left on device, write"), fields);

describe("an error of the file system", () => {
  it.each(["read", "write", "fsync", "ftruncate", "fchmod", "close"])(
    "of %s gets the path that it does not have",
    (syscall) => {
      const error = systemError({ code: "ENOSPC", errno: -28, syscall });
      const named = namedFailure(error, "/exports/a.md") as Error;
      expect(named).not.toBe(error);
      expect(named.message).toBe("ENOSPC: no space left on device, write '/exports/a.md'");
      expect(named).toMatchObject({ code: "ENOSPC", errno: -28, syscall, path: "/exports/a.md", cause: error });
    },
  );

  it.each([
    ["an error with a path", systemError({ code: "ENOENT", syscall: "open", path: "/x" })],
    ["an error of an open file with a path", systemError({ code: "EIO", syscall: "read", path: "/x" })],
    ["an error of a connection", systemError({ code: "ECONNREFUSED", syscall: "connect" })],
    ["an error without a system call", systemError({ code: "ENOSPC" })],
    ["a string", "gone"],
    ["undefined", undefined],
  ])("is not changed: %s", (_, error) => {
    expect(namedFailure(error, "/exports/a.md")).toBe(error);
  });
});

describe("a path that is refused", () => {
  it.each<[unknown, string]>([
    ["is a folder", "is a folder"],
    [systemError({ code: "ENOENT" }), "does not exist"],
    [systemError({ code: "ENOTDIR" }), "does not exist"],
    [systemError({ code: "EACCES" }), "may not be accessed"],
    [systemError({ code: "EPERM" }), "may not be accessed"],
    [systemError({ code: "EIO" }), "ENOSPC: no space left on device, write"],
    [new Error("no code"), "no code"],
  ])("is named in the error with the reason: %s", (problem, reason) => {
    const error = refusedPath("fromPath", "/a.wav", problem);
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.issues).toEqual([{ path: "path", message: `/a.wav ${reason}` }]);
    expect(error.message).toContain("fromPath: ");
  });

  it("may be a value that is not a path", () => {
    expect(filePath("fromPath", "/a b")).toBe("/a b");
    expect(filePath("fromPath", new URL("file:///a%20b"))).toBe("/a b");
    for (const path of ["", undefined, null, 5, new URL("https://example.com/a")]) {
      expect(() => filePath("fromPath", path as string)).toThrow("fromPath: path: expected a path or a file: URL");
    }
  });
});

describe("the file content of a document", () => {
  it.each([
    ["markdown", "# Ä"],
    ["html", "<p>"],
    ["raw", ""],
    ["json", "[]"],
  ] as const)("in the format %s is its text", (format, content) => {
    expect(documentBytes({ format, content }, format)).toEqual({ bytes: Buffer.from(content) });
  });

  it("in the format docx is decoded", () => {
    const content = Buffer.from("PK\u0003\u0004").toString("base64");
    expect(documentBytes({ format: "docx", content }, "docx")).toEqual({ bytes: expect.any(Uint8Array) });
    const { bytes } = documentBytes({ format: "docx", content }, "docx") as { bytes: Uint8Array };
    expect(Buffer.from(bytes).toString("latin1")).toBe("PK\u0003\u0004");
  });

  it.each<[unknown, string, string, string]>([
    [null, "raw", "", "expected a document"],
    [[], "raw", "", "expected a document"],
    [{ format: "html", content: "" }, "raw", "format", 'expected "raw", received "html"'],
    [{ format: "pdf", content: "" }, "raw", "format", 'expected "raw", received another format'],
    [{ content: "" }, "raw", "format", 'expected "raw", received another format'],
    [{ format: "raw", content: 5 }, "raw", "content", "expected a string"],
    [
      { format: "docx", content: "?" },
      "docx",
      "document.content",
      "expected base64 of a Word document (a zip archive)",
    ],
    [{ format: "json", content: "{" }, "json", "document.content", "expected a JSON array of content blocks"],
  ])("is refused if the response is %j, requested as %s", (received, format, path, message) => {
    expect(documentBytes(received, format as "raw")).toEqual({ issue: { path, message } });
  });

  it("belongs to another request only if the document names another format", () => {
    expect(isOfAnotherFormat({ format: "html" }, "raw")).toBe(true);
    expect(isOfAnotherFormat({ format: "raw" }, "raw")).toBe(false);
    expect(isOfAnotherFormat({ format: 5 }, "raw")).toBe(false);
    expect(isOfAnotherFormat({}, "raw")).toBe(false);
  });
});
