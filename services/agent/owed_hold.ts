// Pieces that are held for a checkout intent beyond what it says since a change or its end: written down in that transaction,
// let go once it is committed, and by a look every second where that failed, since the bus was away or the process died.
import { randomUUIDv7 } from 'bun';
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type IntentHolds, isLess } from './intent_hold.ts';
import { type IntentOffer, type IntentRecord, intentStatus } from './offer.ts';
import { findIntent, holdIntent } from './table/offer.ts';
import { forgetOwed, insertOwed, type OwedHold, owedUntil } from './table/owed_hold.ts';

type Caller = Pick<Call, 'tenant'>;
type Promised = Pick<IntentRecord, 'id' | 'offer'>;

export interface OwedHolds {
  /** Within the transaction that changes the intent or ends it: `atOnce` lets go of it once that is committed. */
  owe(tx: Transaction, call: Caller, intent: Promised, atOnce: () => Promise<void>): Promise<void>;
  /**
   * What an offer had more than the intent says is let go, and what is held is shown: of the offer that it had before, once
   * the change is committed, or of the one that it was to have, where that came to nothing. Until then no less is held than
   * the intent says, whatever dies. `other`: the one that it was changed to, or from.
   */
  letGo(call: Caller, intent: Promised, other: IntentOffer): Promise<void>;
  /** Returns how to stop. */
  start(): () => void;
}

const LOOK_MS = 1_000;
/** What is younger is being let go. */
const AGE_MS_MIN = 3_000;
const AT_ONCE = 100;

export const openOwedHolds = (
  { postgres, bus, clock, log }: Pick<Runtime, 'postgres' | 'bus' | 'clock' | 'log'>,
  holds: IntentHolds,
): OwedHolds => {
  const letGo: OwedHolds['letGo'] = async (call, { id, offer }, other) => {
    if (isLess(offer, other))
      await postgres.transaction(async (tx) => {
        // Nothing else can change it meanwhile.
        const intent = await holdIntent(tx.sql, call.tenant, id);
        if (intent === null) return;
        const change = { before: offer, after: intent.offer, expiresAt: intent.expires_at };
        const status = intentStatus(intent, clock.now(call.tenant));
        const lives = status === 'open' || status === 'ready';
        await (lives ? holds.lower : holds.drop)(call, intent.hold, change);
      }, call.tenant);
    await holds.show(call, offer, other);
  };

  const settle = async (tenant: Tenant, { id, intent: name, offer }: OwedHold): Promise<void> => {
    const intent = await findIntent(postgres.sql, tenant, name);
    const status = intent && intentStatus(intent, clock.now(tenant));
    // With the intent's time its hold ends by itself.
    if (intent && status === 'cancelled') await holds.release({ tenant }, intent.hold, offer);
    else if (intent && status !== 'expired') await letGo({ tenant }, { id: name, offer }, intent.offer);
    await forgetOwed(postgres.sql, tenant, id);
  };

  const look = async (): Promise<void> => {
    const until = new Date(clock.real() - AGE_MS_MIN);
    for (const { store, environment, ...owed } of await owedUntil(postgres.sql, until, AT_ONCE))
      await settle({ store, environment }, owed).catch((problem) =>
        log.warn({ err: problem, intent: owed.intent }, 'what an intent holds no longer is not let go yet'),
      );
  };

  return {
    owe: async (tx, call, { id: intent, offer }, atOnce) => {
      const id = randomUUIDv7();
      await insertOwed(tx.sql, call.tenant, { id, intent, offer }, new Date(clock.real()));
      tx.afterCommit(async () => {
        await atOnce();
        await forgetOwed(postgres.sql, call.tenant, id);
      });
    },
    letGo,
    start: () =>
      repeatedly({
        everyMs: LOOK_MS,
        able: () => postgres.available && bus.connected,
        resting: {
          postgres,
          clock,
          nextDue: async (until) => dueAtOnce((await owedUntil(postgres.sql, until, 1)).length > 0),
        },
        work: look,
        failed: (problem) => log.warn({ err: problem }, 'what intents hold no longer was not looked for'),
      }),
  };
};
