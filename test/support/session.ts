// Signs shoppers in by each of the three session headers: Stoa's own session, an assertion that the merchant has signed, and a
// token that the store's verifier accepts.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { expect } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import type { Keys, Stoa } from '#test/support/stoa.ts';

export const SESSION_HEADERS = ['x-auth-token', 'x-external-auth', 'x-idp-token'] as const;
export type SessionHeader = (typeof SESSION_HEADERS)[number];

export interface Shopper {
  readonly id: string;
  /** Session header beside the key. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ShopperSessions {
  /** A new customer of the store's, signed in. */
  signIn(keys: Keys, options?: SignInOptions): Promise<Shopper>;
  /** Another header for one who is known already. */
  assert(keys: Keys, header: SessionHeader, shopper: Shopper, environment?: Environment): Promise<Shopper>;
  stop(): void;
}

type Environment = 'production' | 'sandbox';

export interface SignInOptions {
  readonly header?: SessionHeader;
  readonly environment?: Environment;
}

const ASSERTION_S = 600;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
let shoppers = 0;

/** Called before Stoa starts: the verifier listens on this machine, which test keys may name only with this setting. */
export const allowLocalVerifier = (): void => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
};

/** The verifier takes a customer's own id for a token; only a sandbox can name it, since it is on this machine. */
export const openShopperSessions = async (stoa: Stoa): Promise<ShopperSessions> => {
  const verifier = await startVerifier();
  const verifierUrl = `http://127.0.0.1:${(verifier.address() as AddressInfo).port}/verify`;
  const secrets = new Map<string, string>();
  const verified = new Set<string>();

  const secretOf = async (store: string, environment: Environment): Promise<string> => {
    const name = `${store}/${environment}`;
    const known = secrets.get(name);
    if (known) return known;
    const made = await stoa.services.runtime.ask('StoreAdmin/CreateExternalAuthSecret', NO_TENANT, {
      store,
      environment,
    });
    secrets.set(name, ok(made).external_auth_secret);
    return secrets.get(name)!;
  };

  const assertions: Record<
    SessionHeader,
    (keys: Keys, shopper: Shopper, environment: Environment) => string | Promise<string>
  > = {
    'x-auth-token': (_keys, { headers }) => headers['x-auth-token']!,
    'x-external-auth': async (keys, { id }, environment) => {
      const nowS = Math.floor(stoa.clock.real() / 1_000);
      return new SignJWT({ aud: keys.store_id, sub: id, iat: nowS, exp: nowS + ASSERTION_S })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(await secretOf(keys.store_id, environment)));
    },
    'x-idp-token': async (keys, { id }, environment) => {
      if (environment === 'production') throw new Error('The verifier of this machine stands behind sandboxes alone.');
      if (!verified.has(keys.store_id)) {
        const body = { idp: { verifier_url: verifierUrl } };
        const { status, text } = await stoa.send('PATCH', '/v1/store', { key: keys.secret_test_key, body });
        expect(status, text).toBe(200);
        verified.add(keys.store_id);
      }
      return id;
    },
  };

  const assert: ShopperSessions['assert'] = async (keys, header, shopper, environment = 'sandbox') => ({
    id: shopper.id,
    headers: { [header]: await assertions[header](keys, shopper, environment) },
  });

  return {
    assert,
    signIn: async (keys, { header = 'x-auth-token', environment = 'sandbox' } = {}) => {
      const { status, body, text } = await stoa.send('POST', '/v1/auth/register', {
        key: environment === 'sandbox' ? keys.secret_test_key : keys.secret_key,
        body: { email: `${randomUUID()}@example.com`, password: 'correct horse battery', first_name: 'Ada' },
        // An own address for each shopper, and so an own limit.
        headers: { 'X-Shopper-IP': `2001:db8:0:${(++shoppers).toString(16)}::1` },
      });
      expect(status, text).toBe(201);
      const shopper = { id: body.customer.id, headers: { 'x-auth-token': body.session.access_token } };
      return assert(keys, header, shopper, environment);
    },
    stop: () => {
      verifier.closeAllConnections();
      verifier.close();
    },
  };
};

const startVerifier = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { token } = JSON.parse(body) as { token: string };
      const known = UUID.test(token);
      response
        .writeHead(known ? 200 : 401)
        .end(JSON.stringify(known ? { subject: token, email: `${token}@verified.example` } : {}));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
};
