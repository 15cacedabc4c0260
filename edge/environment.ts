// The edge's configuration, read from the environment once, with a clear sentence for what is wrong.

export interface EdgeEnvironment {
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
  /** `unix:/path` or `host:port`, one a services host. */
  readonly linkAddresses: readonly string[];
  readonly linkToken: string;
  readonly redisUrl: string;
  readonly namespace: string;
  readonly trustedProxies: string;
  readonly cacheBytesMax: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A whole number from the environment; an empty one counts as unset. */
export function numberOf(variables: Variables, name: string, fallback: number, max: number): number {
  const text = variables[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new Error(`${name} must be a whole number from 0 to ${max}.`);
  return value;
}

export function edgeEnvironment(variables: Variables): EdgeEnvironment {
  const linkAddresses = (variables.STOA_LINK ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  if (linkAddresses.length === 0)
    throw new Error('STOA_LINK must name the services hosts: `unix:/path` or `host:port`, comma-separated.');
  return {
    host: variables.HOST || '127.0.0.1',
    port: numberOf(variables, 'PORT', 8080, 65_535),
    internalPort: numberOf(variables, 'STOA_INTERNAL_PORT', 0, 65_535),
    linkAddresses,
    linkToken: variables.STOA_LINK_TOKEN ?? '',
    redisUrl: variables.REDIS_URL ?? '',
    namespace: variables.STOA_NAMESPACE || 'stoa',
    trustedProxies: variables.TRUSTED_PROXIES ?? '',
    cacheBytesMax: numberOf(variables, 'STOA_CACHE_MB', 128, 65_536) * 1024 * 1024,
  };
}
