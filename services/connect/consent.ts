// A merchant's decision: what they are shown, and where the browser goes from there.

import { randomUUIDv7 } from 'bun';
import type { ConsentRequest, ConsentResponse, DecideConsentRequest } from '#proto/gen/connect.ts';
import { notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type Accepted, type AuthorizationFault, isFault, judge } from './authorization.ts';
import { hashOf, newCode } from './credential.ts';
import { readParameters } from './form.ts';
import { withParameters } from './redirect.ts';
import { insertCredentials } from './table/credential.ts';
import { insertGrant } from './table/grant.ts';
import { decideSession, type FoundSession, findSession } from './table/session.ts';

/** RFC 6749 asks for ten minutes at most. */
const CODE_MS = 60_000;

export interface Consents {
  show(input: ConsentRequest): Promise<ConsentResponse | Refusal>;
  decide(tx: Transaction, input: DecideConsentRequest): Promise<{ readonly location: string } | Refusal>;
}

interface Judged {
  readonly session: FoundSession;
  readonly state: string | undefined;
  readonly judged: AuthorizationFault | Accepted;
}

export const openConsents = ({ ask, clock, postgres, settings }: Runtime): Consents => {
  const { askOrThrow } = openDomainClient({ ask });

  const look = async (sql: Sql, ticket: string, query: string, lock: boolean): Promise<Judged | Refusal> => {
    const session = await findSession(sql, hashOf(ticket), lock);
    if (session === null) return notFound('connect session');
    if (session.status !== 'pending' || session.expires_at <= clock.now(session))
      return refuse('conflict', 'This connect session is over.');
    const asked = readParameters(query);
    if (asked instanceof Refusal) return asked;
    const judged = judge(asked, session);
    if (isFault(judged) && judged.astray) return refuse('invalid_request', judged.description);
    return { session, state: asked.state, judged };
  };

  /** `iss` tells the app which server answers it (RFC 9207). */
  const back = ({ session, state }: Judged, parameters: Readonly<Record<string, string>>): string =>
    withParameters(session.redirect_uri, { ...parameters, state, iss: settings.publicUrl });

  const told = (found: Judged, { error, description }: AuthorizationFault): string =>
    back(found, { error, error_description: description });

  return {
    async show({ ticket, query = '' }) {
      const found = await look(postgres.sql, ticket, query, false);
      if (found instanceof Refusal) return found;
      const { session, judged } = found;
      const profile = await askOrThrow('StoreDirectory/GetProfile', { tenant: session }, { store: session.store });
      return {
        store_name: profile.name,
        client_name: session.client_name,
        environment: session.environment,
        scopes: isFault(judged) ? [] : judged.scopes,
        redirect_uri: session.redirect_uri,
        location: isFault(judged) ? told(found, judged) : null,
      };
    },

    async decide(tx, { ticket, query = '', allow = false }) {
      const found = await look(tx.sql, ticket, query, true);
      if (found instanceof Refusal) return found;
      const { session, judged } = found;
      if (isFault(judged)) return { location: told(found, judged) };
      await decideSession(tx.sql, session, allow ? 'authorized' : 'denied');
      if (!allow) return { location: back(found, { error: 'access_denied' }) };
      const now = clock.now(session);
      const grant = {
        id: randomUUIDv7(),
        client: session.client,
        client_name: session.client_name,
        scopes: judged.scopes,
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
          scopes: judged.scopes,
          redirect_uri: session.redirect_uri,
          challenge: judged.challenge,
          created_at: now,
          expires_at: new Date(now.getTime() + CODE_MS),
          ended_at: null,
        },
      ]);
      return { location: back(found, { code }) };
    },
  };
};
