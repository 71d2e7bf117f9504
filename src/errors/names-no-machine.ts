/** Any character beyond ASCII counts as a letter: `\p{L}` would become large tables in React Native. */
const MACHINE =
  /:\/\/|\S@\S|[\w\u0080-\uffff-]\.[a-z\u0080-\uffff][\w\u0080-\uffff-]|\d\.\d{1,3}\.\d{1,3}\.\d|\w:\d|::|[\da-f]:[\da-f]{1,4}:|\blocalhost\b|\\|\(<anonymous>\)/i;

/** The beginning of the library's own messages: `meetings.get: the list has no mtg_2`. */
const OPERATION_PREFIX = /^[a-z]+\.[a-zA-Z]+: /;

/** Whether `text` names no host, address or line of code. A bare host such as `postgres` is not recognised. */
export const namesNoMachine = (text: string): boolean => !MACHINE.test(text.replace(OPERATION_PREFIX, ""));
