// Stock reservation: holds every line of an order under the id of an attempt that is no order yet.
import { randomUUID } from 'node:crypto';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import { ANSWER_RETENTION_MS } from '#runtime/postgres/answer_row.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { RequestedLine } from './basket.ts';
import { HOLD_ENDED, type OrderClients } from './client.ts';
import { decisionTimesOf, type TenantAttempt } from './table/decision.ts';

export const ATTEMPTS_MAX = 8;

export const attemptOf = (commandId: string, count: number): string => derivedId(commandId, `attempt ${count}`);

/** Lifetime of a hold: many times the deadline of the call that places the order. */
const HOLD_MS = 60_000;
const LOOKUP_MAX = 50;
export const ANSWER_STORED = refuse(
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
  const decisionTimeOf = batchLoader((asked: readonly TenantAttempt[]) => decisionTimesOf(postgres.sql, asked), {
    itemsMax: LOOKUP_MAX,
  });

  const hold = async (
    call: Call,
    { attempt, holder }: ReservedStock,
    requested: readonly RequestedLine[],
  ): Promise<boolean | Refusal> => {
    const { tenant } = call;
    const expiresAt = new Date(clock.now(tenant).getTime() + HOLD_MS);
    const held = await clients.holdStock(call, { hold: attempt, lines: requested, expiresAt, holder });
    if (held === HOLD_ENDED) return false;
    if (held instanceof Refusal)
      return held.code === 'not_found'
        ? notFound('variant', requested[0]!.param)
        : renamed(held, (param) => paramOfLine(requested, param));
    failpoint('hold', tenant.store);
    return true;
  };

  /**
   * Reserves under the first attempt of the key that is no order. Refuses if an attempt became an order and its answer
   * is still stored. Skips an attempt whose answer is no longer stored, since the key may then place a new order.
   */
  return async (call, commandId, requested) => {
    const { tenant } = call;
    const isAnswered = (decidedAt: Date | null): boolean =>
      decidedAt !== null && clock.now(tenant).getTime() - decidedAt.getTime() < ANSWER_RETENTION_MS;
    const holder = randomUUID();
    for (let count = 0; count < ATTEMPTS_MAX; count++) {
      const attempt = attemptOf(commandId, count);
      const decidedAt = await decisionTimeOf({ tenant, attempt });
      if (isAnswered(decidedAt)) return ANSWER_STORED;
      if (decidedAt) continue;
      const taken = await hold(call, { attempt, holder }, requested);
      if (taken instanceof Refusal) return taken;
      if (taken) return { attempt, holder };
      if (isAnswered(await decisionTimeOf({ tenant, attempt }))) return ANSWER_STORED;
    }
    return refuse('conflict', `${ATTEMPTS_MAX} attempts with this Idempotency-Key failed. Use a new key.`, {
      retryAfterS: 60,
    });
  };
};
