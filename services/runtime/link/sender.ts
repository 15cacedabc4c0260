// Gathers the frames of one event-loop turn into one message, and waits when the peer reads more slowly.
import type { Duplex } from '#runtime/grpc.ts';
import { FrameWriter } from './encode.ts';
import type { Frame } from './frame.ts';

/** A batch is sent early at this size, so that no message grows past what a peer takes. */
const BATCH_BYTES_MAX = 1024 * 1024;
/** Frames that may wait for a slow peer; beyond it the link is broken off, as the peer will have timed out. */
const WAITING_FRAMES_MAX = 100_000;

export class FrameSender {
  readonly #duplex: Duplex;
  readonly #writer = new FrameWriter();
  readonly #waiting: Frame[] = [];
  #scheduled = false;
  #blocked = false;
  #ended = false;

  constructor(duplex: Duplex) {
    this.#duplex = duplex;
    duplex.onDrain(() => {
      this.#blocked = false;
      for (const frame of this.#waiting.splice(0)) this.send(frame);
    });
  }

  send(frame: Frame): void {
    if (this.#ended) return;
    if (this.#blocked) {
      if (this.#waiting.length >= WAITING_FRAMES_MAX) this.end();
      else this.#waiting.push(frame);
      return;
    }
    this.#writer.add(frame);
    if (this.#writer.byteLength >= BATCH_BYTES_MAX) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#flush());
    }
  }

  /** Sends what was gathered, then ends the stream. */
  end(): void {
    if (this.#ended) return;
    this.#flush();
    this.#ended = true;
    this.#duplex.end();
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#writer.byteLength > 0 && !this.#ended) this.#blocked = !this.#duplex.send(this.#writer.finish());
  }
}
