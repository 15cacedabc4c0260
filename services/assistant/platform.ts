// Fetches profiles of UCP platforms over HTTPS, without redirects, and caches them for a minute. Bounds the cached
// profiles and the concurrent fetches.
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { PlatformProfile, ReadPlatformResponse } from '#proto/gen/assistant.ts';
import { type Environment, Refusal, refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { parseStrict } from '#values/json.ts';

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 256 * 1024;
const CACHE_MS = 60_000;
const FAULT_CACHE_MS = 5_000;
const CACHED_PROFILES_MAX = 1_000;
const SEARCHES_MAX = 10;
const FETCHED_AT_ONCE_MAX = 8;
const WAITING_MAX = 64;
const WAIT_MS_MAX = 2_000;
const CAPABILITIES_MAX = 200;
const URL_LENGTH_MAX = 2_048;

const ORDER = 'dev.ucp.shopping.order';

const Entries = Type.Array(
  Type.Object({
    version: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  { maxItems: 20 },
);
const KEYS_MAX = 50;
const Coordinate = Type.Optional(Type.String({ maxLength: 200 }));
const Key = Type.Object({
  kid: Type.String({ minLength: 1, maxLength: 300 }),
  kty: Type.String({ maxLength: 20 }),
  crv: Coordinate,
  x: Coordinate,
  y: Coordinate,
});
const Document = Type.Object({
  signing_keys: Type.Optional(Type.Array(Key, { maxItems: KEYS_MAX })),
  ucp: Type.Object({
    version: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    capabilities: Type.Optional(Type.Record(Type.String({ maxLength: 200 }), Entries)),
  }),
});
const document = TypeCompiler.Compile(Document);

const fault = (code: NonNullable<ReadPlatformResponse['fault']>, problem: string): ReadPlatformResponse => ({
  platform: null,
  fault: code,
  problem,
});

const CROWDED = refuse(
  'service_unavailable',
  `${FETCHED_AT_ONCE_MAX} platform profiles are being fetched. Retry after a second.`,
  { retryAfterS: 1 },
);

const webhookUrl = (capabilities: Static<typeof Document>['ucp']['capabilities']): string | null => {
  const url = capabilities?.[ORDER]?.map(({ config }) => config?.webhook_url).find((each) => typeof each === 'string');
  return typeof url === 'string' && url !== '' && url.length <= URL_LENGTH_MAX ? url : null;
};

const read = (bytes: Uint8Array): PlatformProfile | null => {
  const parsed = parseStrict(bytes);
  if (!parsed.ok || !document.Check(parsed.value)) return null;
  const { signing_keys = [] } = parsed.value;
  const { version, capabilities = {} } = parsed.value.ucp;
  const entries = Object.entries(capabilities).slice(0, CAPABILITIES_MAX);
  return {
    version,
    capabilities: entries.map(([name, all]) => ({ name, versions: all.map((each) => each.version) })),
    order_webhook_url: webhookUrl(capabilities),
    signing_keys: signing_keys.map(({ kid, kty, crv = '', x = '', y = '' }) => ({ kid, kty, crv, x, y })),
  };
};

/**
 * Returns the profile, and fetches it again if the cached one lacks the key `kid`. Refuses if too many fetches are
 * running.
 */
export type ReadPlatform = (
  profile: string,
  environment: Environment,
  kid: string | null,
) => Promise<ReadPlatformResponse | Refusal>;

interface ProfileSource {
  readonly profile: string;
  readonly environment: Environment;
}

interface FetchedProfile {
  readonly response: ReadPlatformResponse;
  search: { readonly since: number; count: number };
}

const hasKey = ({ platform }: ReadPlatformResponse, kid: string): boolean =>
  platform?.signing_keys.some((key) => key.kid === kid) ?? false;

export const openPlatforms = (outbound: Outbound, clock: Pick<Clock, 'real'>): ReadPlatform => {
  const queue = new AdmissionQueue({
    runningMax: FETCHED_AT_ONCE_MAX,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
    refusal: CROWDED,
  });

  const fetched = async (url: string, environment: Environment): Promise<ReadPlatformResponse> => {
    const answer = await outbound.send({ url, environment, method: 'GET', timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX });
    if (answer instanceof OutboundFailure)
      return answer.reason === 'refused'
        ? fault('invalid_profile_url', answer.message)
        : fault('profile_unreachable', `The profile cannot be fetched: ${answer.message}`);
    if (answer.status < 200 || answer.status > 299)
      return fault(
        'profile_unreachable',
        `The profile's address answers ${answer.status}; redirects are not followed.`,
      );
    const platform = answer.truncated ? null : read(answer.body);
    return platform === null
      ? fault('profile_malformed', 'The profile is not a UCP profile in JSON.')
      : { platform, fault: null, problem: null };
  };

  const profiles = new LookupCache<string, FetchedProfile, ProfileSource, Refusal>({
    now: () => clock.real(),
    entriesMax: CACHED_PROFILES_MAX,
    load: async (_, { profile, environment }, before) => {
      const response = await queue.run(() => fetched(profile, environment));
      if (response instanceof Refusal) return response;
      const search = before?.search ?? { since: clock.real(), count: 0 };
      return { value: { response, search }, ttlMs: response.fault === null ? CACHE_MS : FAULT_CACHE_MS };
    },
  });

  /** Limits fetches for missing keys, because any caller can name a missing key. */
  const maySearch = (fetched: FetchedProfile): boolean => {
    const now = clock.real();
    if (fetched.search.since + CACHE_MS <= now) fetched.search = { since: now, count: 0 };
    return ++fetched.search.count <= SEARCHES_MAX;
  };

  return async (profile, environment, kid) => {
    // Cached per environment, because the sandbox may fetch addresses that production may not.
    const key = `${environment} ${profile}`;
    const source = { profile, environment };
    const known = profiles.peek(key);
    const lacksKey = known && clock.real() < known.staleAt && kid !== null && !hasKey(known.value.response, kid);
    const found = await (lacksKey && maySearch(known.value) ? profiles.reload(key, source) : profiles.get(key, source));
    return found instanceof Refusal ? found : found.response;
  };
};
