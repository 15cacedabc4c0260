// How a connection ends: its caller is told all, and one who still sends what is not wanted is heard out, within bounds. Ended
// before that it would be reset, and many read the answer only when they have said all.
import type { Socket } from 'bun';

/** For as long and as far as a body may take. */
const LINGER_MS = 15_000;
const LINGER_BYTES_MAX = 32 * 1024 * 1024;
/** Where the edge stops. */
export const LINGER_LAST_MS = 2_000;

export class Farewell {
  readonly #client: Pick<Socket, 'end' | 'shutdown' | 'terminate'>;
  /** It may not have said all that it has begun to say. */
  #sending: boolean;
  #unwantedBytes = 0;
  /** All is written that it is owed. */
  told = false;

  constructor(client: Pick<Socket, 'end' | 'shutdown' | 'terminate'>, sending: boolean) {
    this.#client = client;
    this.#sending = sending;
  }

  /** All is written. For how long it is heard out, in ms; 0: not at all. `ended`: it has said all that it will. */
  tell(ended: boolean, closing: boolean): number {
    if (this.told) return 0;
    this.told = true;
    if (ended || !this.#sending) {
      this.#client.end();
      return 0;
    }
    this.#client.shutdown();
    return closing ? LINGER_LAST_MS : LINGER_MS;
  }

  /** What came is not wanted. */
  discard(bytes: Uint8Array): void {
    this.#sending = true;
    this.#unwantedBytes += bytes.length;
    if (this.#unwantedBytes > LINGER_BYTES_MAX) this.#client.terminate();
  }
}
