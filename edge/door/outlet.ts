// Bytes on their way into a socket: what it does not take now waits here, in order, and their sender is asked to stop.

export interface Sink {
  write(bytes: Uint8Array): number;
}

export class Outlet {
  #sink: Sink | null = null;
  #waiting: Uint8Array[] = [];
  #last: (() => void) | null = null;

  /** What was written until now has waited for it, and goes with the next `flush`. */
  open(sink: Sink): void {
    this.#sink = sink;
  }

  /** Whether all of it went; else nothing more should come until `flush` says so. */
  write(bytes: Uint8Array): boolean {
    if (this.#last) return true;
    if (this.#sink && this.#waiting.length === 0) {
      const taken = this.#sink.write(bytes);
      // A socket that is closed takes nothing ever: it is told elsewhere.
      if (taken < 0 || taken >= bytes.length) return true;
      this.#waiting.push(bytes.slice(taken));
    } else this.#waiting.push(bytes.slice());
    return false;
  }

  /** The socket takes bytes again. Whether all went. */
  flush(): boolean {
    if (!this.#sink) return false;
    while (this.#waiting.length > 0) {
      const bytes = this.#waiting[0] as Uint8Array;
      const taken = this.#sink.write(bytes);
      if (taken >= 0 && taken < bytes.length) {
        this.#waiting[0] = bytes.subarray(taken);
        return false;
      }
      this.#waiting.shift();
    }
    this.#last?.();
    return true;
  }

  /** Takes nothing more, and does this once all is written. */
  end(last: () => void): void {
    if (this.#last) return;
    this.#last = last;
    if (this.#sink && this.#waiting.length === 0) last();
  }
}
