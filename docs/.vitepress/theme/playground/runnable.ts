/** Which blocks of the guides get a Run button: those that a browser can run, and that do something. */
import type MarkdownIt from "markdown-it";

/** The modules that a program in the browser may import. */
const MODULES = ["", "/testing", "/transcript", "/webhooks", "/tools", "/doctor"].map((path) => `notetaker-sdk${path}`);

/** Node's `process`, a server, or a host that is not the emulated service. */
const NEEDS_A_SERVER = /\bprocess\.(?!env\b)|\.listen\(|https?:\/\/(localhost|127\.|app\.)|\bdeclare function\b/;
/** Prints something, sends a request, or receives the events that the emulator sends. */
const DOES_SOMETHING =
  /^(?! |export|async function|function).*(\bawait\b|\bconsole\.)|^(for|if|try)\b|=\n *await\b|secrets: process\.env/m;

/** `info` is what stands after the fence. Blocks without a flag, and with `run`, are run by the tests as they stand. */
function isRunnable(info: string, code: string): boolean {
  if (!/^ts( run)?$/.test(info.trim())) return false;
  const imported = [...code.matchAll(/\bfrom "([^"]+)"/g)].map(([, name = ""]) => name);
  return imported.every((name) => MODULES.includes(name)) && !NEEDS_A_SERVER.test(code) && DOES_SOMETHING.test(code);
}

/** Wraps the runnable blocks in the component. It has to be called before anything changes the fences' flags. */
export function addRunButtons(md: MarkdownIt): void {
  md.core.ruler.push("runnable", ({ tokens, env }) => {
    // The tests do not run the examples of the reference.
    if ((env as { relativePath?: string }).relativePath?.startsWith("reference/")) return;
    for (const token of tokens) {
      if (token.type === "fence") token.meta = { ...token.meta, isRunnable: isRunnable(token.info, token.content) };
    }
  });
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...others) => {
    const html = fence?.(tokens, index, ...others) ?? "";
    return tokens[index]?.meta?.isRunnable ? `<RunBlock>${html}</RunBlock>\n` : html;
  };
}
