// A services host's configuration, read from the environment once, with a clear sentence for what is wrong.
import { drainSecondsOf, EnvironmentError } from '#runtime/process/environment.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { readSettings, type Settings } from '#runtime/process/setting.ts';
import { readTraceEnvironment, type TraceEnvironment } from '#runtime/process/trace_environment.ts';

export interface ServicesEnvironment {
  readonly databaseUrl: string;
  /** How long Postgres may take to give a connection while others wait for it; undefined: as long as is usual. */
  readonly databaseConnectMs?: number | undefined;
  readonly natsUrl: string;
  readonly masterKey: string;
  /** Where the link and unary calls are served: `unix:/path` or `host:port`. */
  readonly link: string;
  readonly linkToken: string;
  readonly namespace: string;
  /** Logs that all actors of a deployment begin with. */
  readonly partitions?: number | undefined;
  /** Where other hosts reach this one's link, if not where it is served. */
  readonly linkAdvertised?: string;
  readonly internalPort: number;
  /** Names of the domains to host; empty for all. */
  readonly domains: readonly string[];
  readonly settings: Settings;
  readonly internalHost: string;
  readonly logLevel: string;
  /** Where a test kills this process: `<place>@<store>`; empty in production. */
  readonly failpoint: string;
  /** `single` serves HTTP from this process as well. */
  readonly topology: 'split' | 'single';
  readonly drainSeconds: number;
  readonly tracing: TraceEnvironment;
}

type Variables = Readonly<Record<string, string | undefined>>;

const REQUIRED = ['DATABASE_URL', 'NATS_URL', 'STOA_MASTER_KEY', 'STOA_LINK'] as const;

/** The variables without which no services start; all that are missing are named at once. */
function requiredOf(variables: Variables): Readonly<Record<(typeof REQUIRED)[number], string>> {
  const missing = REQUIRED.filter((name) => !variables[name]);
  if (missing.length > 0)
    throw new EnvironmentError(
      `Services cannot start: ${missing.join(', ')} must be set (\`npm start\` sets them all by itself).`,
    );
  const { DATABASE_URL = '', NATS_URL = '', STOA_MASTER_KEY = '', STOA_LINK = '' } = variables;
  try {
    openSeal(STOA_MASTER_KEY);
  } catch (problem) {
    throw new EnvironmentError(problem instanceof Error ? problem.message : String(problem));
  }
  return { DATABASE_URL, NATS_URL, STOA_MASTER_KEY, STOA_LINK };
}

export function servicesEnvironment(variables: Variables): ServicesEnvironment {
  const required = requiredOf(variables);
  const internalPort = Number(variables.STOA_INTERNAL_PORT || 0);
  if (!Number.isInteger(internalPort) || internalPort < 0 || internalPort > 65_535)
    throw new EnvironmentError('STOA_INTERNAL_PORT must be a port.');
  const partitions = variables.STOA_PARTITIONS ? Number(variables.STOA_PARTITIONS) : undefined;
  if (partitions !== undefined && (!Number.isInteger(partitions) || partitions < 1 || partitions > 256))
    throw new EnvironmentError('STOA_PARTITIONS must be from 1 to 256.');
  const databaseConnectMs = variables.STOA_DATABASE_CONNECT_MS ? Number(variables.STOA_DATABASE_CONNECT_MS) : undefined;
  if (databaseConnectMs !== undefined && !(databaseConnectMs > 0))
    throw new EnvironmentError('STOA_DATABASE_CONNECT_MS must be a time in milliseconds.');
  const topology = variables.STOA_TOPOLOGY || 'split';
  if (topology !== 'split' && topology !== 'single')
    throw new EnvironmentError('STOA_TOPOLOGY must be `split` or `single`.');
  return {
    databaseUrl: required.DATABASE_URL,
    databaseConnectMs,
    natsUrl: required.NATS_URL,
    masterKey: required.STOA_MASTER_KEY,
    link: required.STOA_LINK,
    linkToken: variables.STOA_LINK_TOKEN ?? '',
    namespace: variables.STOA_NAMESPACE || 'stoa',
    internalPort,
    partitions,
    linkAdvertised: variables.STOA_LINK_ADVERTISED || undefined,
    domains: (variables.STOA_DOMAINS ?? '')
      .split(',')
      .map((text) => text.trim())
      .filter(Boolean),
    topology,
    settings: readSettings(variables),
    internalHost: variables.STOA_INTERNAL_HOST || '127.0.0.1',
    logLevel: variables.STOA_LOG_LEVEL || 'info',
    failpoint: variables.STOA_FAILPOINT ?? '',
    drainSeconds: drainSecondsOf(variables),
    tracing: readTraceEnvironment(variables),
  };
}
