// Handlers of Connect for a store's keys: connect sessions and grants.
import { randomUUIDv7 } from 'bun';
import type { ConnectGrant, ConnectRpcs, ConnectSession, CreateConnectSessionRequest } from '#proto/gen/connect.ts';
import { type Call, foreignCursor, notFound, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { checkScopes } from '#services/commerce/scope.ts';
import { type ClientRecord, findClient, insertClient } from '#services/connect/client.ts';
import { hashOf, newClientId, newTicket } from '#services/connect/credential.ts';
import { INVALID_NAME, isRedirectUri, readClientName } from '#services/connect/registration.ts';
import { endGrant, type GrantRecord, pageOfGrants } from '#services/connect/table/grant.ts';
import { insertSession, pageOfSessions, type SessionRecord } from '#services/connect/table/session.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const SESSION_MS = 30 * 60_000;
const LIMIT_DEFAULT = 20;

type SessionRpc = 'CreateSession' | 'ListSessions' | 'ListGrants' | 'DeleteGrant';

const grantOf = ({ client, created_at, last_used_at, ended_at: _, ...grant }: GrantRecord): ConnectGrant => ({
  ...grant,
  client_id: client,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
});

const pageNewestFirst = async <T extends { readonly id: string; readonly created_at: Date }>(
  call: Call,
  name: string,
  { limit = LIMIT_DEFAULT, cursor }: { readonly limit?: number; readonly cursor?: string },
  find: (after: { readonly createdAt: Date; readonly id: string } | null, limit: number) => PromiseLike<readonly T[]>,
) => {
  const scope = JSON.stringify([name, tenantKey(call.tenant)]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  if (cursor !== undefined && keys === null) return foreignCursor(cursor);
  const page = await find(keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) }, limit + 1);
  const rows = page.slice(0, limit);
  const last = page.length > limit ? rows.at(-1)! : null;
  const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
  return { rows, pagination: { limit, has_more: next !== null, next_cursor: next } };
};

const findOrRegisterClient = async (
  tx: Transaction,
  { tenant }: Call,
  { client_id, client_name, redirect_uri }: CreateConnectSessionRequest,
  now: Date,
): Promise<ClientRecord | Refusal> => {
  if (client_id === undefined) {
    const client: ClientRecord = {
      id: newClientId(),
      secret_hash: null,
      name: client_name.trim(),
      redirect_uris: [redirect_uri],
      store: tenant.store,
      created_at: now,
    };
    await insertClient(tx.sql, client);
    return client;
  }
  const client = await findClient(tx.sql, client_id);
  if (client === null || (client.store !== null && client.store !== tenant.store))
    return notFound('client', 'client_id');
  if (!client.redirect_uris.includes(redirect_uri))
    return refuse('invalid_request', `The client has not registered ${redirect_uri}. Use one of its redirect URIs.`, {
      param: 'redirect_uri',
    });
  return client;
};

export const sessionHandlers = ({
  clock,
  notices,
  seal,
  settings,
}: Runtime): Pick<Handlers<ConnectRpcs>, SessionRpc> => {
  const contextOf = (id: string): string => `connect/session/${id}`;

  const sessionOf = (call: Call, session: SessionRecord): ConnectSession => {
    const isExpired = session.status === 'pending' && session.expires_at <= clock.now(call.tenant);
    const isPending = session.status === 'pending' && !isExpired;
    return {
      id: session.id,
      client_id: session.client,
      client_name: session.client_name,
      redirect_uri: session.redirect_uri,
      connect_url: isPending
        ? `${settings.publicUrl}/connect/${seal.open(session.ticket, contextOf(session.id))}`
        : null,
      status: isExpired ? 'expired' : session.status,
      scopes: session.scopes,
      created_at: session.created_at.toISOString(),
      expires_at: session.expires_at.toISOString(),
    };
  };

  return {
    CreateSession: transaction(async (tx, call, input) => {
      const name = readClientName(input.client_name);
      if (name === null) return refuse('invalid_request', INVALID_NAME, { param: 'client_name' });
      if (!isRedirectUri(input.redirect_uri))
        return refuse(
          'invalid_request',
          `${input.redirect_uri} is no redirect URI. Use https, http of a loopback host or an app’s own scheme, without fragment and user.`,
          { param: 'redirect_uri' },
        );
      const unknownScope = checkScopes(input.scopes);
      if (unknownScope !== null) return unknownScope;
      const now = clock.now(call.tenant);
      const client = await findOrRegisterClient(tx, call, input, now);
      if (client instanceof Refusal) return client;
      const ticket = newTicket();
      const id = randomUUIDv7();
      const session: SessionRecord = {
        id,
        ticket_hash: hashOf(ticket),
        ticket: seal.close(ticket, contextOf(id)),
        client: client.id,
        client_name: client.secret_hash === null ? name : client.name,
        redirect_uri: input.redirect_uri,
        scopes: [...new Set(input.scopes)],
        status: 'pending',
        created_at: now,
        expires_at: new Date(now.getTime() + SESSION_MS),
      };
      await insertSession(tx.sql, call.tenant, session);
      return { session: sessionOf(call, session) };
    }),

    ListSessions: query(async (sql, call, input) => {
      const page = await pageNewestFirst(call, 'connect sessions', input, (after, limit) =>
        pageOfSessions(sql, call.tenant, after, limit),
      );
      if (page instanceof Refusal) return page;
      return { sessions: page.rows.map((row) => sessionOf(call, row)), pagination: page.pagination };
    }),

    ListGrants: query(async (sql, call, input) => {
      const page = await pageNewestFirst(call, 'connect grants', input, (after, limit) =>
        pageOfGrants(sql, call.tenant, after, limit, clock.now(call.tenant)),
      );
      return page instanceof Refusal ? page : { grants: page.rows.map(grantOf), pagination: page.pagination };
    }),

    DeleteGrant: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      if (!(await endGrant(tx.sql, tenant, id, clock.now(tenant)))) return notFound('grant');
      tx.afterCommit(() => notices.publish({ kind: 'store', tenant }));
      return { deleted: true, id };
    }),
  };
};
