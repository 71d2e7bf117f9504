/** The template of a page of the reference. */
import type { Comment, DeclarationReflection } from "typedoc";
import { cell, isMethod, markdownOf, type Places, resourceOf, typeCode } from "./links.js";
import { type Declarations, isClass, isFunction, type PageOfReference } from "./model.js";
import { codeOf, commentOf, fieldsOf, firstSentence, heads, signature, table, wrapped } from "./page-parts.js";
import { adviceOn, callOf, programOf } from "./service.js";

/** Every method takes them: their fields are listed by name, with a link. */
const SHARED = /^(RequestOptions|ListOptions|WaitOptions|ClientOptions)$/;
const DEPTH_MAX = 2;
/** Of such a type, fields may be required and have defaults; those of other types are always there, or not. */
const IS_INPUT = /(Params|Options|Input|Init|Source|Seed|Times)$/;
/** The ids that methods take. */
const IDS: Readonly<Record<string, string>> = {
  meetingId: "The meeting, `mtg_…`.",
  eventId: "The calendar event, `evt_…`.",
  documentId: "The document, `doc_…`.",
  roomId: "The room.",
  webhookId: "The webhook, `whk_…`.",
  permissionId: "The permission, `perm_…`.",
};

export class PageTemplate {
  readonly #named: ReadonlyMap<string, DeclarationReflection>;

  constructor(
    readonly places: Places,
    readonly declarations: Declarations,
    pages: readonly PageOfReference[],
  ) {
    const names = pages.flatMap(({ names }) => names.filter((name) => !name.isReference()));
    this.#named = new Map(names.map((name) => [name.name, name]));
  }

  page(page: PageOfReference): string {
    const resource = resourceOf(page);
    const own = page.names.filter((name) => !name.isReference() && name !== resource);
    const rank = (one: DeclarationReflection) => {
      if (isClass(one, this.declarations)) return one.name === "NotetakerError" ? -1 : 0;
      if (isFunction(one)) return 1;
      return one.children !== undefined || one.type?.type === "reflection" ? 2 : 3;
    };
    const sorted = own.sort((a, b) => rank(a) - rank(b));
    const aliases = page.names.filter((name) => name.isReference());
    return [
      `# ${page.title}`,
      page.sentence,
      ...(resource === undefined ? this.#import(page) : this.#resource(resource, page)),
      ...(resource !== undefined && sorted.length > 0 ? ["## Types"] : []),
      ...sorted.map((one) => this.#name(one, resource === undefined ? 2 : 3)),
      ...(aliases.length > 0
        ? [`Also exported here: ${aliases.map(({ name }) => typeCode(name, this.places)).join(", ")}.`]
        : []),
    ].join("\n\n");
  }

  #import({ title, names }: PageOfReference): string[] {
    const functions = names.filter((one) => isFunction(one) && !one.isReference());
    if (!title.includes("/") || functions.length === 0) return this.#index(functions, "");
    const line = `import { ${functions.map(({ name }) => name).join(", ")} } from "${title}";`;
    const lines =
      line.length < 80
        ? line
        : line
            .replace("{ ", "{\n  ")
            .replaceAll(/, (?=\w)/g, ",\n  ")
            .replace(" }", ",\n}");
    return [`\`\`\`ts\n${lines}\n\`\`\``, ...this.#index(functions, "")];
  }

  #anchor(name: string): string {
    return this.places.get(name)?.split("#")[1] ?? "";
  }

  /** What each method does, in a sentence. */
  #index(methods: readonly DeclarationReflection[], owner: string): string[] {
    if (methods.length < 2) return [];
    const lines = methods.map((method) => {
      const text = markdownOf(commentOf(method)?.summary, this.places);
      const sentence = /^[\s\S]*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
      const anchor = this.#anchor(owner === "" ? method.name : `${owner}.${method.name}`);
      return `| [\`${method.name}()\`](#${anchor}) | ${cell(sentence)} |`;
    });
    return [["| | |", "|---|---|", ...lines].join("\n")];
  }

  #resource(resource: DeclarationReflection, { page }: PageOfReference): string[] {
    const methods = (resource.children ?? []).filter(isMethod);
    return [
      `\`notetaker.${page}\`. ${this.#text(resource.comment)}`,
      ...this.#index(methods, resource.name),
      ...methods.map((method) => this.#method(method, page, 2, this.#anchor(`${resource.name}.${method.name}`))),
    ];
  }

  #name(one: DeclarationReflection, level: number): string {
    const anchor = this.#anchor(one.name);
    if (isFunction(one)) return this.#method(one, "", level, anchor);
    const isAClass = isClass(one, this.declarations);
    const heading = heads(level, `${isAClass ? "Class " : ""}\`${one.name}\``, anchor);
    const fields = fieldsOf(one).filter((field) => !isMethod(field));
    const methods = (one.children ?? []).filter(isMethod);
    const declaration = isAClass || one.children !== undefined ? [] : [signature(this.declarations.of(one))];
    const parents = /\b(extends|implements) ([\s\S]*)$/.exec(this.declarations.of(one));
    const constructors = methods.filter(({ name }) => name === "constructor");
    const others = methods.filter(({ name }) => name !== "constructor");
    const title = (name: string) =>
      name.replace("[asyncIterator]", "[Symbol.asyncIterator]").replace("[asyncDispose]", "[Symbol.asyncDispose]");
    return [
      heading,
      this.#text(one.comment),
      ...(parents && one.children
        ? [
            `${parents[1] === "extends" ? "Extends" : "Implements"} ${typeCode((parents[2] ?? "").replace(/^named\((\w+).*/, "$1"), this.places)}.`,
          ]
        : []),
      ...declaration,
      ...this.#tags(one.comment),
      ...(fields.length > 0 ? [this.#fields(fields, one.name)] : []),
      ...constructors.flatMap((method) => [signature(this.#signatures(method, one.name)), this.#parameters(method)]),
      ...others.map((method) =>
        this.#method(
          method,
          one.name,
          Math.min(level + 1, 4),
          this.#anchor(`${one.name}.${method.name}`),
          title(method.name),
        ),
      ),
    ]
      .filter((text) => text !== "")
      .join("\n\n");
  }

  #signatures(method: DeclarationReflection, owner: string): string {
    const name =
      method.name === "constructor" ? `new ${owner}` : method.name.replace(/^\[(async\w+)\]$/, "[Symbol.$1]");
    return (method.signatures ?? []).map((one) => wrapped(`${name}${this.declarations.of(one) || "()"}`)).join("\n\n");
  }

  /** `owner` is a resource, for example `meetings`, or a class. */
  #method(method: DeclarationReflection, owner: string, level: number, anchor: string, title = method.name): string {
    const comment = commentOf(method);
    const name = owner === "" ? method.name : `${owner}.${method.name}`;
    const call = callOf(name);
    const endpoint =
      call &&
      `<p class="endpoint"><code>${call.route.replaceAll("{", "&#123;")}</code> <span>${call.limits}</span></p>`;
    return [
      heads(level, `\`${title}()\``, anchor),
      endpoint ?? "",
      this.#text(comment),
      ...this.#tags(comment),
      signature(this.#signatures(method, owner)),
      this.#parameters(method),
      this.#result(method, call?.sample),
      this.#errors(comment, call?.refusals),
      this.#example(comment, name),
    ]
      .filter((text) => text !== "")
      .join("\n\n");
  }

  #text(comment: Comment | undefined): string {
    return markdownOf(comment?.summary, this.places);
  }

  #tags(comment: Comment | undefined): string[] {
    const tags = comment?.blockTags.filter(({ tag }) => ["@beta", "@deprecated", "@defaultValue"].includes(tag)) ?? [];
    const names: Readonly<Record<string, string>> = {
      "@beta": "Beta",
      "@deprecated": "Deprecated",
      "@defaultValue": "Default",
    };
    return tags.map(({ tag, content }) => `> **${names[tag]}:** ${cell(markdownOf(content, this.places))}`);
  }

  #parameters(method: DeclarationReflection): string {
    // The last overload has the plain types.
    const last = method.signatures?.at(-1);
    const rows = (last?.parameters ?? []).flatMap((parameter, index) => {
      const type = last && this.declarations.typeOfParameter(last, index);
      const name = parameter.name === "__namedParameters" ? "options" : parameter.name;
      const isOptional = parameter.flags.isOptional || parameter.defaultValue !== undefined;
      const text = markdownOf(parameter.comment?.summary, this.places) || (IDS[name] ?? "");
      return this.#row(name, type ?? "", isOptional, text, 0);
    });
    return rows.length === 0 ? "" : table(["Parameter", "Type", "Required, default", "What it does"], rows);
  }

  #fields(fields: readonly DeclarationReflection[], owner: string): string {
    const rows = fields.flatMap((field) => this.#field(field, "", 1));
    if (IS_INPUT.test(owner)) return table(["Field", "Type", "Required, default", "What it does"], rows);
    const results = rows.map((row) =>
      row
        .replace("</code> |", "</code>|")
        .replace(/\| (\*\*required\*\*|optional) \| /, (_, need) => (need === "optional" ? "| may be absent. " : "| "))
        .replace("</code>|", "</code> |"),
    );
    return table(["Field", "Type", "What it is"], results);
  }

  #field(field: DeclarationReflection, prefix: string, depth: number): string[] {
    const text = markdownOf(commentOf(field)?.summary, this.places);
    const type = this.declarations.of(field.getSignature ?? field) || this.declarations.of(field);
    const shown = isMethod(field) ? this.declarations.of(field.signatures?.[0] ?? field).replace("):", ") =>") : type;
    return this.#row(`${prefix}${field.name}`, shown, field.flags.isOptional, text, depth);
  }

  /** A row, followed by those of the fields of its type. */
  #row(name: string, type: string, isOptional: boolean, text: string, depth: number): string[] {
    const [, standard = ""] = /\bDefault:? (.+?)\.(?=\s|$)/.exec(text.replaceAll("\n", " ")) ?? [];
    // A long default, such as a URL, is in the text only.
    const isShort = standard.split(" ").every((word) => word.length <= 24);
    const need = isOptional ? (isShort && standard) || "optional" : "**required**";
    const known = this.#named.get(/^(?:Readonly<)?(?:readonly )?(\w+)(?:<[^>]*>)?>?(?:\[\])?$/.exec(type)?.[1] ?? "");
    const fields = known && !isClass(known, this.declarations) && depth < DEPTH_MAX ? fieldsOf(known) : [];
    const isShared = known !== undefined && SHARED.test(known.name);
    const names = fields.map((field) => `\`${field.name}\``).join(", ");
    const own = text === "" && known ? firstSentence(this.#text(known.comment)) : text;
    const shown = isShared ? `${own} ${names}` : own;
    // With two parents, the name alone: the column stays narrow.
    const shortName = name.split(".").length > 2 ? `.${name.split(".").at(-1)}` : name;
    const row = `| <code class="name">${"<i></i>".repeat(name.split(".").length - 1)}${shortName.replaceAll("_", "&#95;").replace("[", "&#91;")}</code> | ${typeCode(type, this.places)} | ${cell(need)} | ${cell(shown)} |`;
    if (isShared || fields.length > 14) return [row];
    return [
      row,
      ...fields.flatMap((field) => this.#field(field, `${name}${type.endsWith("[]") ? "[]" : ""}.`, depth + 1)),
    ];
  }

  #result(method: DeclarationReflection, sample: string | undefined): string {
    const returned = commentOf(method)?.getTag("@returns");
    const [, promise = "", type = ""] =
      /^(\w+)<([\s\S]*)>$/.exec(
        this.declarations
          .of(method.signatures?.at(-1) ?? method)
          .split(/\): /)
          .at(-1) ?? "",
      ) ?? [];
    const isPage = promise === "PagePromise";
    const known = this.#named.get(type.replace(/\[\]$/, ""));
    const what = {
      PagePromise: `**Resolves to** a page; \`for await\` gives each ${typeCode(type, this.places)} of all pages.`,
      ApiPromise: `**Resolves to** ${typeCode(type, this.places)}.`,
      Promise: `**Resolves to** ${typeCode(type, this.places)}.`,
      AsyncIterableIterator: `**Yields** ${typeCode(type, this.places)}.`,
    }[promise];
    if (what === undefined) return returned ? `**Returns** ${markdownOf(returned.content, this.places)}` : "";
    const isData = known !== undefined && !isClass(known, this.declarations) && fieldsOf(known).length > 0;
    const fields = isData ? `\n\n${this.#fields(fieldsOf(known), known.name)}` : "";
    const text = returned ? ` ${markdownOf(returned.content, this.places)}` : "";
    const nothing = type === "void" ? "**Resolves to** nothing." : undefined;
    const response = sample === undefined ? "" : `\n\nA response of the service:\n\n\`\`\`json\n${sample}\n\`\`\``;
    const open = fieldsOf(known).length > 4 || isPage ? "" : " open";
    const details =
      fields && `\n\n<details${open}>\n<summary>Fields of ${known?.name}</summary>${fields}\n\n</details>`;
    return `${nothing ?? what}${text}${response}${details}`;
  }

  #errors(comment: Comment | undefined, refusals: readonly (readonly [string, string])[] = []): string {
    const thrown = (comment?.blockTags ?? []).filter(({ tag }) => tag === "@throws");
    const documented = thrown.map(({ name, content }): readonly [string, string] => {
      const text = markdownOf(content, this.places).trim();
      const found = /^(?:\[`(\w+)`\]\([^)]*\)|`(\w+)`)\s*/.exec(text);
      return [found?.[1] ?? found?.[2] ?? name ?? "", found ? text.slice(found[0].length) : text];
    });
    const others = refusals.filter(([error]) => !documented.some(([known]) => known === error));
    const rows = [...documented, ...others].map(([error, when]) => {
      return `| ${typeCode(error, this.places)} | ${cell(when)} | ${cell(adviceOn(error))} |`;
    });
    const every = "[errors of every call](../docs/errors.md#what-each-error-means-and-what-to-do)";
    if (rows.length === 0) return refusals.length > 0 ? `**Rejects with** the ${every}.` : "";
    return `${table(["Rejects with", "When", "What to do"], rows)}\n\nAlso the ${every}.`;
  }

  #example(comment: Comment | undefined, name: string): string {
    const program = programOf(name);
    if (program !== undefined) return `\`\`\`ts run\n${program}\`\`\``;
    const examples = comment?.blockTags.filter(({ tag }) => tag === "@example") ?? [];
    return examples.map(({ content }) => codeOf(markdownOf(content, this.places))).join("\n\n");
  }
}
