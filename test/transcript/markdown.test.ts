/** Markdown and its front matter, read again by independent parsers for CommonMark and YAML. */
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { toMarkdown, turns } from "../../src/transcript/index.js";
import { anyTranscript, hostileText } from "./arbitrary.js";
import { said } from "./fixture.js";

const reader = new MarkdownIt({ html: true });
const blocks = (markdown: string) =>
  reader.parse(markdown, {}).flatMap((token, index, all) => {
    if (token.type !== "inline")
      return /_(open|close)$/.test(token.type) ? [] : { kind: token.type, text: "", marks: [] };
    const marks = (token.children ?? []).filter(({ type }) => type !== "text" && type !== "text_special");
    const text = (token.children ?? []).map(({ content }) => content).join("");
    return { kind: `${all[index - 1]?.tag}`, text, marks: marks.map(({ type }) => type) };
  });

describe("toMarkdown()", () => {
  it("writes any transcript as paragraphs without other markup, as a parser reads them", () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        expect(blocks(toMarkdown(transcript))).toEqual(
          turns(transcript).flatMap(({ text }) => [
            { kind: "p", text: expect.stringMatching(/ \d\d+:\d\d:\d\d$/), marks: ["strong_open", "strong_close"] },
            { kind: "p", text, marks: [] },
          ]),
        );
      }),
    );
  });

  it("writes the speaker's name unchanged in bold", () => {
    fc.assert(
      fc.property(hostileText, (name) => {
        const transcript = { ...said([0, 1, "Hi"]), speakers: [{ id: "spk_1", name }] as const };
        expect(blocks(toMarkdown(transcript))[0]).toMatchObject({
          text: `${turns(transcript)[0]?.speaker_name} 00:00:00`,
        });
      }),
    );
  });

  it("writes any title as one heading", () => {
    fc.assert(
      fc.property(hostileText, (title) => {
        const line = title.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
        expect(blocks(toMarkdown({ speakers: [], segments: [] }, { title }))).toEqual(
          line ? [{ kind: "h1", text: line, marks: [] }] : [],
        );
      }),
    );
  });

  it.each([null, undefined, "", "\n"])("writes no heading for the title %j", (title) => {
    expect(toMarkdown({ speakers: [], segments: [] }, { title })).toBe("");
  });

  it("escapes the syntax that note-taking tools add to Markdown", () => {
    const text = "==mark== %%comment%% #tag $x$ [[link]] ^ref";
    expect(toMarkdown(said([0, 1, text]))).toContain("\\==mark\\== \\%%comment\\%% \\#tag \\$x\\$ \\[\\[link]] ^ref");
  });

  it.each([
    "https://example.com/a_b_c?x_y=1&z=2#top_of_page",
    "http://localhost:3000/~ada/*draft*/1",
    "https://x.org/_next/static/_a_.js",
    "https://x.org/?a==b&c=%%1",
    "ada_lovelace@mail.example.com",
    "_ada_@example.com",
  ])("keeps %s as a whole, which a parser reads unchanged", (link) => {
    for (const text of [`See ${link}.`, `*${link}* (or ${link}), ok?`, link]) {
      const markdown = toMarkdown(said([0, 1, text]));
      expect(markdown.split(link)).toHaveLength(text.split(link).length);
      const [, block] = blocks(markdown);
      expect(block?.text).toBe(text);
      expect(block?.marks.filter((mark) => !mark.startsWith("link_"))).toEqual([]);
    }
  });

  it("escapes text that only looks like the start of a link", () => {
    const text = "https:// *a* http://<b> x@y *c* https://x.org/](javascript:1)";
    expect(blocks(toMarkdown(said([0, 1, text])))[1]).toEqual({ kind: "p", text, marks: [] });
  });

  it("divides turns in the same way as turns()", () => {
    const transcript = said([0, 1, "One"], [9, 10, "two"]);
    expect(toMarkdown(transcript)).toBe("**Ada** 00:00:00\n\nOne two\n");
    const apart = "**Ada** 00:00:00\n\nOne\n\n**Ada** 00:00:09\n\ntwo\n";
    expect(toMarkdown(transcript, { maxGapSeconds: 5 })).toBe(apart);
  });
});

describe("the front matter of toMarkdown()", () => {
  const scalar = fc.oneof(
    hostileText,
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );

  it("is read back unchanged by YAML 1.2 and 1.1, whatever it contains", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.oneof(hostileText, fc.constantFrom("yes", "null", "id", "a-b")),
          fc.oneof(scalar, fc.array(scalar)),
        ),
        (fields) => {
          const [, matter] =
            /^---\n([\s\S]*?)^---\n$/m.exec(toMarkdown({ speakers: [], segments: [] }, { frontMatter: fields })) ?? [];
          const expected = JSON.parse(JSON.stringify(fields)) as unknown;
          expect(parseYaml(matter ?? "") ?? {}).toEqual(expected);
          expect(parseYaml(matter ?? "", { version: "1.1" }) ?? {}).toEqual(expected);
        },
      ),
    );
  });

  it("quotes a key only if YAML would read it differently, and escapes YAML's line breaks", () => {
    const nothing = { speakers: [], segments: [] };
    const keys = ["id", "a-b_2", "_x", "Title", "nothing", "truth", "no", "Yes", "null", "2x", "a b", "a:", "a!b", ""];
    const frontMatter = Object.fromEntries(keys.map((key) => [key, 1]));
    expect(toMarkdown(nothing, { frontMatter }).split("\n").slice(1, -2)).toEqual(
      keys.map((key, index) => (index < 6 ? `${key}: 1` : `"${key}": 1`)),
    );
    expect(toMarkdown(nothing, { frontMatter: { id: "a\u007fb\u2028c\ufeffd" } })).toBe(
      '---\nid: "a\\u007fb\\u2028c\\ufeffd"\n---\n',
    );
  });

  it("omits undefined fields, and is written even if it is empty", () => {
    const nothing = { speakers: [], segments: [] };
    expect(toMarkdown(nothing, { frontMatter: { id: "mtg_1", title: undefined } })).toBe('---\nid: "mtg_1"\n---\n');
    expect(toMarkdown(nothing, { frontMatter: {} })).toBe("---\n---\n");
  });
});
