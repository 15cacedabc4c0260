// The consent page: shows the merchant what an app requests, and records the decision.

import { randomUUIDv7 } from 'bun';
import type { ConsentRequest, ConsentResponse, DecideConsentRequest } from '#proto/gen/connect.ts';
import { notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type AcceptedAuthorization, type AuthorizationFault, checkAuthorization, isFault } from './authorization.ts';
import { hashOf, newCode } from './credential.ts';
import { readParameters } from './form.ts';
import { withParameters } from './registration.ts';
import { insertCredentials } from './table/credential.ts';
import { insertGrant } from './table/grant.ts';
import { decideSession, type FoundSession, findSessionByTicket } from './table/session.ts';

/** Lifetime of an authorization code; RFC 6749 recommends ten minutes at most. */
const CODE_MS = 60_000;

export interface Consents {
  show(input: ConsentRequest): Promise<ConsentResponse | Refusal>;
  decide(tx: Transaction, input: DecideConsentRequest): Promise<{ readonly location: string } | Refusal>;
}

interface CheckedRequest {
  readonly session: FoundSession;
  readonly state: string | undefined;
  readonly verdict: AuthorizationFault | AcceptedAuthorization;
}

export const openConsents = ({ ask, clock, postgres, settings }: Runtime): Consents => {
  const { askOrThrow } = openDomainClient({ ask });

  const checkRequest = async (
    sql: Sql,
    ticket: string,
    query: string,
    lock: boolean,
  ): Promise<CheckedRequest | Refusal> => {
    const session = await findSessionByTicket(sql, hashOf(ticket), lock);
    if (session === null) return notFound('connect session');
    if (session.status !== 'pending' || session.expires_at <= clock.now(session))
      return refuse(
        'conflict',
        `This connect session is ${session.status === 'pending' ? 'expired' : session.status}. Create another one.`,
      );
    const request = readParameters(query);
    if (request instanceof Refusal) return request;
    const verdict = checkAuthorization(request, session);
    if (isFault(verdict) && verdict.unverifiedRedirect) return refuse('invalid_request', verdict.description);
    return { session, state: request.state, verdict };
  };

  /** Sets `iss`, which names the issuing server (RFC 9207). */
  const redirectUrl = ({ session, state }: CheckedRequest, parameters: Readonly<Record<string, string>>): string =>
    withParameters(session.redirect_uri, { ...parameters, state, iss: settings.publicUrl });

  const errorRedirect = (found: CheckedRequest, { error, description }: AuthorizationFault): string =>
    redirectUrl(found, { error, error_description: description });

  return {
    async show({ ticket, query = '' }) {
      const found = await checkRequest(postgres.sql, ticket, query, false);
      if (found instanceof Refusal) return found;
      const { session, verdict } = found;
      const profile = await askOrThrow('StoreDirectory/GetProfile', { tenant: session }, { store: session.store });
      return {
        store_name: profile.name,
        client_name: session.client_name,
        environment: session.environment,
        scopes: isFault(verdict) ? [] : verdict.scopes,
        redirect_uri: session.redirect_uri,
        location: isFault(verdict) ? errorRedirect(found, verdict) : null,
      };
    },

    async decide(tx, { ticket, query = '', allow = false }) {
      const found = await checkRequest(tx.sql, ticket, query, true);
      if (found instanceof Refusal) return found;
      const { session, verdict } = found;
      if (isFault(verdict)) return { location: errorRedirect(found, verdict) };
      await decideSession(tx.sql, session, allow ? 'authorized' : 'denied');
      if (!allow) return { location: redirectUrl(found, { error: 'access_denied' }) };
      const now = clock.now(session);
      const grant = {
        id: randomUUIDv7(),
        client: session.client,
        client_name: session.client_name,
        scopes: verdict.scopes,
        created_at: now,
        last_used_at: null,
        ended_at: null,
      };
      await insertGrant(tx.sql, session, grant);
      const code = newCode(session.environment);
      await insertCredentials(tx.sql, session, [
        {
          hash: hashOf(code),
          kind: 'code',
          grant_id: grant.id,
          scopes: verdict.scopes,
          redirect_uri: session.redirect_uri,
          challenge: verdict.challenge,
          created_at: now,
          expires_at: new Date(now.getTime() + CODE_MS),
          ended_at: null,
        },
      ]);
      return { location: redirectUrl(found, { code }) };
    },
  };
};
