/**
 * Property tests draw the same examples in each run, so that a failure is the change's; SEED=… npm test draws others.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 20_261_120) });
