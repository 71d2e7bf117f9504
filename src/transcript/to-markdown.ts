import { clock } from "./clock.js";
import { oneLine } from "./one-line.js";
import type { SpokenTranscript } from "./spoken.js";
import { type TurnOptions, turns } from "./turns.js";

export type FrontMatterValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

export interface MarkdownOptions extends TurnOptions {
  /** A heading above the transcript. Default: none; `null` is taken too, since a meeting's title may be `null`. */
  title?: string | null | undefined;
  /** YAML between two lines `---` at the very start. A value that is `undefined` is left out. Default: no front matter. */
  frontMatter?: Readonly<Record<string, FrontMatterValue | undefined>> | undefined;
}

/**
 * Escapes what Markdown would read as markup: emphasis, code, links, HTML, entities, headings, lists, quotes, rules,
 * and what note-taking tools add to it (`#tag`, `$formula$`, `==mark==`, `%%comment%%`).
 */
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_[<~$#]|&(?=#?\w+;)|==|%%|^[-+>]|(?<=^\d{1,9})[.)]/g, "\\$&");

/** JSON is YAML, once the characters are escaped that YAML takes for line breaks or does not take at all. */
const yaml = (value: FrontMatterValue) =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A key as it is where YAML reads it as that text, else quoted. */
const yamlKey = (key: string) =>
  /^(?!(true|false|null|yes|no|on|off|y|n)$)[a-z_][\w-]*$/i.test(key) ? key : yaml(key);

/**
 * Markdown for reading: for each turn the speaker's name and the time, and below it what was said, escaped.
 *
 * @example
 * toMarkdown(transcript, { title: meeting.title, frontMatter: { id: meeting.id, date: meeting.start_time } });
 *
 * @throws RangeError for `maxGapSeconds` or `maxCharacters` that is not a number of at least 0.
 */
export function toMarkdown(
  transcript: SpokenTranscript,
  { title, frontMatter, ...options }: MarkdownOptions = {},
): string {
  const fields = Object.entries(frontMatter ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : `${yamlKey(key)}: ${yaml(value)}\n`,
  );
  const heading = escapeMarkdown(oneLine(title));
  return [
    frontMatter && `---\n${fields.join("")}---\n`,
    heading && `# ${heading}\n`,
    ...turns(transcript, options).map(
      ({ speaker_name, start_time, text }) =>
        `**${escapeMarkdown(speaker_name)}** ${clock(start_time)}\n\n${escapeMarkdown(text)}\n`,
    ),
  ]
    .filter(Boolean)
    .join("\n");
}
