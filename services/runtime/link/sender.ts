// Sends the frames of one event-loop tick as one message, and buffers messages while the peer reads slowly.
import type { Buffer } from 'node:buffer';
import type { Duplex } from '#runtime/grpc/grpc.ts';
import { FrameWriter } from './encode.ts';
import type { SentFragments } from './fragment.ts';
import type { Frame } from './frame.ts';

/** Size at which a message is sent before the tick ends, to stay below the peer's limit. */
const BATCH_BYTES_MAX = 1024 * 1024;
/** Limit of bytes buffered for a slow peer. A link with more is closed, since the peer's requests have timed out. */
const WAITING_BYTES_MAX = 256 * 1024 * 1024;

export class FrameSender {
  readonly #duplex: Duplex;
  readonly #writer: FrameWriter;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #scheduled = false;
  #blocked = false;
  #ended = false;

  constructor(duplex: Duplex, sent: SentFragments | null = null) {
    this.#duplex = duplex;
    this.#writer = new FrameWriter(sent);
    duplex.onDrain(() => this.#drained());
  }

  send(frame: Frame): void {
    if (this.#ended) return;
    this.#writer.add(frame);
    if (this.#writer.byteLength >= BATCH_BYTES_MAX) this.#flush();
    else if (!this.#scheduled && !this.#blocked) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        if (!this.#blocked) this.#flush();
      });
    }
  }

  end(): void {
    if (this.#ended) return;
    for (const message of this.#waiting.splice(0)) this.#duplex.send(message);
    if (this.#writer.byteLength > 0) this.#duplex.send(this.#writer.finish());
    this.#ended = true;
    this.#duplex.end();
  }

  #flush(): void {
    if (this.#ended || this.#writer.byteLength === 0) return;
    const message = this.#writer.finish();
    if (!this.#blocked) {
      this.#blocked = !this.#duplex.send(message);
      return;
    }
    this.#waiting.push(message);
    this.#waitingBytes += message.length;
    if (this.#waitingBytes <= WAITING_BYTES_MAX) return;
    this.#waiting = [];
    this.#ended = true;
    this.#duplex.end();
  }

  #drained(): void {
    this.#blocked = false;
    while (!this.#blocked) {
      const message = this.#waiting.shift();
      if (!message) {
        this.#flush();
        return;
      }
      this.#waitingBytes -= message.length;
      this.#blocked = !this.#duplex.send(message);
    }
  }
}
