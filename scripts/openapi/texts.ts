/** The doc comments of the source, as the OpenAPI document shows them: they speak of HTTP, not of this client. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Endpoint, wireRoute } from "../../src/endpoints/endpoint.js";
import { ENDPOINTS } from "../../src/endpoints/endpoints.js";
import { type DocComment, type Documented, docComments } from "./doc-comments.js";

const source = (path: string) => join(fileURLToPath(new URL("../../src", import.meta.url)), path);

export const COMMENTS: ReadonlyMap<string, Documented> = new Map([
  ...docComments(source("schemas")),
  ...docComments(source("resources")),
  ...docComments(source("."), /^assumptions\.ts$/),
]);

/** `GET /meetings/{meeting_id}/transcript` */
export const routeOf = ({ method, path }: Pick<Endpoint, "method" | "path">) => wireRoute(`${method} ${path}`);

const ROUTES = new Map<string, string>(ENDPOINTS.map((endpoint) => [endpoint.name, routeOf(endpoint)]));
const RESOURCES = [...new Set(ENDPOINTS.map(({ name }) => name.split(".")[0]))];

/**
 * What only this client has: its methods and options, which are in camel case (the service's names are in snake case),
 * and its package.
 */
const OF_THE_CLIENT = new RegExp(`\`[^\`]*[a-z][A-Z][^\`]*\`|\`(${RESOURCES.join("|")})\\.\\w+|notetaker-sdk|client's`);

/**
 * The first paragraph of a comment, without the sentences about this client. Methods are named by their endpoint. What
 * only users of the client need to know belongs in a later paragraph.
 */
export function httpText(comment: string): string {
  const [paragraph = ""] = comment.split("\n\n");
  return paragraph
    .replace(/`(\w+\.\w+)`/g, (code, name: string) => {
      const route = ROUTES.get(name.charAt(0).toLowerCase() + name.slice(1));
      return route === undefined ? code : `\`${route}\``;
    })
    .replace(/`expand: \["(\w+)"\]`/g, "`expand=$1`")
    .replace(/`(?!JOIN_)[A-Z]+(_[A-Z]+)+`/g, "the known values")
    .replace(/ \(see `[a-z]\w*[A-Z]\w*`\)/g, "")
    .split(/(?<=\.)\s+(?=[A-Z`])/)
    .filter((sentence) => !OF_THE_CLIENT.test(sentence))
    .join(" ");
}

/** The comment of the method that sends the request of an endpoint. */
export function commentOf({ name }: Endpoint): DocComment {
  const [group = "", method = ""] = name.split(".");
  const comment = COMMENTS.get(classOf(group))?.members.get(method);
  if (comment === undefined) throw new Error(`${name} has no doc comment`);
  return comment;
}

/** `meetings` is described by the comment of the class `Meetings`. */
export const classOf = (group: string) => group.charAt(0).toUpperCase() + group.slice(1);
