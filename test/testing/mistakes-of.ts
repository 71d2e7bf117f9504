import { createEmulator, EmulatorError } from "notetaker-sdk/testing";
import { expect } from "vitest";

/** The mistakes that `createEmulator` finds in options that TypeScript has not checked. */
export function mistakesOf(options: unknown): EmulatorError["mistakes"] {
  try {
    createEmulator(options as object);
  } catch (error) {
    expect(error).toBeInstanceOf(EmulatorError);
    expect((error as EmulatorError).message).toMatch(/^createEmulator: /);
    return (error as EmulatorError).mistakes;
  }
  return [];
}
