// Connects apps and a sales channel to the demo shop's sandbox. Keeps existing ones.
import { createHash, randomBytes } from 'node:crypto';
import type { ChannelResponse, StoreChannel } from '#proto/gen/channel.ts';
import type { ConnectGrant, ConnectSessionResponse, IssueTokenResponse } from '#proto/gen/connect.ts';
import { TRIAL_CHANNEL_PATH } from '#services/commerce/public_path.ts';
import type { Client } from './client.ts';

export interface DemoApp {
  readonly client_name: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly looks: string | null;
}

export const APPS: readonly DemoApp[] = [
  {
    client_name: 'Matatu Parcels',
    redirect_uri: 'https://matatu-parcels.example/connected',
    scopes: ['orders:read', 'shipping:read', 'shipping:write'],
    looks: '/v1/orders?limit=1',
  },
  {
    client_name: 'Hesabu Books',
    redirect_uri: 'https://hesabu.example/oauth/callback',
    scopes: ['orders:read', 'payments:read', 'customers:read'],
    looks: null,
  },
];

export const CHANNEL = { provider: 'soko_index', name: 'Soko Index', format: 'stoa' } as const;

const TIMEOUT_MS = 10_000;
const TRIES_MAX = 4;
const CONNECT = '/connect/';

const form = (values: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(values),
  redirect: 'manual',
  signal: AbortSignal.timeout(TIMEOUT_MS),
});

const begin = async (api: Client, { client_name, redirect_uri, scopes }: DemoApp) => {
  const body = { client_name, redirect_uri, scopes };
  const { session } = await api.renew<ConnectSessionResponse>('/v1/connect/sessions', body);
  const url = session.connect_url!;
  const at = url.lastIndexOf(CONNECT);
  return { client_id: session.client_id, ticket: url.slice(at + CONNECT.length), publicUrl: url.slice(0, at) };
};

const letIn = async (api: Client, baseUrl: string, app: DemoApp): Promise<void> => {
  const { client_id, ticket } = await begin(api, app);
  const { redirect_uri } = app;
  const code_verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const decided = await fetch(`${baseUrl}${CONNECT}${ticket}?${query}`, form({ decision: 'allow' }));
  const code = URL.parse(decided.headers.get('location') ?? '')?.searchParams.get('code');
  if (!code) throw new Error(`${app.client_name} was answered ${decided.status} instead of a code.`);
  const issued = await fetch(
    `${baseUrl}/v1/connect/token`,
    form({ grant_type: 'authorization_code', code, redirect_uri, client_id, code_verifier }),
  );
  if (!issued.ok) throw new Error(`${app.client_name} was answered ${issued.status}: ${await issued.text()}`);
  const { access_token } = (await issued.json()) as IssueTokenResponse;
  if (app.looks !== null) await api.as(access_token).get(app.looks);
};

/** Repeats all steps after a failure, because a decision and a code can be used only once. */
const letInSurely = async (api: Client, baseUrl: string, app: DemoApp): Promise<void> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await letIn(api, baseUrl, app);
    } catch (fault) {
      if (attempt === TRIES_MAX) throw fault;
    }
};

const trialUrl = async (api: Client): Promise<string> =>
  `${(await begin(api, APPS[0]!)).publicUrl}${TRIAL_CHANNEL_PATH}`;

export const seedConnections = async (api: Client, baseUrl: string): Promise<void> => {
  const grants = await api.all<ConnectGrant>('/v1/connect/grants?', 'grants', 100);
  for (const app of APPS)
    if (!grants.some(({ client_name }) => client_name === app.client_name)) await letInSurely(api, baseUrl, app);
  const channels = await api.all<StoreChannel>('/v1/channels?', 'channels', 100);
  if (channels.some(({ provider }) => provider === CHANNEL.provider)) return;
  await api.post<ChannelResponse>('/v1/channels', { ...CHANNEL, url: await trialUrl(api) });
};

export const relocateChannel = async (api: Client): Promise<void> => {
  const channels = await api.all<StoreChannel>('/v1/channels?', 'channels', 100);
  const own = channels.filter(({ url }) => URL.parse(url)?.pathname === TRIAL_CHANNEL_PATH);
  if (own.length === 0) return;
  const url = await trialUrl(api);
  for (const channel of own)
    if (channel.url !== url) await api.patch<ChannelResponse>(`/v1/channels/${channel.id}`, { url });
};
