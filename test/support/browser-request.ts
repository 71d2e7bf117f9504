/** The `Request` of a browser that sets the length of a body by itself and cannot send a stream. */
export class BrowserRequest extends Request {
  constructor(input: string | Request, init?: RequestInit) {
    super(input, init);
    this.headers.delete("content-length");
  }
}
