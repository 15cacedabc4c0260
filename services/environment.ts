// Reads a services host's configuration from environment variables and reports invalid values.

import { existsSync, readFileSync } from 'node:fs';
import { openSeal } from '#runtime/process/seal.ts';
import { drainSecondsOf, EnvironmentError, readSettings, type Settings } from '#runtime/process/setting.ts';
import { readTraceEnvironment, type TraceEnvironment } from '#runtime/process/trace_environment.ts';

export interface ServicesEnvironment {
  readonly databaseUrl: string;
  /** Time-out for opening a database connection while callers wait, in ms; undefined: the default. */
  readonly databaseConnectMs?: number | undefined;
  readonly natsUrl: string;
  readonly masterKey: string;
  /** File with the master key, which is read again while this host runs; empty: the key is the one of the start. */
  readonly masterKeyFile?: string;
  /** Address where this host listens for links and unary calls: `unix:/path` or `host:port`. */
  readonly link: string;
  readonly linkToken: string;
  readonly namespace: string;
  readonly partitions?: number | undefined;
  /** Address under which other hosts reach this host's link, if it differs from `link`. */
  readonly linkAdvertised?: string;
  readonly internalPort: number;
  readonly domains: readonly string[];
  readonly settings: Settings;
  readonly internalHost: string;
  readonly logLevel: string;
  readonly failpoint: string;
  /** `single`: this process serves HTTP as well. */
  readonly topology: 'split' | 'single';
  readonly drainSeconds: number;
  readonly tracing: TraceEnvironment;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the text of the file of STOA_MASTER_KEY_FILE; STOA_MASTER_KEY until a rotation has made that file. */
const masterKeyOf = ({ STOA_MASTER_KEY = '', STOA_MASTER_KEY_FILE = '' }: Variables): string => {
  if (!STOA_MASTER_KEY_FILE || (STOA_MASTER_KEY && !existsSync(STOA_MASTER_KEY_FILE))) return STOA_MASTER_KEY;
  try {
    return readFileSync(STOA_MASTER_KEY_FILE, 'utf8').trim();
  } catch (problem) {
    throw new EnvironmentError(`STOA_MASTER_KEY_FILE names a file that cannot be read: ${(problem as Error).message}`);
  }
};

const REQUIRED = ['DATABASE_URL', 'NATS_URL', 'STOA_MASTER_KEY', 'STOA_LINK'] as const;

function requiredOf(given: Variables): Readonly<Record<(typeof REQUIRED)[number], string>> {
  const variables: Variables = { ...given, STOA_MASTER_KEY: masterKeyOf(given) };
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
    masterKeyFile: variables.STOA_MASTER_KEY_FILE ?? '',
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
