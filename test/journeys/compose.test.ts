// compose.yaml, as far as it can be tried without containers: its variables are those that the processes read, they agree
// with each other, and the broker accepts its configuration.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edgeEnvironment } from '#edge/environment.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { findNats } from '#services/cli/local/nats_binary.ts';
import { servicesEnvironment } from '#services/environment.ts';

const SECRETS: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'postgres-password',
  NATS_PASSWORD: 'nats-password',
  STOA_LINK_TOKEN: 'link-token',
  STOA_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
};

interface Service {
  readonly hostname?: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly build?: string;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: { readonly nats: { readonly content: string } };
}

/** As the composer does: `${NAME}`, `${NAME:-default}`, `${NAME:?why}`, and `$$` for a dollar. */
const filled = (text: string): string =>
  text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (all, name?: string, kind?: string, other?: string) => {
    if (all === '$$') return '$';
    const value = SECRETS[name ?? ''];
    if (value === undefined && kind !== '-') throw new Error(`${name} is not among the secrets that are told of.`);
    return value ?? other ?? '';
  });

const text = filled(await readFile('compose.yaml', 'utf8'));
const { services, configs } = Bun.YAML.parse(text) as Compose;
const named = (beginning: string): [string, Service][] =>
  Object.entries(services).filter(([name]) => name.startsWith(beginning));

test('two hosts and two edges, each edge told of every host', () => {
  const hosts = named('services-');
  const edges = named('edge-');
  expect([hosts.length, edges.length]).toEqual([2, 2]);
  for (const [name, { hostname, environment }] of hosts) {
    const read = servicesEnvironment({ ...environment });
    // The others reach it by the name that the system gives it, which is advertised in the place of 0.0.0.0.
    expect(hostname).toBe(name);
    expect(read.link).toBe('0.0.0.0:7070');
    expect(read).toMatchObject({ linkToken: SECRETS.STOA_LINK_TOKEN, partitions: 8 });
    expect(() => openSeal(read.masterKey)).not.toThrow();
    expect(new URL(read.databaseUrl).hostname).toBe('postgres');
  }
  for (const [, { environment }] of edges) {
    const read = edgeEnvironment({ ...environment });
    expect(read.linkAddresses).toEqual(hosts.map(([name]) => `${name}:7070`));
    expect(read).toMatchObject({ host: '0.0.0.0', port: 8080, linkToken: SECRETS.STOA_LINK_TOKEN });
  }
});

test('all hosts speak to all brokers, and copy each stream to all of them', () => {
  const brokers = named('nats-').map(([name]) => name);
  for (const [, { environment }] of named('services-')) {
    const urls = environment.NATS_URL!.split(',');
    expect(urls.map((url) => new URL(url).hostname)).toEqual(brokers);
    expect(Number(environment.STOA_NATS_REPLICAS)).toBe(brokers.length);
  }
});

test('each service that others wait for exists, and says when it is healthy', async () => {
  const image = await readFile('Dockerfile', 'utf8');
  for (const { depends_on } of Object.values(services))
    for (const [name, { condition }] of Object.entries(depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      expect(services[name]!.healthcheck !== undefined || image.includes('HEALTHCHECK'), name).toBe(true);
    }
});

test('the broker accepts its configuration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-compose-'));
  try {
    const file = join(folder, 'stoa.conf');
    // The folder of its data is a volume there.
    await writeFile(file, configs.nats.content.replace('/data', folder));
    const program = await findNats(folder, () => {});
    const said = spawnSync(program, ['-t', '-c', file], {
      env: { ...process.env, NATS_SERVER_NAME: 'nats-1' },
      encoding: 'utf8',
    });
    expect(said.status, said.stderr).toBe(0);
    expect(configs.nats.content).toContain('sync_interval: always');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
