/** The app that Metro bundles: React Native's own `fetch` and the program. */
require("./native-modules.js");
require("react-native/Libraries/Core/setUpXHR");

const { program } = require("./program.js");

global.fromHost.start = (input) =>
  program(input).then(
    (results) => global.toHost({ kind: "results", results }),
    (error) => global.toHost({ kind: "failure", message: `${error?.stack}` }),
  );
global.toHost({ kind: "ready" });
