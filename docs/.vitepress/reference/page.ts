/** The template of a page of the reference. */
import type { Comment, DeclarationReflection } from "typedoc";
import { cell, markdownOf, methodsOf, type Places, resourceOf, signaturesOf, typeCode } from "./links.js";
import { type Declarations, isClass, isFunction, type PageOfReference } from "./model.js";
import { codeOf, commentOf, fieldsOf, heads, signature, table, wrapped } from "./page-parts.js";
import { IS_CLIENT, Rows } from "./rows.js";
import { adviceOn, type Call, callOf, programOf, sampleOf } from "./service.js";

/** Readers see the class that is extended, and not the function which makes it. */
function parentOf(written: string): string {
  const parent = written.replace(/^errorClass\((\w+)[\s\S]*/, "$1");
  if (parent.includes("(")) throw new Error(`the reference has no name for ${written}`);
  return parent;
}

export class PageTemplate {
  readonly #named: ReadonlyMap<string, DeclarationReflection>;
  readonly #rows: Rows;
  readonly #resources: ReadonlySet<string>;

  constructor(
    readonly places: Places,
    readonly declarations: Declarations,
    pages: readonly PageOfReference[],
  ) {
    const names = pages.flatMap(({ names }) => names.filter((name) => !name.isReference()));
    this.#named = new Map(names.map((name) => [name.name, name]));
    this.#resources = new Set(pages.filter(resourceOf).map(({ page }) => page));
    this.#rows = new Rows(places, declarations, this.#named);
  }

  page(page: PageOfReference): string {
    const resource = resourceOf(page);
    const own = page.names.filter((name) => !name.isReference() && name !== resource);
    const rank = (one: DeclarationReflection) => {
      if (isClass(one)) return one.name === "NotetakerError" ? -1 : 0;
      if (isFunction(one)) return one.name.startsWith("create") ? 1 : 2;
      return one.children !== undefined || one.type?.type === "reflection" ? 4 : 5;
    };
    const ranked = own.sort((a, b) => rank(a) - rank(b));
    // After the functions, the objects with methods that they return.
    const returned = ranked.filter(isFunction).map((one) => this.#returnedBy(one));
    const objects = returned.filter((one) => one !== undefined && ranked.includes(one) && methodsOf(one).length > 0);
    const last = ranked.findLastIndex(isFunction);
    const sorted = [...new Set([...ranked.slice(0, last + 1), ...(objects as DeclarationReflection[]), ...ranked])];
    const aliases = page.names.filter((name) => name.isReference());
    return [
      `# ${page.title}`,
      page.sentence,
      ...(resource === undefined
        ? this.#import(page.title, sorted.filter(isFunction))
        : this.#resource(resource, page)),
      ...(resource !== undefined && sorted.length > 0 ? ["## Types"] : []),
      ...sorted.map((one) => this.#name(one, resource === undefined ? 2 : 3)),
      ...(aliases.length > 0
        ? [`Also exported here: ${aliases.map(({ name }) => typeCode(name, this.places)).join(", ")}.`]
        : []),
    ].join("\n\n");
  }

  /** The type that a function returns, or resolves to. */
  #returnedBy(method: DeclarationReflection): DeclarationReflection | undefined {
    const [, type = ""] = /\): (?:\w*Promise<)?(\w+)(?:<[\s\S]*>)?$/.exec(this.#lastSignature(method)) ?? [];
    return this.#named.get(type);
  }

  #lastSignature(method: DeclarationReflection): string {
    return this.declarations.of(signaturesOf(method).at(-1) ?? method);
  }

  #import(title: string, functions: readonly DeclarationReflection[]): string[] {
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
      const sentence = /^(?:\([^)]*\)|[\s\S])*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
      const anchor = this.#anchor(owner === "" ? method.name : `${owner}.${method.name}`);
      return `| [\`${method.name}()\`](#${anchor}) | ${cell(sentence)} |`;
    });
    return [["| | |", "|---|---|", ...lines].join("\n")];
  }

  #resource(resource: DeclarationReflection, { page }: PageOfReference): string[] {
    const methods = methodsOf(resource);
    return [
      `\`notetaker.${page}\`. ${this.#text(resource.comment)}`,
      ...this.#index(methods, resource.name),
      ...methods.map((method) => this.#method(method, page, 2, this.#anchor(`${resource.name}.${method.name}`))),
    ];
  }

  #name(one: DeclarationReflection, level: number): string {
    const anchor = this.#anchor(one.name);
    if (isFunction(one)) return this.#method(one, "", level, anchor);
    const isAClass = isClass(one);
    const heading = heads(level, `${isAClass ? "Class " : ""}\`${one.name}\``, anchor);
    const methods = methodsOf(one);
    const fields = fieldsOf(one).filter((field) => !methods.includes(field));
    const declaration = isAClass || one.children !== undefined ? [] : [signature(this.declarations.of(one))];
    const [, parent] =
      /^(?:class|interface) \w+(?:<[^{]*?>(?= |$))? extends ([\s\S]*)$/.exec(this.declarations.of(one)) ?? [];
    const constructors = methods.filter(({ name }) => name === "constructor");
    const others = methods.filter(({ name }) => name !== "constructor");
    const title = (name: string) =>
      name.replace("[asyncIterator]", "[Symbol.asyncIterator]").replace("[asyncDispose]", "[Symbol.asyncDispose]");
    return [
      heading,
      this.#text(one.comment),
      ...(parent && one.children ? [`Extends ${typeCode(parentOf(parent), this.places)}.`] : []),
      ...declaration,
      ...this.#tags(one.comment),
      ...(fields.length > 0 ? [this.#rows.fields(fields, one)] : []),
      ...constructors.flatMap((method) => [
        signature(this.#signatures(method, one.name)),
        this.#rows.parameters(method.signatures?.at(-1)),
      ]),
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
    return signaturesOf(method)
      .map((one) => wrapped(`${name}${this.declarations.of(one) || "()"}`))
      .join("\n\n");
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
      this.#rows.parameters(signaturesOf(method).at(-1)),
      this.#result(method, call?.sample),
      this.#errors(method, owner, call?.refusals),
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

  #result(method: DeclarationReflection, sample: string | undefined): string {
    const returned = commentOf(method)?.getTag("@returns");
    const result = this.#lastSignature(method).split(/\): /).at(-1) ?? "";
    const [, promise = "", type = ""] = /^(\w+)<([\s\S]*)>$/.exec(result) ?? [];
    const isPage = promise === "PagePromise";
    const known = this.#named.get(type.replace(/\[\]$/, ""));
    const what = {
      PagePromise: `**Resolves to** a page; \`for await\` gives each ${typeCode(type, this.places)} of all pages.`,
      ApiPromise: `**Resolves to** ${typeCode(type, this.places)}.`,
      Promise: `**Resolves to** ${typeCode(type, this.places)}.`,
      AsyncIterableIterator: `**Yields** ${typeCode(type, this.places)}.`,
    }[promise];
    if (what === undefined) {
      if (returned) return `**Returns** ${markdownOf(returned.content, this.places)}`;
      return this.#returnedBy(method) ? `**Returns** ${typeCode(result, this.places)}.` : "";
    }
    const isData = known !== undefined && !isClass(known) && fieldsOf(known).length > 0;
    const fields = isData ? `\n\n${this.#rows.fields(fieldsOf(known), known)}` : "";
    const text = returned ? ` ${markdownOf(returned.content, this.places)}` : "";
    const nothing = type === "void" ? "**Resolves to** nothing." : undefined;
    const example = sample ?? sampleOf(type);
    const caption = sample === undefined ? "For example, as JSON:" : "A response of the service:";
    const response = example === undefined ? "" : `\n\n${caption}\n\n\`\`\`json\n${example}\n\`\`\``;
    const open = fieldsOf(known).length > 4 || isPage ? "" : " open";
    const details =
      fields && `\n\n<details${open}>\n<summary>Fields of ${known?.name}</summary>${fields}\n\n</details>`;
    return `${nothing ?? what}${text}${response}${details}`;
  }

  #errors(method: DeclarationReflection, owner: string, refusals: Call["refusals"] = []): string {
    const thrown = commentOf(method)?.blockTags.filter(({ tag }) => tag === "@throws") ?? [];
    const documented = thrown.map(({ name, content }): readonly [string, string] => {
      const text = markdownOf(content, this.places).trim();
      const found = /^(?:\[`(\w+)`\]\([^)]*\)|`(\w+)`)\s*/.exec(text);
      return [found?.[1] ?? found?.[2] ?? name ?? "", found ? text.slice(found[0].length) : text];
    });
    const others = refusals.filter(([error]) => !documented.some(([known]) => known === error));
    const rows = [...documented, ...others].map(([error, when]) => {
      return `| ${typeCode(error, this.places)} | ${cell(when)} | ${cell(adviceOn(error))} |`;
    });
    const every = "the [errors of every call](../docs/errors.md#what-each-error-means-and-what-to-do)";
    if (rows.length === 0) return refusals.length > 0 ? `**Rejects with** ${every}.` : "";
    const isLater = /\): (\w*Promise|Async\w*)</.test(this.#lastSignature(method));
    const sends =
      this.#resources.has(owner) ||
      signaturesOf(method).some((one) =>
        one.parameters?.some((_, index) => IS_CLIENT.test(this.declarations.typeOfParameter(one, index))),
      );
    const head = [isLater ? "Rejects with" : "Throws", "When", "What to do"];
    return `${table(head, rows)}${sends ? `\n\nAlso ${every}.` : ""}`;
  }

  #example(comment: Comment | undefined, name: string): string {
    const program = programOf(name);
    if (program !== undefined) return `\`\`\`ts run\n${program}\`\`\``;
    const examples = comment?.blockTags.filter(({ tag }) => tag === "@example") ?? [];
    return examples.map(({ content }) => codeOf(markdownOf(content, this.places))).join("\n\n");
  }
}
