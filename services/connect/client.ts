// Who a client is: told by its id, and, where it is confidential, by its secret.
import { Refusal } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { isSecret } from './credential.ts';
import { oauthRefusal } from './oauth_refusal.ts';
import { type ClientRecord, findClient } from './table/client.ts';

export interface Claimed {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | null | undefined;
  /** The header: HTTP Basic. */
  readonly authorization?: string | undefined;
}

const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** RFC 6749, 2.3.1: id and secret are each written as in a form, then joined. */
const readBasic = (header: string): { readonly id: string; readonly secret: string } | null => {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const id = decoded(text.slice(0, colon));
  const secret = decoded(text.slice(colon + 1));
  return id === null || secret === null || id.includes('\0') ? null : { id, secret };
};

const UNKNOWN = oauthRefusal('invalid_client', 'The client is not known, or its secret is wrong.');

const claimOf = (claimed: Claimed): { readonly id: string; readonly secret: string | null } | Refusal => {
  const { client_id, client_secret, authorization } = claimed;
  if (!authorization) {
    if (!client_id) return oauthRefusal('invalid_request', 'The client_id is required.');
    return { id: client_id, secret: client_secret ?? null };
  }
  if ((client_secret ?? null) !== null)
    return oauthRefusal('invalid_request', 'The client tells its secret once: in the header or in the body.');
  const basic = readBasic(authorization);
  if (basic === null || (client_id !== undefined && client_id !== basic.id)) return UNKNOWN;
  return basic;
};

export const clientOf = async (sql: Sql, claimed: Claimed): Promise<ClientRecord | Refusal> => {
  const claim = claimOf(claimed);
  if (claim instanceof Refusal) return claim;
  const client = await findClient(sql, claim.id);
  if (client === null) return UNKNOWN;
  if (client.secret_hash === null) return claim.secret === null ? client : UNKNOWN;
  return claim.secret !== null && isSecret(claim.secret, client.secret_hash) ? client : UNKNOWN;
};
