/** The code blocks of the README, the guides and the skill. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run-program.js";

export interface CodeBlock {
  /** Its file and line: `README.md:42`. */
  at: string;
  language: string;
  /** The text after the language: `run` for a program that the tests run. */
  flag: string;
  code: string;
}

export function codeBlocks(): CodeBlock[] {
  const guides = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /^\w/.test(name),
  );
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "skills/notetaker-sdk/SKILL.md",
    ...guides.map((name) => `docs/${name}`),
  ];
  return pages
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) => {
      const text = readFileSync(join(root, page), "utf8");
      return [...text.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language, flag, code]) => {
        const index = text.indexOf(code!);
        return {
          at: `${page}:${text.slice(0, index).split("\n").length}`,
          language: language!,
          flag: flag!,
          code: code!,
        };
      });
    });
}
