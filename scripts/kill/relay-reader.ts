/** A reader of a relay that is killed many times. It records the events that it received. */
import { subscribe } from "notetaker-sdk/webhooks";

/** The kind of event that tells a reader that it missed events. */
const RESYNC = "resync";

export class RelayReader {
  /** The numbers of the received events, and a `resync` for each time that some were missed, in order. */
  readonly #trail: (number | typeof RESYNC)[] = [];
  readonly #controller = new AbortController();
  readonly #reading: Promise<unknown>;
  readonly #events: ReturnType<typeof subscribe>;
  connections = 0;
  /** The number of the last event. */
  last = -1;
  resyncs = 0;

  /** @param url - Returns the URL of the relay. Called for each connection. */
  constructor(url: () => string) {
    this.#events = subscribe("http://127.0.0.1/", {
      signal: this.#controller.signal,
      fetch: (_, init) => {
        this.connections += 1;
        return fetch(url(), init);
      },
    });
    this.#reading = this.#read().catch((error: unknown) => error);
  }

  async #read(): Promise<void> {
    for await (const { kind, payload } of this.#events) {
      if (kind === RESYNC) {
        this.resyncs += 1;
        this.#trail.push(RESYNC);
      } else {
        this.last = payload.number as number;
        this.#trail.push(this.last);
      }
    }
  }

  /** Whether the reader has its first position in the log. It receives the events after that position. */
  get hasPlace(): boolean {
    return this.#events.lastEventId !== undefined;
  }

  get received(): number {
    return this.#trail.length - this.resyncs;
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#reading;
  }

  /** The events that are missing without a resync before them, and the events that came twice or in the wrong order. */
  differences(name: string, published: ReadonlySet<number>): string[] {
    const found: string[] = [];
    const numbers = [...published].sort((a, b) => a - b);
    let next = 0;
    let before = -1;
    let wasTold = false;
    for (const entry of [...this.#trail, Number.POSITIVE_INFINITY]) {
      if (entry === RESYNC) {
        wasTold = true;
        continue;
      }
      if (entry <= before) found.push(`${name}: event ${entry} came after event ${before}`);
      for (let number = numbers[next]; number !== undefined && number <= entry; number = numbers[next]) {
        if (number < entry && !wasTold) found.push(`${name}: event ${number} was published and not received`);
        next += 1;
      }
      before = entry;
      wasTold = false;
    }
    return found;
  }
}
