/** The package contains guides: each link and picture in them is a file of the package, or is a URL. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
const isPacked = (path: string) =>
  ["README.md", "LICENSE", "package.json"].includes(path) ||
  (files.some((pattern) => !pattern.startsWith("!") && matches(path, pattern)) && existsSync(join(root, path)));
const matches = (path: string, pattern: string) =>
  path === pattern || new RegExp(`^${pattern.replaceAll(".", "\\.").replace("*", "[^/]*")}(/|$)`).test(path);

const pages = ["", "docs", "docs/recipes"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => posix.join(folder, name))
    .filter((path) => /\.(md|txt)$/.test(path) && isPacked(path) && path !== "docs/index.md"),
);

test("a packed page links to no file, and shows no picture, that the package lacks", () => {
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, "");
    return [...text.matchAll(/\]\(([^)#\s]+)|<img src="([^"]+)/g)]
      .map(([, link = "", picture = link]) => picture)
      .filter((link) => !/^\w+:/.test(link) && !isPacked(posix.join(posix.dirname(page), link)))
      .map((link) => `${page}: ${link}`);
  });
  expect(pages.length).toBeGreaterThan(40);
  expect(dead).toEqual([]);
});
