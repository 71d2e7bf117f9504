/** Public names as TypeScript: what TypeDoc has read from the source, with the names that the source has for unions. */
import {
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type TypeParameterReflection,
} from "typedoc";

/** Parents that users cannot import. What they add is shown as the member of the class or interface itself. */
export const HIDDEN_PARENT = /^(Infer|Resource|MeetingWaiters)\b/;

function typeParametersOf(all: readonly TypeParameterReflection[] = []): string {
  const texts = all.map(({ name, flags, type, default: otherwise }) => {
    const word = flags.isConst ? "const " : "";
    return `${word}${name}${type ? ` extends ${type}` : ""}${otherwise ? ` = ${otherwise}` : ""}`;
  });
  return texts.length === 0 ? "" : `<${texts.join(", ")}>`;
}

/** A parameter with a default is optional. */
function signatureOf({ kind, typeParameters, parameters = [], type }: SignatureReflection, arrow = ": "): string {
  const texts = parameters.map(({ name, flags, defaultValue, type }) => {
    const shown = name === "__namedParameters" ? "options" : name;
    const isOptional = flags.isOptional || defaultValue !== undefined;
    return `${flags.isRest ? "..." : ""}${shown}${isOptional ? "?" : ""}: ${type}`;
  });
  if (kind === ReflectionKind.ConstructorSignature) return `(${texts.join(", ")})`;
  return `${typeParametersOf(typeParameters)}(${texts.join(", ")})${arrow}${type}`;
}

/** `// @beta` before what is beta. */
const marksOf = ({ comment, signatures = [], getSignature }: DeclarationReflection): string => {
  const comments = [comment, getSignature?.comment, ...signatures.map((one) => one.comment)];
  const tags = ["@beta", "@deprecated"] as const;
  return tags.map((tag) => (comments.some((one) => one?.getTag(tag)) ? `// ${tag}\n` : "")).join("");
};

/** A member with overloads has a line for each. */
function memberOf(member: DeclarationReflection): string[] {
  const { name, flags, signatures, getSignature, type } = member;
  const words = [flags.isStatic && "static ", (flags.isReadonly || getSignature) && "readonly "]
    .filter(Boolean)
    .join("");
  const start = `${marksOf(member)}${words}${name}${flags.isOptional ? "?" : ""}`;
  if (signatures === undefined) return [`${start}: ${getSignature?.type ?? type}`];
  return signatures.map((one) => `${start}${signatureOf(one)}`);
}

const indexesOf = ({ indexSignatures = [] }: DeclarationReflection): string[] =>
  indexSignatures.map((one) => signatureOf(one).replace("(", "[").replace("):", "]:"));

/** The members, without those that a shown parent has. */
function membersOf(one: DeclarationReflection): string[] {
  const parents = (one.extendedTypes ?? []).filter((type) => !HIDDEN_PARENT.test(String(type)));
  const names = parents.map((type) => /^\w+/.exec(String(type))?.[0]);
  const reflections = parents.map((type) => (type.type === "reference" ? type.reflection : undefined));
  const inherited = reflections.flatMap((parent) => (parent?.isDeclaration() ? membersOf(parent) : []));
  const own = (one.children ?? []).filter(({ inheritedFrom }) => !names.includes(inheritedFrom?.name.split(".")[0]));
  return [...indexesOf(one), ...own.flatMap(memberOf)].filter((line) => !inherited.includes(line));
}

// TypeDoc itself leaves out the parameters of methods in the type of an object, `readonly` and `...`.
Object.assign(ReflectionType.prototype, {
  getTypeString(this: ReflectionType): string {
    const { declaration } = this;
    const { signatures = [], children = [] } = declaration;
    const parts = [...indexesOf(declaration), ...children.flatMap(memberOf)];
    const [only] = signatures;
    if (only !== undefined && signatures.length === 1 && parts.length === 0) return signatureOf(only, " => ");
    return `{ ${[...signatures.map((one) => signatureOf(one)), ...parts].join("; ")} }`.replace("{  }", "{}");
  },
});

export class DeclarationText {
  /** The values of lists, as a union, and of other constants. */
  readonly #values = new Map<string, string>();
  /** The longest union is first. */
  readonly #aliases: [values: string, name: string][] = [];

  constructor(project: ProjectReflection) {
    const named = (kind: ReflectionKind) => project.getReflectionsByKind(kind) as DeclarationReflection[];
    for (const { name, type } of named(ReflectionKind.Variable | ReflectionKind.Property)) {
      const [, list, text] = /^readonly \[(".*")\]$|^"([^"]*)"$/.exec(String(type)) ?? [];
      const values = list?.replaceAll(", ", " | ") ?? text;
      if (values !== undefined) this.#values.set(name, values);
    }
    for (const { name, type } of named(ReflectionKind.TypeAlias)) {
      const values = this.#named(String(type));
      if (/^"\w+"( \| "\w+")+$|^`\w+\$\{string\}`$/.test(values)) this.#aliases.push([values, name]);
    }
    this.#aliases.sort(([left], [right]) => right.length - left.length);
  }

  #named(text: string, except?: string): string {
    const written = text
      .replace(/typeof (\w+)\[number\]/g, (all, name) => this.#values.get(name) ?? all)
      .replace(/\$\{typeof (\w+)\}/g, (all, name) => this.#values.get(name) ?? all)
      .replace(/string & \{\}((?: \| (?:"[^"]*"|\w+))+)?/g, (_, others: string | undefined) =>
        others === undefined ? "(string & {})" : `${others.replace(" | ", "")} | (string & {})`,
      );
    return this.#aliases
      .filter(([, name]) => name !== except)
      .reduce(
        (result, [values, name]) => result.replaceAll(`(${values})[]`, `${name}[]`).replaceAll(values, name),
        written,
      );
  }

  type(type: unknown): string {
    return this.#named(String(type));
  }

  /** For example `(params?: RoomListParams): PagePromise<Room>`. */
  signature(signature: SignatureReflection): string {
    return this.#named(signatureOf(signature));
  }

  /** The line of a class or an interface before its members. */
  head({ kind, name, typeParameters, extendedTypes = [] }: DeclarationReflection): string {
    const parents = extendedTypes.map((type) => String(type).replace("<this>", ""));
    const shown = parents.filter((text) => !HIDDEN_PARENT.test(text)).join(", ");
    const word = kind === ReflectionKind.Class ? "class" : "interface";
    return this.#named(`${word} ${name}${typeParametersOf(typeParameters)}${shown === "" ? "" : ` extends ${shown}`}`);
  }

  /** The whole declaration, also of a name that is declared elsewhere. */
  declaration(reference: DeclarationReflection): string {
    const one = reference.isReference() ? (reference.getTargetReflectionDeep() as DeclarationReflection) : reference;
    const { kind, name, typeParameters, signatures, type } = one;
    const marks = marksOf(one);
    if (signatures !== undefined) {
      return signatures.map((each) => `${marks}function ${name}${this.signature(each)};`).join("\n");
    }
    if (one.kindOf(ReflectionKind.ClassOrInterface)) {
      const lines = membersOf(one).map((text) => `${this.#named(text).replace(/^/gm, "  ")};\n`);
      return `${marks}${this.head(one)} {\n${lines.join("")}}`;
    }
    if (kind !== ReflectionKind.TypeAlias) return `${marks}const ${name}: ${this.type(type)};`;
    return `${marks}type ${this.#named(`${name}${typeParametersOf(typeParameters)} = ${type}`, name)};`;
  }
}
