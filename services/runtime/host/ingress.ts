// Accepts links and unary calls from other processes and counts them, so that a draining host finishes every accepted
// call.
import { refuse } from '#runtime/call/call.ts';
import type { Duplex, UnaryCall } from '#runtime/grpc/grpc.ts';
import { failure } from '#runtime/grpc/unary.ts';
import { type LinkHost, type LinkServer, serveLink } from '#runtime/link/server.ts';
import type { Notice } from '#runtime/nats/notice.ts';

const LOOK_MS = 5;

export class HostIngress {
  readonly #host: LinkHost;
  readonly #unary: (call: UnaryCall) => Promise<Buffer>;
  readonly #links = new Set<LinkServer>();
  #calls = 0;
  #draining = false;

  constructor(host: LinkHost, unary: (call: UnaryCall) => Promise<Buffer>) {
    this.#host = host;
    this.#unary = unary;
  }

  get inFlight(): number {
    let count = this.#calls;
    for (const link of this.#links) count += link.inFlight;
    return count;
  }

  open(duplex: Duplex): void {
    const host: LinkHost = {
      hello: () => this.#hello(),
      dispatch: (ask, cancellation) => this.#host.dispatch(ask, cancellation),
    };
    const link = serveLink(duplex, host, (gone) => this.#links.delete(gone));
    this.#links.add(link);
  }

  async call(call: UnaryCall): Promise<Buffer> {
    if (this.#draining)
      throw failure(refuse('service_unavailable', 'This host is about to end. Ask another one.', { retryAfterS: 1 }));
    this.#calls++;
    try {
      return await this.#unary(call);
    } finally {
      this.#calls--;
    }
  }

  notify(notice: Notice): void {
    for (const link of this.#links) link.notify(notice);
  }

  drain(): void {
    this.#draining = true;
    for (const link of this.#links) link.drain();
  }

  async emptied(answersMs: number, leavesMs: number): Promise<boolean> {
    const answered = await within(answersMs, () => this.inFlight === 0);
    return (await within(leavesMs, () => this.#links.size === 0)) && answered;
  }

  #hello() {
    const hello = this.#host.hello();
    return this.#draining ? { ...hello, draining: true } : hello;
  }
}

const within = async (ms: number, holds: () => boolean): Promise<boolean> => {
  const until = performance.now() + ms;
  while (!holds()) {
    if (performance.now() >= until) return false;
    await Bun.sleep(LOOK_MS);
  }
  return true;
};
