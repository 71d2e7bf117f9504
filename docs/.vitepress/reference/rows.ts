/** The tables of parameters and fields. */
import type { DeclarationReflection, SignatureReflection } from "typedoc";
import { cell, isInput, markdownOf, type Places, signaturesOf, typeCode } from "./links.js";
import { type Declarations, isClass } from "./model.js";
import { commentOf, fieldsOf, firstSentence, table } from "./page-parts.js";

/** Every method takes them: their fields are listed by name, with a link. */
const SHARED = /^(RequestOptions|ListOptions|ClientOptions)$/;
/** A function with such a parameter sends requests to the service. Users have a client already. */
export const IS_CLIENT = /^(Notetaker|NotetakerLike)$/;
const DEPTH_MAX = 2;
/** The ids that methods take. */
const IDS: Readonly<Record<string, string>> = {
  meetingId: "The meeting, `mtg_…`.",
  eventId: "The calendar event, `evt_…`.",
  documentId: "The document, `doc_…`.",
  roomId: "The room.",
  webhookId: "The webhook, `whk_…`.",
  permissionId: "The permission, `perm_…`.",
};

interface Row {
  name: string;
  type: string;
  isOptional: boolean;
  text: string;
  /** The fields of its type are added below it while this is less than `DEPTH_MAX`. */
  depth: number;
}

export class Rows {
  constructor(
    readonly places: Places,
    readonly declarations: Declarations,
    readonly named: ReadonlyMap<string, DeclarationReflection>,
  ) {}

  /** Of the last overload, which has the plain types. */
  parameters(signature: SignatureReflection | undefined): string {
    const rows = (signature?.parameters ?? []).flatMap((parameter, index): Row[] => {
      const name = parameter.name === "__namedParameters" ? "options" : parameter.name;
      return this.#withFields({
        name,
        type: (signature && this.declarations.typeOfParameter(signature, index)) ?? "",
        isOptional: parameter.flags.isOptional || parameter.flags.isRest || parameter.defaultValue !== undefined,
        text: markdownOf(parameter.comment?.summary, this.places) || (IDS[name] ?? ""),
        depth: 0,
      });
    });
    return rows.length === 0 ? "" : this.#inputs("Parameter", rows);
  }

  fields(fields: readonly DeclarationReflection[], owner: DeclarationReflection): string {
    const rows = fields.flatMap((field) => this.#field(field, "", 1));
    if (isInput(owner)) return this.#inputs("Field", rows);
    const lines = rows.map((row) => {
      const text = row.isOptional ? `May be absent. ${row.text}` : row.text;
      return `${this.#start(row)} ${cell(text)} |`;
    });
    return table(["Field", "Type", "What it is"], lines);
  }

  #inputs(what: string, rows: readonly Row[]): string {
    const lines = rows.map((row) => {
      const [, standard = ""] = /\bDefault:? (.+?)\.(?=\s|$)/.exec(row.text.replaceAll("\n", " ")) ?? [];
      // A long default, such as a URL, is in the text only.
      const isShort = standard.split(" ").every((word) => word.length <= 24);
      const need = row.isOptional ? (isShort && standard) || "optional" : "**required**";
      return `${this.#start(row)} ${cell(need)} | ${cell(row.text)} |`;
    });
    return table([what, "Type", "Required, default", "What it does"], lines);
  }

  #start({ name, type }: Row): string {
    const depth = name.split(".").length - 1;
    // With two parents, the name alone: the column stays narrow.
    const shown = depth > 1 ? `.${name.split(".").at(-1)}` : name;
    const escaped = shown.replaceAll("_", "&#95;").replace("[", "&#91;");
    return `| <code class="name">${"<i></i>".repeat(depth)}${escaped}</code> | ${typeCode(type, this.places)} |`;
  }

  #field(field: DeclarationReflection, prefix: string, depth: number): Row[] {
    const [signature] = signaturesOf(field);
    const isFunction = field.signatures !== undefined && signature !== undefined;
    return this.#withFields({
      name: `${prefix}${field.name}`,
      type: isFunction
        ? this.declarations.of(signature).replace("):", ") =>")
        : this.declarations.of(field.getSignature ?? field) || this.declarations.of(field),
      isOptional: field.flags.isOptional,
      text: markdownOf(commentOf(field)?.summary, this.places),
      depth,
    });
  }

  /** A row, followed by those of the fields of its type. */
  #withFields(row: Row): Row[] {
    const { name, type, text, depth } = row;
    const known = this.named.get(/^(?:Readonly<)?(?:readonly )?(\w+)(?:<[^>]*>)?>?(?:\[\])?$/.exec(type)?.[1] ?? "");
    if (known === undefined) return [row];
    const hasFields = !isClass(known) && !IS_CLIENT.test(known.name) && depth < DEPTH_MAX;
    const fields = hasFields ? fieldsOf(known) : [];
    const own = text || firstSentence(markdownOf(known.comment?.summary, this.places));
    if (SHARED.test(known.name)) {
      return [{ ...row, text: `${own} ${fields.map((field) => `\`${field.name}\``).join(", ")}` }];
    }
    const prefix = `${name}${type.endsWith("[]") ? "[]" : ""}.`;
    const shown = fields.length > 14 ? [] : fields;
    return [{ ...row, text: own }, ...shown.flatMap((field) => this.#field(field, prefix, depth + 1))];
  }
}
