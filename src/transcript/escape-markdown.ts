/** A URL, without punctuation at its end, which belongs to the sentence. */
const URL_PATTERN = String.raw`https?:\/\/[^\s<>"\x60\\|{}[\]、。]*[^\s<>"\x60\\|{}[\]、。.,;:!?'*_~)]`;
/** An e-mail address. It is searched for only at the beginning of a word, so that a long word is read once. */
const EMAIL_PATTERN = String.raw`(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
/**
 * The characters that Markdown reads as markup: emphasis, code, links, HTML, entities, headings, lists, quotes and
 * rules. Also extensions of note-taking tools (`#tag`, `$formula$`, `==mark==`, `%%comment%%`).
 */
const MARKUP_PATTERN = String.raw`[\\\x60*_[<~$#]|&(?=#?\w+;)|==|%%|^[-+>]|(?<=^\d{1,9})[.)]`;

const LINK_OR_MARKUP = new RegExp(`(${URL_PATTERN}|${EMAIL_PATTERN})|${MARKUP_PATTERN}`, "gi");

/** The markup that a renderer would find within a link. A renderer ignores `_` between letters or digits. */
const MARKUP_IN_LINK = /[*~$]|&(?=#?\w+;)|==|%%|(?<![^\W_])_|_(?![^\W_])/;

/** Escapes markup, but not in URLs and e-mail addresses: those that contain markup are put between `<` and `>`. */
export const escapeMarkdown = (text: string): string =>
  text.replace(LINK_OR_MARKUP, (found: string, link?: string) => {
    if (link === undefined) return `\\${found}`;
    return MARKUP_IN_LINK.test(link) ? `<${link}>` : link;
  });
