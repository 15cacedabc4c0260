// Implements the edge's end of the link: a stream to each host, with answers matched to requests, and reconnects.
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { connectRpc, type Duplex, type RpcClient } from '#runtime/grpc/grpc.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import type { Log } from '#runtime/process/log.ts';
import { NumberTable } from '#values/number_table.ts';
import { decodeBatch } from './decode.ts';
import { HeldFragments } from './fragment.ts';
import { type Answer, type Ask, type Hello, type LinkClient, NO_BYTES } from './frame.ts';
import { FrameSender } from './sender.ts';

const OUTSTANDING_MAX = 8_192;
const RECONNECT_FIRST_MS = 20;
const RECONNECT_LAST_MS = 1_000;
/** How long a read waits for another host when its own was lost, in ms; a broken link reconnects sooner. */
const REROUTE_MS = 1_000;
const SWEEP_MS = 50;

export const LINK_PATH = '/stoa.v1.Link/Exchange';

const refused = (refusal: Answer['refused']): Answer => ({
  body: NO_BYTES,
  dependsOn: [],
  replayed: false,
  refused: refusal,
});

const notSent = (): Answer =>
  refused(refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: 1 }));

/** Answer to a request whose host was lost: a read had no effect, a write may have had one. */
const lost = (write: boolean): Answer =>
  write
    ? refused(refuse('server_error', 'The outcome is unknown. Send the same request with the same key again.'))
    : notSent();

interface Outstanding {
  readonly done: (answer: Answer) => void;
  readonly write: boolean;
  readonly overdueAt: number;
}

class HostLink {
  readonly address: string;
  readonly #client: RpcClient;
  readonly #log: Log;
  readonly #hear: (notice: Notice | null) => void;
  readonly #arrived: () => void;
  readonly #outstanding = new NumberTable<Outstanding>();
  #sender: FrameSender | null = null;
  #duplex: Duplex | null = null;
  #hello: Hello | null = null;
  #nextId = 1;
  #backoffMs = RECONNECT_FIRST_MS;
  #loggedProblem = '';
  #closed = false;

  constructor(
    address: string,
    token: string,
    log: Log,
    listener: (notice: Notice | null) => void,
    arrived: () => void,
  ) {
    this.address = address;
    this.#client = connectRpc(address, token);
    this.#log = log;
    this.#hear = listener;
    this.#arrived = arrived;
    this.#connect();
  }

  serves(service: string): boolean {
    return this.#hello !== null && !this.#hello.draining && this.#hello.services.includes(service);
  }

  get outstanding(): number {
    return this.#outstanding.size;
  }

  ask(ask: Ask, write: boolean, overdueAt: number): Promise<Answer> {
    const sender = this.#sender;
    if (!sender || this.#outstanding.size >= OUTSTANDING_MAX) return Promise.resolve(notSent());
    const id = this.#nextId;
    this.#nextId = id === 0xffff_ffff ? 1 : id + 1;
    return new Promise((done) => {
      this.#outstanding.set(id, { done, write, overdueAt });
      sender.send({ kind: 'ask', id, ask });
    });
  }

  cancelWaits(): void {
    for (const [id] of this.#outstanding.entries()) this.#sender?.send({ kind: 'cancel', id });
  }

  sweep(nowMs: number): void {
    for (const [id, waiting] of this.#outstanding.entries()) {
      if (waiting.overdueAt > nowMs) continue;
      this.#outstanding.take(id);
      this.#sender?.send({ kind: 'cancel', id });
      waiting.done(lost(waiting.write));
    }
  }

  close(): void {
    this.#closed = true;
    const sender = this.#sender;
    this.#lose('');
    sender?.end();
    this.#client.close();
  }

  #connect(): void {
    if (this.#closed) return;
    const duplex = this.#client.stream(LINK_PATH);
    const held = new HeldFragments();
    this.#duplex = duplex;
    duplex.onMessage((bytes) => {
      for (const frame of decodeBatch(bytes, held)) {
        if (frame.kind === 'answer') {
          this.#outstanding.take(frame.id)?.done(frame.answer);
        } else if (frame.kind === 'changed') this.#hear(frame.notice);
        else if (frame.kind === 'hello') {
          this.#hello = frame.hello;
          if (!frame.hello.draining) this.#greet(duplex, frame.hello);
        }
      }
      // Disconnects from a draining host once all answers have arrived, since the host waits for that.
      if (this.#hello?.draining && this.#outstanding.size === 0) duplex.end();
    });
    duplex.onEnd((problem) => {
      if (this.#duplex !== duplex) return;
      this.#lose(problem);
      setTimeout(() => this.#connect(), this.#backoffMs * (0.5 + Math.random()));
      this.#backoffMs = Math.min(this.#backoffMs * 2, RECONNECT_LAST_MS);
    });
  }

  #greet(duplex: Duplex, { services }: Hello): void {
    if (!this.#sender) {
      this.#sender = new FrameSender(duplex);
      this.#backoffMs = RECONNECT_FIRST_MS;
      this.#loggedProblem = '';
      // Without a link notices were missed, so all cached copies may be stale.
      this.#hear(null);
      this.#log.info({ host: this.address, services }, 'link up');
    }
    this.#arrived();
  }

  #lose(problem: string): void {
    const fields = { host: this.address, problem, inFlight: this.#outstanding.size };
    if (this.#sender) {
      if (this.#hello?.draining) this.#log.info(fields, 'link left: the host is about to end');
      else if (this.#closed) this.#log.info(fields, 'link closed');
      else this.#log.warn(fields, 'link lost');
    } else if (!this.#closed && problem !== this.#loggedProblem) {
      // Logs a repeated problem once, since a wrong token or address fails at every attempt.
      this.#loggedProblem = problem;
      this.#log.warn({ host: this.address, problem }, 'no link to this host yet');
    }
    this.#duplex = null;
    this.#sender = null;
    this.#hello = null;
    const waited = this.#outstanding.entries();
    this.#outstanding.clear();
    for (const [, waiting] of waited) waiting.done(lost(waiting.write));
    this.#hear(null);
  }
}

/** Hashes host and key with FNV-1a for rendezvous hashing: a key stays with its host when other hosts come or go. */
function claim(host: string, key: string): number {
  let hash = 0x811c9dc5;
  for (const text of [host, key])
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // Mixes the bits, because FNV-1a lets the last characters of a key change little more than the low bits.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const isFault = ({ code }: Refusal): boolean => code === 'service_unavailable' || code === 'server_error';

const NONE: readonly HostLink[] = [];

export function connectLinks(config: { addresses: readonly string[]; token: string; log: Log }): LinkClient {
  const listeners: ((notice: Notice | null) => void)[] = [];
  const listener = (notice: Notice | null): void => {
    for (const each of listeners) each(notice);
  };
  const expectant = new Set<() => void>();
  const arrived = (): void => {
    for (const look of [...expectant]) look();
  };
  const links = config.addresses.map((address) => new HostLink(address, config.token, config.log, listener, arrived));
  /** Timer for overdue requests; runs only while a caller waits, so that an idle process sleeps. */
  let sweeper: ReturnType<typeof setInterval> | undefined;
  const sweep = (): void => {
    const nowMs = performance.now();
    for (const link of links) link.sweep(nowMs);
    if (links.some(({ outstanding }) => outstanding > 0)) return;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  /**
   * Chooses the host for a store. All calls of a store go to one host while it is reachable, because that host has the
   * store's catalogue in memory.
   */
  const choose = (service: string, store: string, not: readonly HostLink[]): HostLink | null => {
    let best: HostLink | null = null;
    let bestClaim = -1;
    for (const link of links) {
      if (not.includes(link) || !link.serves(service)) continue;
      if (links.length === 1) return link;
      const its = claim(link.address, store);
      if (its > bestClaim) {
        best = link;
        bestClaim = its;
      }
    }
    return best;
  };

  const chosenWithin = (service: string, store: string, withinMs: number): Promise<HostLink | null> =>
    new Promise((done) => {
      const end = (link: HostLink | null): void => {
        clearTimeout(late);
        expectant.delete(look);
        done(link);
      };
      const look = (): void => {
        const link = choose(service, store, NONE);
        if (link) end(link);
      };
      const late = setTimeout(end, withinMs, null);
      expectant.add(look);
      look();
    });

  return {
    async ask(ask, write) {
      const service = ask.rpc.slice(0, ask.rpc.indexOf('/'));
      const { store } = ask.caller.tenant;
      const first = choose(service, store, NONE);
      if (!first) return notSent();
      let link: HostLink = first;
      const overdueAt = performance.now() + ask.timeoutMs;
      const asked: HostLink[] = [];
      for (let retried = false; ; ) {
        const answering = link.ask(ask, write, overdueAt);
        sweeper ??= setInterval(sweep, SWEEP_MS);
        const answer: Answer = await answering;
        asked.push(link);
        if (!answer.refused || asked.length > links.length) return answer;
        if (!answer.notStarted) {
          // Retries once at most, and only a call that is safe to repeat: a read, or a write with an idempotency key.
          if (retried || link.serves(service) || (write && !ask.idempotency) || !isFault(answer.refused)) return answer;
          retried = true;
        }
        const other = choose(service, store, asked);
        const leftMs = Math.min(REROUTE_MS, overdueAt - performance.now());
        const next: HostLink | null =
          other || (write && !answer.notStarted) ? other : await chosenWithin(service, store, leftMs);
        if (!next) return answer;
        link = next;
      }
    },
    listen: (each) => void listeners.push(each),
    serves: (service) => links.some((link) => link.serves(service)),
    cancelWaits: () => {
      for (const link of links) link.cancelWaits();
    },
    async close() {
      clearInterval(sweeper);
      for (const link of links) link.close();
    },
  };
}
