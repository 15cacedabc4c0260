// Reads the edge's configuration from environment variables.
import { drainSecondsOf, EnvironmentError, webAddress } from '#runtime/process/setting.ts';
import { readTraceEnvironment, type TraceEnvironment } from '#runtime/process/trace_environment.ts';
import { type AccessLogging, readAccessLogging } from './access_log.ts';

export interface EdgeEnvironment {
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
  readonly internalHost: string;
  readonly logLevel: string;
  readonly failpoint: string;
  readonly publicUrl: string | null;
  /** Addresses of the services hosts, each `unix:/path` or `host:port`. */
  readonly linkAddresses: readonly string[];
  readonly linkToken: string;
  readonly redisUrl: string;
  readonly namespace: string;
  readonly trustedProxies: string;
  readonly cacheBytesMax: number;
  readonly demoFile: string;
  readonly demoPictures: string;
  readonly drainSeconds: number;
  readonly accessLog: AccessLogging;
  readonly tracing: TraceEnvironment;
}

type Variables = Readonly<Record<string, string | undefined>>;

export function numberOf(variables: Variables, name: string, fallback: number, max: number): number {
  const text = variables[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new EnvironmentError(`${name} must be a whole number from 0 to ${max}.`);
  return value;
}

export function edgeEnvironment(variables: Variables): EdgeEnvironment {
  const linkAddresses = (variables.STOA_LINK ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  if (linkAddresses.length === 0)
    throw new EnvironmentError('STOA_LINK must name the services hosts: `unix:/path` or `host:port`, comma-separated.');
  return {
    host: variables.HOST || '127.0.0.1',
    port: numberOf(variables, 'PORT', 8080, 65_535),
    internalPort: numberOf(variables, 'STOA_INTERNAL_PORT', 0, 65_535),
    internalHost: variables.STOA_INTERNAL_HOST || '127.0.0.1',
    logLevel: variables.STOA_LOG_LEVEL || 'info',
    failpoint: variables.STOA_FAILPOINT ?? '',
    publicUrl: webAddress(variables, 'STOA_PUBLIC_URL'),
    linkAddresses,
    linkToken: variables.STOA_LINK_TOKEN ?? '',
    redisUrl: variables.REDIS_URL ?? '',
    namespace: variables.STOA_NAMESPACE || 'stoa',
    trustedProxies: variables.TRUSTED_PROXIES ?? '',
    cacheBytesMax: numberOf(variables, 'STOA_CACHE_MB', 128, 65_536) * 1024 * 1024,
    demoFile: variables.STOA_DEMO_FILE ?? '',
    demoPictures: variables.STOA_DEMO_PICTURES ?? '',
    drainSeconds: drainSecondsOf(variables),
    accessLog: readAccessLogging(variables),
    tracing: readTraceEnvironment(variables),
  };
}
