/** The cost of validating a response, in units of `JSON.parse` of the same text. */
const ROUNDS = { quick: "7", usual: "15", full: "15" };
const [ROOMS, SEGMENTS] = ["100 rooms of 10 meetings", "50,000 segments"];

export default {
  title: "Validation alone",
  metrics: {
    parse: { title: "`JSON.parse`, CPU, ms", digits: 2 },
    validated: { title: "validated, in units of it", digits: 2, unitless: true },
    zod: { title: "by zod alone, in units of it", digits: 2, unitless: true },
  },
  rounds: { quick: 3, usual: 5, full: 9 },
  programs: ({ mode }) => [{ program: "programs/validation.mjs", args: [ROUNDS[mode]] }],
  figures: [
    { title: `validating ${ROOMS}, beside JSON.parse`, row: ROOMS, metric: "validated", wanted: 0.5 },
    { title: `validating ${SEGMENTS}, beside JSON.parse`, row: SEGMENTS, metric: "validated", wanted: 0.3 },
  ],
};
