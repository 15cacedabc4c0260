// An app made with a client library that others trust gets into a store, works there, stays in, and is shown out.
import * as oauth from 'oauth4webapi';
import { beforeAll, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const REDIRECT = 'http://127.0.0.1:7777/callback';
/** The system under test has no certificate. */
const plain = { [oauth.allowInsecureRequests]: true };

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const serverOf = (connectUrl: string): oauth.AuthorizationServer => ({
  issuer: stoa.url,
  authorization_endpoint: connectUrl,
  token_endpoint: `${stoa.url}/v1/connect/token`,
  revocation_endpoint: `${stoa.url}/v1/connect/revoke`,
  authorization_response_iss_parameter_supported: true,
});

const begin = async (more: object = {}) => {
  const reply = await stoa.send('POST', '/v1/connect/sessions', {
    key: keys.secret_key,
    body: { client_name: 'Planner', redirect_uri: REDIRECT, scopes: ['orders:read', 'catalog:write'], ...more },
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.session;
};

/** The merchant opens the app's link and presses a button. */
const press = async (address: URL, decision: string): Promise<URL> => {
  expect((await fetch(address)).status).toBe(200);
  const body = new URLSearchParams({ decision });
  const response = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  return new URL(response.headers.get('location')!);
};

const flow = async (client: oauth.Client, auth: oauth.ClientAuth, connectUrl: string, decision = 'allow') => {
  const server = serverOf(connectUrl);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(connectUrl);
  for (const [name, value] of Object.entries({
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'orders:read catalog:write',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }))
    address.searchParams.set(name, value);
  const back = await press(address, decision);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    parameters,
    REDIRECT,
    verifier,
    plain,
  );
  return { server, tokens: await oauth.processAuthorizationCodeResponse(server, client, response) };
};

const works = async (token: string): Promise<number> => {
  const body = { name: 'Lamp', price: 10 };
  return (await stoa.send('POST', '/v1/products', { key: token, body })).status;
};

test('a public client connects, refreshes, and revokes', async () => {
  const session = await begin();
  const client: oauth.Client = { client_id: session.client_id };
  const auth = oauth.None();
  const { server, tokens } = await flow(client, auth, session.connect_url);
  expect(await works(tokens.access_token)).toBe(201);

  const refreshing = await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token!, plain);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, refreshing);
  expect(await works(refreshed.access_token)).toBe(201);

  const revoking = await oauth.revocationRequest(server, client, auth, refreshed.refresh_token!, plain);
  await oauth.processRevocationResponse(revoking);
  expect(await works(refreshed.access_token)).toBe(401);
});

test.each([
  ['HTTP Basic', oauth.ClientSecretBasic],
  ['the body', oauth.ClientSecretPost],
])('a confidential client tells its secret by %s, and is refused without it', async (_how, authenticate) => {
  const made = ok(
    await stoa.services.runtime.ask('ConnectAdmin/CreateClient', NO_TENANT, {
      name: 'Ledger & Co',
      redirect_uris: [REDIRECT],
    }),
  );
  const session = await begin({ client_id: made.client_id });
  expect(session.client_name).toBe('Ledger & Co');
  const client: oauth.Client = { client_id: made.client_id };
  const { tokens, server } = await flow(client, authenticate(made.client_secret), session.connect_url);
  expect(await works(tokens.access_token)).toBe(201);
  for (const wrong of [oauth.None(), authenticate('svc_cs_wrong')]) {
    const response = await oauth.refreshTokenGrantRequest(server, client, wrong, tokens.refresh_token!, plain);
    await expect(oauth.processRefreshTokenResponse(server, client, response)).rejects.toThrow();
  }
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authenticate(made.client_secret),
    tokens.refresh_token!,
    plain,
  );
  expect((await oauth.processRefreshTokenResponse(server, client, response)).access_token).toMatch(/^svc_at_live_/);
});

test('a merchant who denies sends the app away with access_denied', async () => {
  const session = await begin();
  const client: oauth.Client = { client_id: session.client_id };
  await expect(flow(client, oauth.None(), session.connect_url, 'deny')).rejects.toThrow(/error/i);
});
