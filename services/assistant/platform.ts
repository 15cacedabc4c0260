// Profiles of UCP platforms: fetched over HTTPS, never behind a redirect, and kept for a minute. What discovery costs is
// bounded whatever callers name: so many profiles are kept, and so many are fetched at once.
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { PlatformProfile, ReadPlatformResponse } from '#proto/gen/assistant.ts';
import { type Environment, Refusal, refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { parseStrict } from '#values/strict_json.ts';

const TIMEOUT_MS = 3_000;
const BYTES_MAX = 256 * 1024;
const KEPT_MS = 60_000;
/** A profile that could not be read is asked for again sooner. */
const FAULT_KEPT_MS = 5_000;
const KEPT_MAX = 1_000;
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

const CROWDED = refuse('service_unavailable', 'Too many platforms are being discovered.', { retryAfterS: 1 });

/** Where orders are told to; one that cannot be an address is as good as none, as one that webhooks are not sent to is. */
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

/** The profile at this address, with the key of this id where it publishes it; a refusal where too many are being fetched. */
export type ReadPlatform = (
  profile: string,
  environment: Environment,
  kid: string | null,
) => Promise<ReadPlatformResponse | Refusal>;

interface FetchedProfile {
  readonly told: ReadPlatformResponse;
  readonly until: number;
  /** How often it was fetched for a key that it did not have, and since when. */
  search: { readonly since: number; count: number };
}

const hasKey = ({ platform }: ReadPlatformResponse, kid: string): boolean =>
  platform?.signing_keys.some((key) => key.kid === kid) ?? false;

export const openPlatforms = (outbound: Outbound, clock: Pick<Clock, 'real'>): ReadPlatform => {
  const kept = new Map<string, FetchedProfile>();
  const fetching = new Map<string, Promise<ReadPlatformResponse | Refusal>>();
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

  const share = async (key: string, url: string, environment: Environment): Promise<ReadPlatformResponse | Refusal> => {
    const told = await queue.run(() => fetched(url, environment));
    if (told instanceof Refusal) return told;
    const search = kept.get(key)?.search ?? { since: clock.real(), count: 0 };
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!);
    kept.set(key, { told, until: clock.real() + (told.fault === null ? KEPT_MS : FAULT_KEPT_MS), search });
    return told;
  };

  /** Any caller can name a key: a profile is fetched for one so often in a minute. */
  const maySearch = (fetched: FetchedProfile): boolean => {
    const now = clock.real();
    if (fetched.search.since + KEPT_MS <= now) fetched.search = { since: now, count: 0 };
    return ++fetched.search.count <= SEARCHES_MAX;
  };

  return (profile, environment, kid) => {
    // What the sandbox may reach, production may not.
    const key = `${environment} ${profile}`;
    const known = kept.get(key);
    const serves = known && known.until > clock.real();
    if (serves && (kid === null || hasKey(known.told, kid) || !maySearch(known))) {
      kept.delete(key);
      kept.set(key, known);
      return Promise.resolve(known.told);
    }
    const running = fetching.get(key);
    if (running) return running;
    const work = share(key, profile, environment).finally(() => fetching.delete(key));
    fetching.set(key, work);
    return work;
  };
};
