/** The used part of `node:sqlite`: the types of Node 20 lack it. */
declare module "node:sqlite" {
  type Value = null | number | bigint | string | Uint8Array;
  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): {
      run(...values: Value[]): unknown;
      // biome-ignore lint/suspicious/noExplicitAny: a column may have any type
      all(...values: Value[]): Record<string, any>[];
      // biome-ignore lint/suspicious/noExplicitAny: a column may have any type
      get(...values: Value[]): Record<string, any> | undefined;
    };
    close(): void;
  }
}
