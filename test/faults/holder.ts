// Holders of stock during faults, who record their answers: a part of the fault suite's load.
import { randomUUID } from 'node:crypto';
import { descriptors } from '#proto/descriptor.ts';
import type { HoldResponse, HoldStockResponse, LookAtStockResponse } from '#proto/gen/stock.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary, type UnaryClient } from '#runtime/grpc/unary.ts';
import { STOCK_TIMES } from '#services/stock/stock.ts';
import { BrokenPromise } from './broken_promise.ts';
import type { Cluster } from './cluster.ts';

export interface Seller {
  readonly cluster: Cluster;
  readonly tenant: Tenant;
  /** Far more of it than is ever held. */
  readonly ample: string;
  /** So little of it that holders are in each other's way. */
  readonly scarce: string;
}

export const SCARCE = 6;

const HOUR_MS = 3_600_000;
/** Life of holds that are left to expire. */
const SHORT_MS = 2_000;
const PACE_MS = 40;
const REST_MS = 50;
const TRY_MS = 5_000;
/** A call is said again under the same hold until its outcome is known. */
const KNOWN_MS_MAX = 180_000;
const RETAINED_MAX = 5;

/** End of a hold. */
type HoldEnd = 'released' | 'expired' | 'retained';
const HOLD_ENDS: readonly HoldEnd[] = ['released', 'expired', 'released', 'retained'];

/** Units that holders were acknowledged and have not released: never more than exist. */
export class Claims {
  readonly #of = new Map<string, number>();

  take(seller: Seller, variantIds: readonly string[]): void {
    for (const id of variantIds) {
      const claimed = (this.#of.get(id) ?? 0) + 1;
      this.#of.set(id, claimed);
      if (id === seller.scarce && claimed > SCARCE)
        throw new BrokenPromise(`${claimed} pieces were given away of ${SCARCE} that there are.`);
    }
  }

  giveBack(variantIds: readonly string[]): void {
    for (const id of variantIds) this.#of.set(id, (this.#of.get(id) ?? 0) - 1);
  }
}

export class Holder {
  readonly #seller: Seller;
  readonly #claims: Claims;
  readonly #clients: readonly UnaryClient[];
  /** Pieces of the ample variant that it holds to the end, by hold. */
  readonly #retained: string[] = [];
  #host: number;
  #done = 0;
  #stopped = false;
  #closed = false;
  #problem: unknown = null;
  #running: Promise<void> = Promise.resolve();

  constructor(seller: Seller, host: number, claims: Claims) {
    this.#seller = seller;
    this.#host = host;
    this.#claims = claims;
    const contract = new ServiceRegistry(descriptors);
    this.#clients = seller.cluster.hosts.map(({ address }) => connectUnary(address, seller.cluster.token, contract));
  }

  /** Answer that breaks a promise. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Holds that came to their end. */
  get done(): number {
    return this.#done;
  }

  /** Holds of one piece that are still its own. */
  get retained(): number {
    return this.#retained.length;
  }

  start(): void {
    this.#running = this.#run();
    this.#running.catch((problem: unknown) => {
      this.#problem = problem;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Releases all stored holds. */
  async releaseAll(): Promise<void> {
    for (const hold of this.#retained.splice(0)) await this.#release(hold, [this.#seller.ample]);
  }

  /** Stops at any point. */
  close(): void {
    this.#stopped = true;
    this.#closed = true;
    for (const client of this.#clients) client.close();
  }

  /** Asks the hosts for held and available units until one answers. */
  async look(variantId: string): Promise<{ readonly held: number; readonly available: number }> {
    const answer = await this.#say<LookAtStockResponse>('LookAtStock', { variant_ids: [variantId] });
    if (answer instanceof Refusal) throw new BrokenPromise(`LookAtStock was refused: ${answer.message}`);
    const level = answer.levels[0];
    if (!level) throw new BrokenPromise(`No host knows of the variant ${variantId}.`);
    return level;
  }

  async #run(): Promise<void> {
    const { ample, scarce } = this.#seller;
    for (let turn = 0; !this.#stopped; turn++) {
      await Bun.sleep(PACE_MS * (0.5 + Math.random()));
      const way = HOLD_ENDS[turn % HOLD_ENDS.length]!;
      if (way === 'retained') {
        if (this.#retained.length < RETAINED_MAX) await this.#hold([ample], way);
      } else await this.#hold(turn % 2 === 0 ? [ample, scarce] : [scarce], way);
      this.#done++;
    }
  }

  async #hold(variantIds: readonly string[], way: HoldEnd): Promise<void> {
    const hold = randomUUID();
    const reply = await this.#say<HoldStockResponse>('HoldStock', {
      hold_id: hold,
      lines: variantIds.map((variant_id) => ({ variant_id, quantity: 1 })),
      expires_at: new Date(Date.now() + (way === 'expired' ? SHORT_MS : HOUR_MS)).toISOString(),
    });
    if (reply instanceof Refusal) {
      // One that expired meanwhile cannot be said again; of one that failed half-way a line may be left.
      if (!['insufficient_stock', 'conflict', 'invalid_request'].includes(reply.code))
        throw new BrokenPromise(`HoldStock was refused: ${reply.code}, ${reply.message}`);
      await this.#say<HoldResponse>('ReleaseHold', { hold: { hold_id: hold, variant_ids: variantIds } });
      return;
    }
    if (way === 'expired') return;
    this.#claims.take(this.#seller, variantIds);
    if (way === 'retained') {
      this.#retained.push(hold);
      return;
    }
    this.#claims.giveBack(variantIds);
    await this.#release(hold, variantIds);
  }

  /** The certain end of an acknowledged hold that was not released since. */
  async #release(hold: string, variantIds: readonly string[]): Promise<void> {
    const askedAt = performance.now();
    const reply = await this.#say<HoldResponse>('ReleaseHold', { hold: { hold_id: hold, variant_ids: variantIds } });
    const answer = reply instanceof Refusal ? [`refused: ${reply.message}`] : reply.lines.map((line) => line.status);
    // A release whose answer was lost may be forgotten before it can be said again.
    const forgotten = performance.now() - askedAt > STOCK_TIMES.endedHoldRetentionMs;
    if (!answer.every((each) => each === 'released' || (forgotten && each === 'none')))
      throw new BrokenPromise(`ReleaseHold of the acknowledged hold ${hold} was answered ${answer}.`);
  }

  /** Repeats until a host answers with the outcome. */
  async #say<O>(method: string, input: object): Promise<O | Refusal> {
    for (const until = performance.now() + KNOWN_MS_MAX; ; ) {
      const client = this.#clients[this.#host % this.#clients.length]!;
      const reply = await client.call<O>(`Stock/${method}`, this.#seller.tenant, { ...input } as never, TRY_MS);
      if (!(reply instanceof Refusal) || !['service_unavailable', 'server_error'].includes(reply.code)) return reply;
      if (this.#closed || performance.now() > until)
        throw new BrokenPromise(`${method} has had no outcome until now: ${reply.message}`);
      this.#host++;
      await Bun.sleep(REST_MS);
    }
  }
}
