// Stock reservation: every line of an order held and pinned under an attempt that is not decided yet.
import { randomUUID } from 'node:crypto';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import { ANSWER_RETENTION_MS } from '#runtime/postgres/answer_row.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Wanted } from './basket.ts';
import { HOLD_ENDED, type OrderNeighbours } from './client.ts';
import { type AskedAttempt, decisionsOf, type OrderDecision } from './table/decision.ts';

export const ATTEMPTS_MAX = 8;

export const attemptOf = (commandId: string, count: number): string => derivedId(commandId, `attempt ${count}`);

/** A pending hold outlives the steps to the pin and no more. */
const HOLD_MS = 60_000;
/** Attempts whose decisions are looked up in one statement. */
const ASKED_MAX = 50;
const ANSWERED = refuse('conflict', 'The answer of this Idempotency-Key is about to be there. Ask again.', {
  retryAfterS: 1,
});

/** A hold speaks of lines: where the body names the one that is too many. */
const wantedAt = (wanted: readonly Wanted[], param: string): string =>
  wanted[Number(/\d+/.exec(param)?.[0])]?.param.replace(/variant_id$/, 'quantity') ?? param;

export interface ReservedStock {
  /** Whose hold it is. */
  readonly attempt: string;
  /** The try that has its part in it. */
  readonly taker: string;
}

/** `commandId` is the same at each retry of what wants it. */
export type StockReservation = (
  call: Call,
  commandId: string,
  wanted: readonly Wanted[],
) => Promise<ReservedStock | Refusal>;

export const openReservation = (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  neighbours: OrderNeighbours,
): StockReservation => {
  const decisionOf = batchLoader((asked: readonly AskedAttempt[]) => decisionsOf(postgres.sql, asked), ASKED_MAX);

  /** Held and pinned under this name; false where the hold of that name has ended. */
  const take = async (
    call: Call,
    { attempt, taker }: ReservedStock,
    wanted: readonly Wanted[],
  ): Promise<boolean | Refusal> => {
    const { tenant } = call;
    const expiresAt = new Date(clock.now(tenant).getTime() + HOLD_MS);
    // A line that waits for no other is pinned as it is held.
    const pins = wanted.length === 1;
    const held = await neighbours.hold(call, { hold: attempt, lines: wanted, expiresAt, pins, taker });
    if (held === HOLD_ENDED) return false;
    if (held instanceof Refusal)
      return held.code === 'not_found'
        ? notFound('variant', wanted[0]!.param)
        : renamed(held, (param) => wantedAt(wanted, param));
    failpoint('hold', tenant.store);
    const variants = wanted.map(({ variant }) => variant);
    const pinned = pins ? null : await neighbours.pin(call, attempt, variants);
    if (pinned instanceof Refusal) return pinned;
    failpoint('pin', tenant.store);
    return pinned !== HOLD_ENDED;
  };

  /**
   * The first attempt of this key that is not decided. One that became an order since the key was looked up has its
   * answer there; one of more than a day ago is forgotten, and the key means another order.
   */
  return async (call, commandId, wanted) => {
    const { tenant } = call;
    const isAnswered = (decision: OrderDecision | null): boolean =>
      decision?.committed === true && clock.now(tenant).getTime() - decision.decided_at.getTime() < ANSWER_RETENTION_MS;
    const taker = randomUUID();
    for (let count = 0; count < ATTEMPTS_MAX; count++) {
      const attempt = attemptOf(commandId, count);
      const decision = await decisionOf({ tenant, attempt });
      if (isAnswered(decision)) return ANSWERED;
      if (decision) continue;
      const taken = await take(call, { attempt, taker }, wanted);
      if (taken instanceof Refusal) return taken;
      if (taken) return { attempt, taker };
      if (isAnswered(await decisionOf({ tenant, attempt }))) return ANSWERED;
    }
    return refuse('conflict', 'This Idempotency-Key was tried too often. Use another one.', { retryAfterS: 60 });
  };
};
