/** The app that Metro bundles: React Native's own `fetch` and the program. */

// Hermes 0.12 has no TextEncoder; the Hermes of React Native 0.74 and later has one.
global.TextEncoder ??= class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (character) => character.charCodeAt(0));
  }
};
require("./native-modules.js");
require("react-native/Libraries/Core/setUpXHR");

const { program } = require("./program.js");

global.fromHost.start = (input) =>
  program(input).then(
    (results) => global.toHost({ kind: "results", results }),
    (error) => global.toHost({ kind: "failure", message: `${error?.stack}` }),
  );
global.toHost({ kind: "ready" });
