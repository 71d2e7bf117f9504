/**
 * Some implementations of `fetch` (node-fetch) know no web streams, and send `String(body)` instead: the text
 * "[object ReadableStream]" as a recording. Makes that throw. Returns whether it was tried.
 */
export function refuseAsText(stream: object): () => boolean {
  let wasTried = false;
  Object.defineProperty(stream, "toString", {
    value() {
      wasTried = true;
      throw new TypeError("this fetch cannot send a stream");
    },
  });
  return () => wasTried;
}
