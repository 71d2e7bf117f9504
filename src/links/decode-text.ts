/** Decodes what mail programs, calendars, chats and editors do to a link, as far as a link can contain it. */

import { withoutInvisible } from "./conference-hosts.js";

/** The named entities of ASCII characters, spaces, invisible characters and what follows a link in a sentence. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", AMP: "&", lt: "<", LT: "<", gt: ">", GT: ">", quot: '"', QUOT: '"', apos: "'", Tab: "\t" },
  ...{ NewLine: "\n", excl: "!", num: "#", dollar: "$", percnt: "%", lpar: "(", rpar: ")", ast: "*", midast: "*" },
  ...{ plus: "+", comma: ",", period: ".", sol: "/", colon: ":", semi: ";", equals: "=", quest: "?", commat: "@" },
  ...{ lsqb: "[", lbrack: "[", bsol: "\\", rsqb: "]", rbrack: "]", Hat: "^", lowbar: "_", UnderBar: "_", grave: "`" },
  ...{ DiacriticalGrave: "`", lcub: "{", lbrace: "{", verbar: "|", vert: "|", VerticalLine: "|", rcub: "}" },
  ...{ rbrace: "}", hellip: "…", mldr: "…", nbsp: " ", ensp: " ", emsp: " ", thinsp: " ", shy: "", zwj: "", zwnj: "" },
  ...{ lrm: "", rlm: "", ZeroWidthSpace: "", NoBreak: "", laquo: "«", raquo: "»", ldquo: "“", rdquo: "”" },
};

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,31}\d{0,2}));/gi;

/** Stands for a character that is not known: where it follows a link, the link may go on. */
const UNKNOWN_CHARACTER = "\ufffd";

const characterOf = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : UNKNOWN_CHARACTER);

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (_, decimal?: string, hex?: string, name = "") => {
    if (decimal !== undefined) return characterOf(Number(decimal));
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined) ?? UNKNOWN_CHARACTER;
  });
}

/** The escapes of JSON (`\u0026`), of calendar files (`\n`, `\,`) and of Markdown (`\_`). */
const BACKSLASH_ESCAPE = /\\(?:u([\da-f]{4})|([nrt])|([!-/:-@[-`{-~]))/gi;

const decodeEscapes = (text: string): string =>
  text.replace(BACKSLASH_ESCAPE, (_, hex?: string, _space?: string, mark = "\n") =>
    hex === undefined ? mark : characterOf(Number.parseInt(hex, 16)),
  );

/** Joins the folded lines of a calendar file: a line that begins with a space continues the line before. */
const unfolded = (text: string) => (/^BEGIN:V(CALENDAR|EVENT)/m.test(text) ? text.replaceAll(/\r?\n[ \t]/g, "") : text);

/** A link between angle brackets, in which a mail program may have broken the line. */
const BRACKETED = /<\s*(https?:\/\/[^<>]{1,8192})>/gi;

const joinLines = (text: string) =>
  text.replace(BRACKETED, (bracketed: string, link: string) =>
    /\S[ \t]+[^\s]/.test(link) ? bracketed : `<${link.replaceAll(/\s+/g, "")}>`,
  );

/** A text may have been escaped more than once. */
const MAX_ROUNDS = 3;

export function decodeText(text: string): string {
  let decoded = unfolded(text);
  for (let round = 0; round < MAX_ROUNDS && /[&\\]/.test(decoded); round += 1) {
    decoded = decodeEscapes(decodeEntities(decoded));
  }
  return joinLines(withoutInvisible(decoded));
}
