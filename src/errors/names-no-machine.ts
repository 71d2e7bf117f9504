/**
 * What names a machine or a position in code: a URL, a mail address, a dotted name (a host or a file), a port or a line
 * number, an IP address, a line of a stack. Each alternative looks at a few characters only. Any character outside of
 * ASCII counts as a letter: `\p{L}` would become tables of many kilobytes in the bundles of React Native.
 */
const MACHINE =
  /:\/\/|\S@\S|[\w\u0080-\uffff-]\.[a-z\u0080-\uffff][\w\u0080-\uffff-]|\d\.\d{1,3}\.\d{1,3}\.\d|\w:\d|::|[\da-f]:[\da-f]{1,4}:|\blocalhost\b|\\|\(<anonymous>\)/i;

/** The beginning of the library's own messages: `meetings.get: the list has no mtg_2`. */
const OPERATION_PREFIX = /^[a-z]+\.[a-zA-Z]+: /;

/**
 * Whether `text`, which the service may have written, can be shown to users of a page: it names no host, address or
 * line of code. A host without a dot or a port, such as `postgres`, is not recognised.
 */
export const namesNoMachine = (text: string): boolean => !MACHINE.test(text.replace(OPERATION_PREFIX, ""));
