// What `stoa start` is told by the environment, read once, with a clear sentence for what is wrong.
import { isIPv6 } from 'node:net';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';

export interface StartEnvironment {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Servers of somebody else's; empty: we start our own (Redis: we do without). */
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly demo: boolean;
  /** The edge inside the services process, for small machines. */
  readonly single: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

export const startEnvironment = (variables: Variables): StartEnvironment => {
  const port = variables.PORT || '8080';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new SetupError(`PORT must be a number from 1 to 65535, not "${port}".`);
  return {
    home: homePath(),
    host: variables.HOST || '127.0.0.1',
    port: Number(port),
    databaseUrl: address(variables, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    natsUrl: address(variables, 'NATS_URL', ['nats:', 'tls:']),
    redisUrl: address(variables, 'REDIS_URL', ['redis:', 'rediss:']),
    demo: variables.STOA_DEMO !== '0',
    single: variables.STOA_TOPOLOGY === 'single',
  };
};

const address = (variables: Variables, name: string, protocols: readonly string[]): string => {
  const text = variables[name] ?? '';
  if (text !== '' && !protocols.some((protocol) => text.startsWith(`${protocol}//`)))
    throw new SetupError(`${name} must be an address that starts with ${protocols[0]}//.`);
  return text;
};

/** An address as it stands in a URL. */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

/** Where we ourselves reach what listens there. */
export const ownHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);
