/** A URL, without the punctuation behind it that ends the sentence. */
const URL_PATTERN = String.raw`https?:\/\/[^\s<>"\x60\\|{}[\]、。]*[^\s<>"\x60\\|{}[\]、。.,;:!?'*_~)]`;
/** Looked for only where a word begins, so that a long word is read once. */
const EMAIL_PATTERN = String.raw`(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
/**
 * What Markdown would read as markup: emphasis, code, links, HTML, entities, headings, lists, quotes, rules, and what
 * note-taking tools add to it (`#tag`, `$formula$`, `==mark==`, `%%comment%%`).
 */
const MARKUP_PATTERN = String.raw`[\\\x60*_[<~$#]|&(?=#?\w+;)|==|%%|^[-+>]|(?<=^\d{1,9})[.)]`;

const LINK_OR_MARKUP = new RegExp(`(${URL_PATTERN}|${EMAIL_PATTERN})|${MARKUP_PATTERN}`, "gi");

/** What a renderer would find within a link. It overlooks `_` between letters or digits. */
const MARKUP_IN_LINK = /[*~$]|&(?=#?\w+;)|==|%%|(?<![^\W_])_|_(?![^\W_])/;

/** Escapes markup, but leaves URLs and e-mail addresses whole: those that hold markup stand between `<` and `>`. */
export const escapeMarkdown = (text: string): string =>
  text.replace(LINK_OR_MARKUP, (found: string, link?: string) => {
    if (link === undefined) return `\\${found}`;
    return MARKUP_IN_LINK.test(link) ? `<${link}>` : link;
  });
