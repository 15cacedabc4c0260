// Reads settings for domains from the environment. An invalid setting or an unusable server ends the process with one
// sentence and no stack.
import { Unavailable } from '#runtime/call/fault.ts';
import { DRAIN_SECONDS_RULE, readDrainSeconds } from './drain.ts';

export class EnvironmentError extends Error {}

/** Long enough for a load balancer to probe a few times. */
const DRAIN_SECONDS = 5;

export const drainSecondsOf = (variables: Readonly<Record<string, string | undefined>>): number => {
  const seconds = readDrainSeconds(variables, DRAIN_SECONDS);
  if (seconds === null) throw new EnvironmentError(DRAIN_SECONDS_RULE);
  return seconds;
};

/** Prints a configuration problem to standard error and exits with code 1; throws any other fault. */
export const reportAndExit = (problem: unknown): never => {
  if (!(problem instanceof EnvironmentError || problem instanceof Unavailable)) throw problem;
  process.stderr.write(`${problem.message}\n`);
  process.exit(1);
};

export const environmentOrExit = <T>(read: () => T): T => {
  try {
    return read();
  } catch (problem) {
    return reportAndExit(problem);
  }
};

export interface Settings {
  readonly publicUrl: string;
  /** Whether URLs configured with a test key may name this machine and use http. */
  readonly allowLocal: boolean;
  readonly natsReplicas: number;
  /** Limits of bytes in memory of catalogues and of search indexes; null: a share of the machine's memory. */
  readonly catalogBytesMax: number | null;
  readonly searchBytesMax: number | null;
  /** External embeddings service; null: the built-in model, trained on each store's catalogue. */
  readonly embeddings: EmbeddingSettings | null;
  /** URL of a geocoder with Nominatim's API; null: the built-in geocoder of the world's towns. */
  readonly geocoderUrl: string | null;
  readonly mail: MailSettings;
  /** Storage of uploaded files; null: NATS. */
  readonly s3: S3Settings | null;
  readonly providerUrls: Readonly<Record<'stripe' | 'paypal' | 'paystack' | 'daraja', string | null>>;
  /** Process priority (nice value, 0 to 19) of password hashing while the processor is busy. */
  readonly hashNiceness: number;
}

export interface EmbeddingSettings {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
  /** How long a search waits for the query's vector in ms; after that the search uses words alone. */
  readonly queryTimeoutMs: number;
}

export interface S3Settings {
  readonly bucket: string;
  /** Begins every key: empty, or a path with a slash at its end. */
  readonly prefix: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** SMTP servers by environment; null: the environment's mails are stored and not sent. */
export interface MailSettings {
  readonly production: string | null;
  readonly sandbox: string | null;
  /** Sender address; null: `no-reply@` and the SMTP host. */
  readonly from: string | null;
}

export type Variables = Readonly<Record<string, string | undefined>>;

export const wholeNumber = (
  variables: Variables,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | null => {
  const text = variables[name] ?? '';
  if (text === '') return null;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new EnvironmentError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
};

export const webAddress = (variables: Variables, name: string): string | null => {
  const text = variables[name] ?? '';
  if (text === '') return null;
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return text.replace(/(?<!\/)\/+$/, '');
  throw new EnvironmentError(`${name} must be an http or https address, not "${text}".`);
};

const MEBIBYTE = 1 << 20;
const MEBIBYTES = { min: 1, max: 1 << 20 } as const;
const EDGE_URL = 'http://127.0.0.1:8080';

const bytesOf = (variables: Variables, name: string): number | null => {
  const mebibytes = wholeNumber(variables, name, MEBIBYTES);
  return mebibytes === null ? null : mebibytes * MEBIBYTE;
};

const embeddingsOf = (variables: Variables): EmbeddingSettings | null => {
  const url = webAddress(variables, 'STOA_EMBEDDINGS_URL');
  if (url === null) return null;
  const model = variables.STOA_EMBEDDINGS_MODEL;
  if (!model) throw new EnvironmentError('STOA_EMBEDDINGS_MODEL must name the model of STOA_EMBEDDINGS_URL.');
  const queryTimeoutMs = wholeNumber(variables, 'STOA_EMBEDDINGS_TIMEOUT_MS', { min: 1, max: 5_000 }) ?? 300;
  return { url, model, apiKey: variables.STOA_EMBEDDINGS_API_KEY || null, queryTimeoutMs };
};

const s3Of = (variables: Variables): S3Settings | null => {
  const text = variables.STOA_MEDIA ?? '';
  if (text === '' || text === 'nats') return null;
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === undefined)
    throw new EnvironmentError(`STOA_MEDIA must be "nats" or an address such as s3://bucket/prefix, not "${text}".`);
  const accessKeyId = variables.STOA_S3_ACCESS_KEY_ID ?? '';
  const secretAccessKey = variables.STOA_S3_SECRET_ACCESS_KEY ?? '';
  if (accessKeyId === '' || secretAccessKey === '')
    throw new EnvironmentError(
      'STOA_MEDIA names S3, so STOA_S3_ACCESS_KEY_ID and STOA_S3_SECRET_ACCESS_KEY must be set.',
    );
  const region = variables.STOA_S3_REGION ?? '';
  const endpoint = variables.STOA_S3_ENDPOINT ? webAddress(variables, 'STOA_S3_ENDPOINT') : null;
  return {
    bucket,
    prefix: path === '' ? '' : `${path.replace(/(?<!\/)\/+$/, '')}/`,
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === '' ? {} : { region }),
    accessKeyId,
    secretAccessKey,
  };
};

export const readSettings = (variables: Variables): Settings => ({
  publicUrl: webAddress(variables, 'STOA_PUBLIC_URL') ?? EDGE_URL,
  allowLocal: variables.STOA_ALLOW_LOCAL_WEBHOOKS === '1',
  natsReplicas: wholeNumber(variables, 'STOA_NATS_REPLICAS', { min: 1, max: 5 }) ?? 1,
  catalogBytesMax: bytesOf(variables, 'STOA_CATALOG_MEMORY_MB'),
  searchBytesMax: bytesOf(variables, 'STOA_SEARCH_MEMORY_MB'),
  embeddings: embeddingsOf(variables),
  geocoderUrl: webAddress(variables, 'STOA_GEOCODER_URL'),
  mail: {
    production: variables.STOA_SMTP_URL || null,
    sandbox: variables.STOA_SMTP_SANDBOX_URL || null,
    from: variables.STOA_MAIL_FROM || null,
  },
  s3: s3Of(variables),
  providerUrls: {
    stripe: webAddress(variables, 'STOA_STRIPE_URL'),
    paypal: webAddress(variables, 'STOA_PAYPAL_URL'),
    paystack: webAddress(variables, 'STOA_PAYSTACK_URL'),
    daraja: webAddress(variables, 'STOA_DARAJA_URL'),
  },
  hashNiceness: wholeNumber(variables, 'STOA_HASH_NICENESS', { min: 0, max: 19 }) ?? 10,
});
