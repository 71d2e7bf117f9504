export function driftOf(documented: string, measured: string): string[];
