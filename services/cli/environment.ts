// What the command line is told by the environment: the one place that reads it, with a clear sentence for what is wrong.
import { isIPv6 } from 'node:net';
import { DRAIN_SECONDS_RULE, readDrainSeconds } from '#runtime/process/drain.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { variables as all, type LocalVariables } from './local/variable.ts';

export interface StartEnvironment {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Servers that are not ours; empty: we start our own (Redis: we do without). */
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  /** The edge's address in links; empty: the one that it listens on. */
  readonly publicUrl: string;
  /** Seals secrets at rest; empty: the home's own. */
  readonly masterKey: string;
  readonly demo: boolean;
  /** The edge inside the services process, for small machines. */
  readonly single: boolean;
  /** How long a process that is told to end says so and still serves: not at all where nothing goes by it. */
  readonly drainSeconds: number;
}

const DRAIN_SECONDS = 0;

export const startEnvironment = (variables: LocalVariables = all): StartEnvironment => {
  const port = variables.PORT || '8080';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new SetupError(`PORT must be a number from 1 to 65535, not "${port}".`);
  const drainSeconds = readDrainSeconds(variables, DRAIN_SECONDS);
  if (drainSeconds === null) throw new SetupError(DRAIN_SECONDS_RULE);
  return {
    home: homePath(),
    host: variables.HOST || '127.0.0.1',
    port: Number(port),
    databaseUrl: address(variables, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    natsUrl: address(variables, 'NATS_URL', ['nats:', 'tls:']),
    redisUrl: address(variables, 'REDIS_URL', ['redis:', 'rediss:']),
    publicUrl: variables.STOA_PUBLIC_URL ?? '',
    masterKey: variables.STOA_MASTER_KEY ?? '',
    demo: variables.STOA_DEMO !== '0',
    single: variables.STOA_TOPOLOGY === 'single',
    drainSeconds,
  };
};

/** How commands reach a system that runs elsewhere; empty where a variable is not set. */
export const accessEnvironment = (variables: LocalVariables = all) => ({
  /** The services host's link; the first of several. */
  link: (variables.STOA_LINK ?? '').split(',')[0]!.trim(),
  linkToken: variables.STOA_LINK_TOKEN ?? '',
  baseUrl: variables.STOA_BASE_URL ?? '',
  secretKey: variables.STOA_SECRET_KEY ?? '',
  hmacSecret: variables.STOA_HMAC_SECRET ?? '',
});

const address = (variables: LocalVariables, name: string, protocols: readonly string[]): string => {
  const text = variables[name] ?? '';
  if (text !== '' && !protocols.some((protocol) => text.startsWith(`${protocol}//`)))
    throw new SetupError(`${name} must be an address that starts with ${protocols[0]}//.`);
  return text;
};

/** An address as it stands in a URL. */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/** Where we ourselves reach what listens there. */
export const ownHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);
