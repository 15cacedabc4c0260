// Handlers of AccountSession: the store lists and ends sessions of its customers.
import type { AccountSessionRecord, AccountSessionRpcs } from '#proto/gen/account.ts';
import { foreignCursor, notFound, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { refreshedAt } from './session.ts';
import { endSessionOf, endSessions } from './sign_in.ts';
import { findCustomer } from './table/customer.ts';
import { pageOfSessions, type SignInRecord } from './table/session.ts';

const LIMIT_DEFAULT = 20;

const sessionOf = ({ id, user_agent, created_at, expires_at }: SignInRecord): AccountSessionRecord => ({
  id,
  created_at: created_at.toISOString(),
  last_refreshed_at: refreshedAt(expires_at).toISOString(),
  expires_at: expires_at.toISOString(),
  user_agent,
});

export const accountSessionHandlers = ({
  clock,
  notices,
}: Pick<Runtime, 'clock' | 'notices'>): Handlers<AccountSessionRpcs> => ({
  ListSessions: query(async (sql, { tenant }, { id, limit = LIMIT_DEFAULT, cursor }) => {
    const scope = JSON.stringify(['customer sessions', tenantKey(tenant), id.toLowerCase()]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null) return foreignCursor(cursor);
    if ((await findCustomer(sql, tenant, id)) === null) return notFound('customer');
    const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
    const page = await pageOfSessions(sql, tenant, id, { now: clock.now(tenant), after, limit: limit + 1 });
    const rows = page.slice(0, limit);
    const last = page.length > limit ? rows.at(-1)! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    return {
      sessions: rows.map(sessionOf),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),

  DeleteSession: transaction(async (tx, { tenant }, { id, session_id }) => {
    const session = session_id.toLowerCase();
    const ended = await endSessionOf(tx, notices, tenant, id, session);
    return ended ? { deleted: true, id: session } : notFound('session', 'session_id');
  }),

  EndSessions: transaction(async (tx, { tenant }, { id }) => {
    if ((await findCustomer(tx.sql, tenant, id)) === null) return notFound('customer');
    return { ended: await endSessions(tx, notices, tenant, id, null) };
  }),
});
