// OAuth clients: their rows and their authentication by id and, for confidential clients, by secret.
import { Refusal } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { isSecret } from './credential.ts';
import { oauthRefusal } from './form.ts';

export interface ClientRecord {
  readonly id: string;
  readonly secret_hash: Uint8Array | null;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly store: string | null;
  readonly created_at: Date;
}

export const insertClient = async (sql: Sql, { redirect_uris, ...client }: ClientRecord): Promise<void> => {
  await sql`insert into connect.client ${sql({ ...client, redirect_uris: sql.json([...redirect_uris]) })}`;
};

export const findClient = async (sql: Sql, id: string): Promise<ClientRecord | null> => {
  const [client] = await sql<ClientRecord[]>`
    select id, secret_hash, name, redirect_uris, store, created_at from connect.client where id = ${id}`;
  return client ?? null;
};

export interface ClientCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | null | undefined;
  readonly authorization?: string | undefined;
}

const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;

const formDecode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** Decodes the id and the secret, each form-encoded and joined by a colon (RFC 6749, 2.3.1). */
const readBasic = (header: string): { readonly id: string; readonly secret: string } | null => {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const id = formDecode(text.slice(0, colon));
  const secret = formDecode(text.slice(colon + 1));
  return id === null || secret === null || id.includes('\0') ? null : { id, secret };
};

const INVALID_CLIENT = oauthRefusal('invalid_client', 'The client_id is unknown or the client_secret is wrong.');

const readCredentials = (
  sent: ClientCredentials,
): { readonly id: string; readonly secret: string | null } | Refusal => {
  const { client_id, client_secret, authorization } = sent;
  if (!authorization) {
    if (!client_id) return oauthRefusal('invalid_request', 'The client_id is required.');
    return { id: client_id, secret: client_secret ?? null };
  }
  if ((client_secret ?? null) !== null)
    return oauthRefusal(
      'invalid_request',
      'Send the client secret in the Authorization header or in the body, not in both.',
    );
  const basic = readBasic(authorization);
  if (basic === null || (client_id !== undefined && client_id !== basic.id)) return INVALID_CLIENT;
  return basic;
};

export const authenticateClient = async (sql: Sql, sent: ClientCredentials): Promise<ClientRecord | Refusal> => {
  const credentials = readCredentials(sent);
  if (credentials instanceof Refusal) return credentials;
  const client = await findClient(sql, credentials.id);
  if (client === null) return INVALID_CLIENT;
  if (client.secret_hash === null) return credentials.secret === null ? client : INVALID_CLIENT;
  return credentials.secret !== null && isSecret(credentials.secret, client.secret_hash) ? client : INVALID_CLIENT;
};
