// A process that runs ingestion jobs and stops in the middle of its third batch, to be killed.

import { openJobRunner } from '#runtime/job/runner.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { systemClock } from '#runtime/process/clock.ts';
import type { WriteRows } from '#services/catalog/ingestion/intake.ts';
import { ingestionJobs } from '#services/catalog/ingestion/worker.ts';
import { openProductStore } from '#services/catalog/product_store.ts';
import { frameOf } from '#services/catalog/product_text.ts';
import { openPostgres, testLog } from '#test/support/server.ts';
import { currencyOf } from '#values/currency.ts';

const [, , url = '', leaseMs = ''] = process.argv;
const clock = systemClock();
const postgres = openPostgres(url);
const currency = currencyOf('USD')!;
const profile = {
  frame: frameOf(currency, '$', 5),
  lowStockThreshold: 5,
  timezone: 'UTC',
  languages: ['en'],
  currencies: {
    own: currency,
    prices: new Map(),
    exchanges: { production: new Map(), sandbox: new Map() },
  },
};
const products = openProductStore({ clock }, { get: () => profile, forget: () => {} }, () => {});
let batches = 0;
const write: WriteRows = async (tx, tenant, rows) => {
  const done = await products.upsert(tx, tenant, rows);
  if (++batches === 3) {
    console.log('standing');
    await new Promise(() => {});
  }
  return done;
};
const log = testLog();
const kinds = ingestionJobs({
  postgres,
  clock,
  log,
  outbound: connectOutbound({ allowLocal: false }),
  write,
  currency: () => currency,
  wake: () => {},
  leaseMs: Number(leaseMs),
  rowsPerBatchMax: 50,
});
openJobRunner({ postgres, clock, log }).start(kinds);
setInterval(() => {}, 1_000);
