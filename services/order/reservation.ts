// Stock reservation: every line of an order held and pinned under an attempt that is not decided yet.
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

/** Long enough for the steps to the pin. */
const HOLD_MS = 60_000;
const LOOKUP_MAX = 50;
const ANSWER_STORED = refuse(
  'conflict',
  'The first request with this Idempotency-Key just completed. Retry to receive its response.',
  {
    retryAfterS: 1,
  },
);

/** Translates a stock refusal of line `n` into the field of the body. */
const paramOfLine = (requested: readonly RequestedLine[], param: string): string =>
  requested[Number(/\d+/.exec(param)?.[0])]?.param.replace(/variant_id$/, 'quantity') ?? param;

export interface ReservedStock {
  readonly attempt: string;
  /** The try that owns a share of it. */
  readonly holdOwner: string;
}

export type StockReservation = (
  call: Call,
  commandId: string,
  requested: readonly RequestedLine[],
) => Promise<ReservedStock | Refusal>;

export const openReservation = (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  clients: OrderClients,
): StockReservation => {
  const decisionOf = batchLoader((asked: readonly TenantAttempt[]) => decisionsOf(postgres.sql, asked), LOOKUP_MAX);

  /** Returns false if the hold of this name has ended. */
  const holdAndPin = async (
    call: Call,
    { attempt, holdOwner }: ReservedStock,
    requested: readonly RequestedLine[],
  ): Promise<boolean | Refusal> => {
    const { tenant } = call;
    const expiresAt = new Date(clock.now(tenant).getTime() + HOLD_MS);
    // A single line waits for no other and is pinned in the same command.
    const pins = requested.length === 1;
    const held = await clients.holdStock(call, {
      hold: attempt,
      lines: requested,
      expiresAt,
      pinAtOnce: pins,
      owner: holdOwner,
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
   * Uses the first undecided attempt of the key. An attempt that became an order meanwhile has a stored answer; older
   * than the answers' retention, it is skipped and the key means a new order.
   */
  return async (call, commandId, requested) => {
    const { tenant } = call;
    const isAnswered = (decision: OrderDecision | null): boolean =>
      decision?.committed === true && clock.now(tenant).getTime() - decision.decided_at.getTime() < ANSWER_RETENTION_MS;
    const holdOwner = randomUUID();
    for (let count = 0; count < ATTEMPTS_MAX; count++) {
      const attempt = attemptOf(commandId, count);
      const decision = await decisionOf({ tenant, attempt });
      if (isAnswered(decision)) return ANSWER_STORED;
      if (decision) continue;
      const taken = await holdAndPin(call, { attempt, holdOwner }, requested);
      if (taken instanceof Refusal) return taken;
      if (taken) return { attempt, holdOwner };
      if (isAnswered(await decisionOf({ tenant, attempt }))) return ANSWER_STORED;
    }
    return refuse('conflict', `${ATTEMPTS_MAX} attempts with this Idempotency-Key failed. Use a new key.`, {
      retryAfterS: 60,
    });
  };
};
