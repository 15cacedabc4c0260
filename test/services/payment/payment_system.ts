// A whole system for tests of payments: a manual clock, signed-in shoppers, and a record of every event written to the
// outbox.
import { expect } from 'vitest';
import type { Environment } from '#runtime/call/call.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, type StoaOptions, startStoa } from '#test/support/stoa.ts';

export interface Shopper {
  readonly id: string;
  readonly token: string;
}

export interface RecordedEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly object: any;
}

export interface PaymentSystem {
  readonly stoa: Stoa;
  readonly clock: ManualClock;
  readonly keys: Keys;
  /** Uses the live secret key unless `options` has another one. */
  send(method: string, path: string, options?: Parameters<Stoa['send']>[2]): Promise<Reply>;
  newShopper(keys?: Keys, environment?: Environment): Promise<Shopper>;
  /** Returns the events of the given types that were written to the outbox for a store, oldest first. */
  recordedEvents(store: string, environment: Environment, types: readonly string[]): Promise<RecordedEvent[]>;
  close(): Promise<void>;
}

let shoppers = 0;

export const startPaymentSystem = async (
  store: Readonly<Record<string, unknown>> = {},
  options: Pick<StoaOptions, 'log'> = {},
): Promise<PaymentSystem> => {
  const clock = manualClock(Date.now());
  const stoa = await startStoa({ clock, ...options });
  const keys = await stoa.createStore(store);
  // A trigger records each event, since the outbox deletes events once they are published.
  const { sql } = stoa.services.runtime.postgres;
  await sql.unsafe(`
    create table public.recorded_event (position bigint, store uuid, environment text, type text, payload text);
    create function public.record_events() returns trigger language plpgsql as $$
    begin
      insert into public.recorded_event
      select place, new.store, new.environment, split_part(head, ' ', 1), draft || ',"sequence":' || place || '}'
      from rows from (
        string_to_table(new.heads, chr(10)), unnest(new.positions), string_to_table(new.drafts, chr(10))
      ) as event (head, place, draft);
      return new;
    end $$;
    create trigger record_events after insert on runtime.outbox for each row execute function public.record_events();`);
  return {
    stoa,
    clock,
    keys,
    send: (method, path, options = {}) => stoa.send(method, path, { key: keys.secret_key, ...options }),
    newShopper: async (of = keys, environment = 'production') => {
      const email = `payer${++shoppers}@example.com`;
      const address = `2001:db8:1::${shoppers.toString(16)}`;
      // Hashing a password takes time, so a busy machine may answer that the caller should retry.
      return eventually(async () => {
        const { status, body, text } = await stoa.send('POST', '/v1/auth/register', {
          key: environment === 'production' ? of.secret_key : of.secret_test_key,
          body: { email, password: 'correct horse battery' },
          headers: { 'X-Shopper-IP': address },
        });
        expect(status, text).toBe(201);
        return { id: body.customer.id, token: body.session.access_token };
      });
    },
    recordedEvents: async (id, environment, types) => {
      const rows = await sql<{ type: string; payload: string }[]>`
        select type, payload from public.recorded_event
        where store = ${id} and environment = ${environment} and type = any(${types as string[]}::text[])
        order by position`;
      return rows.map(({ type, payload }) => ({ type, object: JSON.parse(payload).data.object }));
    },
    close: () => stoa.stop(),
  };
};

export const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
