// Stock reservation: holds and pins every line of an order under the id of an undecided attempt.
import { randomUUID } from 'node:crypto';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import { ANSWER_RETENTION_MS } from '#runtime/postgres/answer_row.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { RequestedLine } from './basket.ts';
import { HOLD_ENDED, type OrderClients } from './client.ts';
import { decisionsOf, type OrderDecision, type TenantAttempt } from './table/decision.ts';

export const ATTEMPTS_MAX = 8;

export const attemptOf = (commandId: string, count: number): string => derivedId(commandId, `attempt ${count}`);

/** Lifetime of an unpinned hold, which outlasts the steps until it is pinned. */
const HOLD_MS = 60_000;
const LOOKUP_MAX = 50;
const ANSWER_STORED = refuse(
  'conflict',
  'The first request with this Idempotency-Key just completed. Retry to receive its response.',
  {
    retryAfterS: 1,
  },
);

const paramOfLine = (requested: readonly RequestedLine[], param: string): string =>
  requested[Number(/\d+/.exec(param)?.[0])]?.param.replace(/variant_id$/, 'quantity') ?? param;

export interface ReservedStock {
  readonly attempt: string;
  readonly holder: string;
}

export type ReserveStock = (
  call: Call,
  commandId: string,
  requested: readonly RequestedLine[],
) => Promise<ReservedStock | Refusal>;

export const openStockReservation = (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  clients: OrderClients,
): ReserveStock => {
  const decisionOf = batchLoader((asked: readonly TenantAttempt[]) => decisionsOf(postgres.sql, asked), {
    itemsMax: LOOKUP_MAX,
  });

  const holdAndPin = async (
    call: Call,
    { attempt, holder }: ReservedStock,
    requested: readonly RequestedLine[],
  ): Promise<boolean | Refusal> => {
    const { tenant } = call;
    const expiresAt = new Date(clock.now(tenant).getTime() + HOLD_MS);
    // For a single line, the command that creates the hold also pins it: no other line can fail.
    const pins = requested.length === 1;
    const held = await clients.holdStock(call, {
      hold: attempt,
      lines: requested,
      expiresAt,
      pinAtOnce: pins,
      holder,
    });
    if (held === HOLD_ENDED) return false;
    if (held instanceof Refusal)
      return held.code === 'not_found'
        ? notFound('variant', requested[0]!.param)
        : renamed(held, (param) => paramOfLine(requested, param));
    failpoint('hold', tenant.store);
    const variants = requested.map(({ variant }) => variant);
    const pinned = pins ? null : await clients.pinHold(call, attempt, variants);
    if (pinned instanceof Refusal) return pinned;
    failpoint('pin', tenant.store);
    return pinned !== HOLD_ENDED;
  };

  /**
   * Reserves under the first attempt of the key that is undecided. Refuses if an attempt became an order and its answer
   * is still stored. Skips an attempt whose answer is no longer stored, since the key may then place a new order.
   */
  return async (call, commandId, requested) => {
    const { tenant } = call;
    const isAnswered = (decision: OrderDecision | null): boolean =>
      decision?.committed === true && clock.now(tenant).getTime() - decision.decided_at.getTime() < ANSWER_RETENTION_MS;
    const holder = randomUUID();
    for (let count = 0; count < ATTEMPTS_MAX; count++) {
      const attempt = attemptOf(commandId, count);
      const decision = await decisionOf({ tenant, attempt });
      if (isAnswered(decision)) return ANSWER_STORED;
      if (decision) continue;
      const taken = await holdAndPin(call, { attempt, holder }, requested);
      if (taken instanceof Refusal) return taken;
      if (taken) return { attempt, holder };
      if (isAnswered(await decisionOf({ tenant, attempt }))) return ANSWER_STORED;
    }
    return refuse('conflict', `${ATTEMPTS_MAX} attempts with this Idempotency-Key failed. Use a new key.`, {
      retryAfterS: 60,
    });
  };
};
