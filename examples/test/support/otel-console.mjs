/** Loaded with `--import`: prints the name and the account of each span, as an exporter would send it. */
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";

const exporter = {
  export(spans, done) {
    for (const { name } of spans) console.log(`span ${name}`);
    done({ code: 0 });
  },
  async shutdown() {},
};
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
