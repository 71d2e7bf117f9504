/** Mutants that no test can find, because nothing that a user could notice differs: each with the reason. */
interface EquivalentMutant {
  file: string;
  from: string;
  to: string;
  why: string;
}

export const EQUIVALENT: readonly EquivalentMutant[] = [
  {
    file: "src/errors/brand.ts",
    from: "true",
    to: "false",
    why: "instanceof asks only whether the property is there, not what it holds",
  },
  {
    file: "src/errors/error-record.ts",
    from: "{ return undefined; }",
    to: "{}",
    why: "a function that ends without a return returns undefined",
  },
  {
    file: "src/errors/error-record.ts",
    from: "bytesLeft <= 0",
    to: "bytesLeft < 0",
    why: "at exactly 0 the record has one field more, whose text is cut to nothing: it stays under 64 KB",
  },
  {
    file: "src/errors/http-date.ts",
    from: '""',
    to: '"Stryker was here!"',
    why: "each of them stands for a text that is no date, and this is no date, no month and no year either",
  },
  {
    file: "src/errors/http-date.ts",
    from: "[]",
    to: '["Stryker was here"]',
    why: "the first entry of a match is not read, and without a month there is no date",
  },
  {
    file: "src/errors/http-date.ts",
    from: "/^([a-z]{3}) ([a-z]{3}) ([ \\d]\\d) (\\S+) (\\d{4})$/i",
    to: "/^([a-z]{3}) ([a-z]{3}) ([ \\d]\\d) (\\S+) (\\d{4})/i",
    why: "what follows the year stays at the end of the text, where the other expression refuses it",
  },
  {
    file: "src/errors/retry-after.ts",
    from: '""',
    to: '"Stryker was here!"',
    why: "neither of them is a number or a date",
  },
];
