// The customer domain: accounts, sessions and sign-in.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { openPasswords } from '#services/commerce/password.ts';
import { accountHandlers } from './account_rpc.ts';
import { openAssertions } from './assertion.ts';
import { authHandlers, customerDirectoryHandlers, sessionHandlers } from './rpc.ts';
import { accountSessionHandlers } from './session_rpc.ts';
import { invalidateShoppers } from './sign_in.ts';
import { deleteExpiredChallenges } from './table/challenge.ts';
import { customerErasures } from './table/erasure.ts';
import { deleteOldFailures } from './table/login.ts';
import { deleteExpiredSessions } from './table/session.ts';

const DELETE_EVERY_MS = 60_000;
const FAILURES_RETENTION_MS = 3_600_000;

export const customer = (runtime: Runtime): Domain => {
  const { postgres, clock, log } = runtime;
  const { allowLocal } = runtime.settings;
  const assertions = openAssertions(connectOutbound({ allowLocal, resolve: runtime.resolve }), clock);
  const passwords = openPasswords(runtime.settings.hashNiceness);
  let stopDeleting = (): void => {};

  const deleteExpired = async (): Promise<void> => {
    const now = clock.real();
    await deleteExpiredSessions(postgres.sql, new Date(now));
    await deleteExpiredChallenges(postgres.sql, new Date(now));
    await deleteOldFailures(postgres.sql, new Date(now - FAILURES_RETENTION_MS));
  };

  return {
    name: 'customer',
    services: {
      Auth: authHandlers(runtime, passwords),
      Account: accountHandlers(runtime),
      AccountSession: accountSessionHandlers(runtime),
      SessionDirectory: sessionHandlers(runtime, assertions),
      CustomerDirectory: customerDirectoryHandlers(clock),
    },
    erasures: customerErasures,
    personalRecords: ['customer'],
    reset: {
      tables: {
        'customer.customer': 'cleared',
        'customer.password': 'cleared',
        'customer.session': 'cleared',
        'customer.session_token': 'cleared',
        'customer.email_proof': 'cleared',
        'customer.challenge': 'cleared',
        // Login throttling uses real time, so a sandbox reset keeps these rows.
        'customer.login_failure': 'retained',
      },
      // Edges may have cached sessions that the reset deletes.
      settle: async (tx, tenant) => invalidateShoppers(tx, runtime.notices, tenant),
    },
    start: async () => {
      stopDeleting = repeatedly({
        everyMs: DELETE_EVERY_MS,
        able: () => postgres.available,
        work: deleteExpired,
        failed: (problem) => log.warn({ err: problem }, 'failed to delete expired sessions'),
      });
    },
    stop: async () => {
      stopDeleting();
      passwords.close();
    },
  };
};
