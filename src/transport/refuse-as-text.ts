/**
 * Makes `String(stream)` throw, and returns a function that tells whether this has happened. Some implementations of
 * `fetch` (node-fetch) do not support web streams. They would send `String(body)`, the text "[object ReadableStream]",
 * as the recording.
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
