import { wellFormedJson } from "../json/well-formed.js";
import { formatTimestamp } from "./format-time.js";
import { singleLine } from "./split-text.js";
import { joinTurns, type TurnOptions } from "./turns.js";
import type { SpokenTranscript } from "./types.js";

/** The value of a field of the front matter. */
export type FrontMatterValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** Options of `toMarkdown`. */
export interface MarkdownOptions extends TurnOptions {
  /** A heading above the transcript. Default, and for `null`, which a meeting's title may be: no heading. */
  title?: string | null | undefined;
  /** YAML between two lines `---` at the start. A value that is `undefined` is left out. Default: no front matter. */
  frontMatter?: Readonly<Record<string, FrontMatterValue | undefined>> | undefined;
}

/** A value as JSON, with escapes for the characters that YAML refuses or reads as line breaks. */
const yaml = (value: FrontMatterValue) =>
  wellFormedJson(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The key, with quotes if YAML would otherwise read it as another value. */
const yamlKey = (key: string) =>
  /^(?!(true|false|null|yes|no|on|off|y|n)$)[a-z_][\w-]*$/i.test(key) ? key : yaml(key);

/** A URL, without punctuation at its end, which belongs to the sentence. */
const URL_PATTERN = String.raw`https?:\/\/[^\s<>"\x60\\|{}[\]、。]*[^\s<>"\x60\\|{}[\]、。.,;:!?'*_~)]`;
/** An e-mail address. It is searched for only at the beginning of a word, so that a long word is read once. */
const EMAIL_PATTERN = String.raw`(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
/** What Markdown, and note-taking tools (`#tag`, `$formula$`, `==mark==`, `%%comment%%`), read as markup. */
const MARKUP_PATTERN = String.raw`[\\\x60*_[<~$#]|&(?=#?\w+;)|==|%%|^[-+>]|(?<=^\d{1,9})[.)]`;

const LINK_OR_MARKUP = new RegExp(`(${URL_PATTERN}|${EMAIL_PATTERN})|${MARKUP_PATTERN}`, "gi");

/** The markup that a renderer would find within a link. A renderer ignores `_` between letters or digits. */
const MARKUP_IN_LINK = /[*~$]|&(?=#?\w+;)|==|%%|(?<![^\W_])_|_(?![^\W_])/;

/** Escapes markup, but not in URLs and e-mail addresses: those that contain markup are put between `<` and `>`. */
const escapeMarkdown = (text: string): string =>
  text.replace(LINK_OR_MARKUP, (found: string, link?: string) => {
    if (link === undefined) return `\\${found}`;
    return MARKUP_IN_LINK.test(link) ? `<${link}>` : link;
  });

/**
 * A transcript as Markdown: for each turn, a line with the speaker's name and the time, and below it the spoken text,
 * escaped. URLs and e-mail addresses are not escaped.
 * @example
 * toMarkdown(transcript, { title: meeting.title, frontMatter: { id: meeting.id, date: meeting.start_time } });
 * @throws RangeError for `maxGapSeconds` or `maxCharacters` that is not a number of at least 0.
 * @throws TypeError for an unknown option.
 */
export function toMarkdown(
  transcript: SpokenTranscript,
  { title, frontMatter, ...turnOptions }: MarkdownOptions = {},
): string {
  const fields = Object.entries(frontMatter ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : `${yamlKey(key)}: ${yaml(value)}\n`,
  );
  const heading = escapeMarkdown(singleLine(title));
  const turns = joinTurns(transcript, turnOptions, ["title", "frontMatter"]).map(
    ({ turn: { speaker_name, start_time, text } }) =>
      `**${escapeMarkdown(speaker_name)}** ${formatTimestamp(start_time)}\n\n${escapeMarkdown(text)}\n`,
  );
  return [frontMatter && `---\n${fields.join("")}---\n`, heading && `# ${heading}\n`, ...turns]
    .filter(Boolean)
    .join("\n");
}
