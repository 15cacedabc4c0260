// Customers: their accounts and the sessions in which they are signed in, as the host sees them.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { accountHandlers } from './account_rpc.ts';
import { openAssertions } from './assertion.ts';
import { openPasswords } from './password.ts';
import { authHandlers, customerDirectoryHandlers, sessionHandlers } from './rpc.ts';
import { forgetShoppers } from './sign_in.ts';
import { sweepChallenges } from './table/challenge.ts';
import { sweepFailures } from './table/login_failure.ts';
import { sweepSessions } from './table/session.ts';

const SWEEP_MS = 60_000;
/** Longer than failed logins count. */
const FAILURES_KEPT_MS = 3_600_000;

export const customer = (runtime: Runtime): Domain => {
  const { postgres, clock, log } = runtime;
  const { allowLocal } = runtime.settings;
  const assertions = openAssertions(connectOutbound({ allowLocal, resolve: runtime.resolve }), clock);
  const passwords = openPasswords(runtime.settings.hashNiceness);
  let stopSweeping = (): void => {};

  const sweep = async (): Promise<void> => {
    const now = clock.real();
    await sweepSessions(postgres.sql, new Date(now));
    await sweepChallenges(postgres.sql, new Date(now));
    await sweepFailures(postgres.sql, new Date(now - FAILURES_KEPT_MS));
  };

  return {
    name: 'customer',
    services: {
      Auth: authHandlers(runtime, passwords),
      Account: accountHandlers(runtime),
      SessionDirectory: sessionHandlers(runtime, assertions),
      CustomerDirectory: customerDirectoryHandlers(clock),
    },
    reset: {
      tables: {
        'customer.customer': 'cleared',
        'customer.password': 'cleared',
        'customer.session': 'cleared',
        'customer.session_token': 'cleared',
        'customer.email_proof': 'cleared',
        'customer.challenge': 'cleared',
        // Throttles know no sandbox time, and no new beginning.
        'customer.login_failure': 'kept',
      },
      // Edges have believed in sessions that are gone.
      settle: async (tx, tenant) => forgetShoppers(tx, runtime.notices, tenant),
    },
    start: async () => {
      stopSweeping = repeatedly({
        everyMs: SWEEP_MS,
        able: () => postgres.available,
        work: sweep,
        failed: (problem) => log.warn({ err: problem }, 'old sessions were not swept'),
      });
    },
    stop: async () => {
      stopSweeping();
      passwords.close();
    },
  };
};
