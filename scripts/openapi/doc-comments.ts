/**
 * Reads the doc comments of the source: of each type and its fields, and of each class and its methods. Only parses the
 * files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export interface DocComment {
  /** The text without tags, with links as code. */
  text: string;
  beta?: string;
}

export interface Documented extends DocComment {
  /** The fields of an interface, the methods of a class, or the properties of an object. */
  members: Map<string, DocComment>;
  /** The interfaces that it extends, the objects that its fields come from, or the objects that it spreads. */
  parents: string[];
}

const textOf = (comment: string | ts.NodeArray<ts.JSDocComment> | undefined) => {
  const parts = typeof comment === "string" || comment === undefined ? [comment ?? ""] : comment.map(partText);
  return parts
    .join("")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .join("\n\n");
};
/** A link is shown as code. */
const partText = (part: ts.JSDocComment) =>
  ts.isJSDocLinkLike(part) ? `\`${part.name?.getText() ?? ""}${part.text}\`` : part.text;

function commentOf(node: ts.Node): DocComment | undefined {
  const last = ts.getJSDocCommentsAndTags(node).findLast((part) => ts.isJSDoc(part));
  if (last === undefined || !ts.isJSDoc(last)) return undefined;
  const beta = last.tags?.find(({ tagName }) => tagName.text === "beta");
  return { text: textOf(last.comment), ...(beta === undefined ? {} : { beta: textOf(beta.comment) }) };
}

function membersOf(nodes: Iterable<ts.Node & { readonly name?: ts.Node | undefined }>): Map<string, DocComment> {
  const members = new Map<string, DocComment>();
  for (const node of nodes) {
    const comment = commentOf(node);
    const name = node.name?.getText();
    // The first overload has the comment.
    if (comment !== undefined && name !== undefined && !members.has(name)) members.set(name, comment);
  }
  return members;
}

/** The object literal in an initializer such as `{ … } as const` or `() => ({ … })`, or in the call of such a function. */
const objectIn = (node: ts.Node | undefined): ts.ObjectLiteralExpression | undefined => {
  if (node === undefined || ts.isObjectLiteralExpression(node)) return node;
  if (ts.isArrowFunction(node)) return objectIn(node.body);
  const isWrapper =
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isCallExpression(node);
  return isWrapper ? objectIn(node.expression) : undefined;
};

/** The names in a type such as `Infer<typeof roomFields>`. */
function namesIn(node: ts.Node): string[] {
  const names: string[] = [];
  const visit = (part: ts.Node): void => {
    if (ts.isIdentifier(part)) names.push(part.text);
    ts.forEachChild(part, visit);
  };
  visit(node);
  return names;
}

/** The comments of every interface, class and constant in the files directly in `folder` whose names match `only`. */
export function docComments(folder: string, only = /\.ts$/): Map<string, Documented> {
  const found = new Map<string, Documented>();
  const add = (name: string, node: ts.Node, members: Map<string, DocComment>, parents: string[] = []) =>
    found.set(name, { text: "", ...commentOf(node), members, parents });
  const visitObject = (name: string, node: ts.Node, object: ts.ObjectLiteralExpression) => {
    add(name, node, membersOf(object.properties), object.properties.filter(ts.isSpreadAssignment).flatMap(namesIn));
    for (const property of object.properties) {
      const inner = ts.isPropertyAssignment(property) ? objectIn(property.initializer) : undefined;
      if (inner !== undefined) visitObject(`${name}.${property.name?.getText()}`, property, inner);
    }
  };
  for (const file of readdirSync(folder).filter((name) => only.test(name))) {
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), "utf8"), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (ts.isInterfaceDeclaration(statement)) {
        const parents = statement.heritageClauses?.flatMap(namesIn);
        add(statement.name.text, statement, membersOf(statement.members), parents);
      } else if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
        add(statement.name.text, statement, membersOf(statement.members));
      } else if (ts.isVariableStatement(statement)) {
        for (const { name, initializer } of statement.declarationList.declarations) {
          const object = objectIn(initializer);
          if (object !== undefined) visitObject(name.getText(), statement, object);
        }
      }
    }
  }
  return found;
}

/** The comment of a member, from the type itself or from a parent. */
export function memberComment(all: Map<string, Documented>, type: string, member: string): DocComment | undefined {
  const documented = all.get(type);
  if (documented === undefined) return undefined;
  const inherited = documented.parents.map((parent) => memberComment(all, parent, member));
  return documented.members.get(member) ?? inherited.find((comment) => comment !== undefined);
}
