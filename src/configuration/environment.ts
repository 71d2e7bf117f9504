/** An environment variable, if the runtime has any; an empty one counts as missing. */
export function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined;
  } catch {
    // Deno asks for a permission, and throws if it is denied.
    return undefined;
  }
}
