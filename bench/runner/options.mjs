/** The options of `npm run bench`. */
import { parseArgs } from "node:util";

export const HELP = `npm run bench -- [case …] [options]

  --quick       fewer rounds, about four minutes; writes nothing without --write
  --full        more rounds, and recordings of 1 GiB instead of 128 MiB
  --node 22     measure with this major version of Node, which is installed if missing; may be repeated: then all but
                the oldest version measure only the rows that the figures need
  --no-build    use the existing build
  --write       write the results of a quick run
  --no-write    write nothing
  --list        list the cases`;

export function readOptions(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      full: { type: "boolean", default: false },
      node: { type: "string", multiple: true, default: [] },
      "no-build": { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      "no-write": { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.quick && values.full) throw new Error("--quick and --full: choose one");
  return {
    names: positionals,
    mode: (values.quick && "quick") || (values.full && "full") || "usual",
    nodes: values.node,
    build: !values["no-build"],
    write: values.write || !(values["no-write"] || values.quick),
    list: values.list,
    help: values.help,
  };
}
