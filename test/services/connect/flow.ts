// Shared by tests of connect: a store that creates a session, an app with its verifier, and a merchant who decides.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectSession, IssueTokenResponse } from '#proto/gen/connect.ts';
import type { Keys, Reply, Stoa } from '#test/support/stoa.ts';

export const REDIRECT = 'https://planner.example.com/callback';

export interface App {
  readonly session: ConnectSession;
  readonly verifier: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const s256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const form = (values: Readonly<Record<string, string>>): string => new URLSearchParams({ ...values }).toString();

/** Sends a form, as OAuth clients do. */
export const postForm = async (
  stoa: Stoa,
  path: string,
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }> => {
  const response = await fetch(stoa.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: form(values),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
};

export const begin = async (
  stoa: Stoa,
  keys: Keys,
  { key = keys.secret_key, ...more }: { readonly key?: string } & Readonly<Record<string, unknown>> = {},
): Promise<App> => {
  const reply = await stoa.send('POST', '/v1/connect/sessions', {
    key,
    body: { client_name: 'Parcel Planner', redirect_uri: REDIRECT, scopes: ['catalog:read', 'orders:read'], ...more },
  });
  expect(reply.status, reply.text).toBe(201);
  const { session } = reply.body as { session: ConnectSession };
  const verifier = randomBytes(32).toString('base64url');
  const parameters = {
    response_type: 'code',
    client_id: session.client_id,
    redirect_uri: session.redirect_uri,
    state: 'st4te',
    code_challenge: s256(verifier),
    code_challenge_method: 'S256',
  };
  return { session, verifier, parameters };
};

export const pageOf = (app: App, more: Readonly<Record<string, string>> = {}): string =>
  `${app.session.connect_url}?${form({ ...app.parameters, ...more })}`;

export const decide = (app: App, decision: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(pageOf(app, more), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form({ decision }),
    redirect: 'manual',
  });

/** Reads the parameters of the address that the app is redirected to. */
export const calledBack = (response: Response): URLSearchParams => {
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '').searchParams;
};

export const exchange = (stoa: Stoa, app: App, code: string, more: Readonly<Record<string, string>> = {}) =>
  postForm(stoa, '/v1/connect/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.session.redirect_uri,
    client_id: app.session.client_id,
    code_verifier: app.verifier,
    ...more,
  });

export const refresh = (stoa: Stoa, app: App, refresh_token: string, more: Readonly<Record<string, string>> = {}) =>
  postForm(stoa, '/v1/connect/token', {
    grant_type: 'refresh_token',
    refresh_token,
    client_id: app.session.client_id,
    ...more,
  });

/** An app that a merchant has allowed in. */
export const connected = async (
  stoa: Stoa,
  keys: Keys,
  more: Parameters<typeof begin>[2] = {},
): Promise<App & { readonly code: string; readonly tokens: IssueTokenResponse }> => {
  const app = await begin(stoa, keys, more);
  const code = calledBack(await decide(app, 'allow')).get('code')!;
  const issued = await exchange(stoa, app, code);
  expect(issued.status, JSON.stringify(issued.body)).toBe(200);
  return { ...app, code, tokens: issued.body as unknown as IssueTokenResponse };
};

export const reads = (stoa: Stoa, token: string, path = '/v1/products'): Promise<Reply> =>
  stoa.send('GET', path, { key: token });
