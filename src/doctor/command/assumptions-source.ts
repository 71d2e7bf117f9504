/** Renders the client's `assumptions` option as TypeScript code, ready to paste. */
import type { AssumptionOverrides } from "../../assumptions.js";

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const keyOf = (name: string) => (IDENTIFIER.test(name) ? name : JSON.stringify(name));

function objectSource(object: object, indent: string): string {
  const lines = Object.entries(object).map(([name, value]) => {
    const source = typeof value === "string" ? JSON.stringify(value) : objectSource(Object(value), `${indent}  `);
    return `${indent}  ${keyOf(name)}: ${source},\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

export const assumptionsSource = (assumptions: AssumptionOverrides): string =>
  `assumptions: ${objectSource(assumptions, "")},`;
