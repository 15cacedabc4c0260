// Reads and validates the command line's environment variables.
import { isIPv6 } from 'node:net';
import { DRAIN_SECONDS_RULE, readDrainSeconds } from '#runtime/process/drain.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { variables as all, type LocalVariables } from './local/variable.ts';

export interface StartEnvironment {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** URLs of servers that the user runs; empty starts one in the home (for Redis: none). */
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  /** Base URL of the edge in links, empty for the listening address; key that encrypts secrets, empty for the home's. */
  readonly publicUrl: string;
  readonly masterKey: string;
  readonly masterKeyFile: string;
  readonly demo: boolean;
  /** Whether the edge runs inside the services process, for small machines. */
  readonly single: boolean;
  /**
   * Seconds for which a stopping process reports that it is draining and still serves; 0 if there is no load balancer.
   */
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
    masterKeyFile: variables.STOA_MASTER_KEY_FILE ?? '',
    demo: variables.STOA_DEMO !== '0',
    single: variables.STOA_TOPOLOGY === 'single',
    drainSeconds,
  };
};

export const accessEnvironment = (variables: LocalVariables = all) => ({
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

export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

export const ownHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);
