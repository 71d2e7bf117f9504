/**
 * The value of an environment variable; `undefined` if it is missing or empty, or if the runtime has no environment.
 */
export function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined;
  } catch {
    // Deno asks for a permission, and throws if it is denied.
    return undefined;
  }
}
