// Checks compose.yaml without containers: its variables are those that the processes read, they agree with each other, and
// the same processes start with them, each at another loopback address.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edgeEnvironment } from '#edge/environment.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { type Child, startChild } from '#services/cli/local/child.ts';
import { findNats } from '#services/cli/local/nats_binary.ts';
import { servicesEnvironment } from '#services/environment.ts';
import { eventually, freshDatabase } from '#test/support/server.ts';

/** The file `.env` that compose.yaml asks for. */
const SECRETS: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'postgres-password',
  NATS_PASSWORD: 'nats-password',
  STOA_LINK_TOKEN: 'link-token',
  STOA_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
  STOA_PUBLIC_URL: 'https://shop.example',
  STOA_SMTP_URL: 'smtp://user:password@mail.example:587',
};

interface Service {
  readonly hostname?: string;
  readonly image?: string;
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly build?: string | { readonly target: string };
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: { readonly front: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } } };
  readonly configs: Readonly<Record<'nats' | 'proxy' | 'prometheus', { readonly content: string }>>;
}
interface Scraping {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly { readonly static_configs: readonly { readonly targets: readonly string[] }[] }[];
}

/** Expands variables like the composer: `${NAME}`, `${NAME:-default}`, `${NAME:?why}`, and `$$` for a dollar. */
const filled = (text: string): string =>
  text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (all, name?: string, kind?: string, other?: string) => {
    if (all === '$$') return '$';
    const value = SECRETS[name ?? ''];
    if (value === undefined && kind !== '-') throw new Error(`${name} is not among the secrets that are told of.`);
    return value ?? other ?? '';
  });

const text = filled(await readFile('compose.yaml', 'utf8'));
const { services, configs, networks } = Bun.YAML.parse(text) as Compose;
const image = await readFile('Dockerfile', 'utf8');
const scraping = Bun.YAML.parse(configs.prometheus.content) as Scraping;
const scraped = scraping.scrape_configs.flatMap(({ static_configs }) =>
  static_configs.flatMap(({ targets }) => targets),
);
const named = (beginning: string): [string, Service][] =>
  Object.entries(services).filter(([name]) => name.startsWith(beginning));

test('starts two hosts and two edges, and tells each edge of every host', () => {
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
    expect(read.settings.publicUrl).toBe(SECRETS.STOA_PUBLIC_URL);
    expect(read.settings.mail.production).toBe(SECRETS.STOA_SMTP_URL);
  }
  for (const [, { environment }] of edges) {
    const read = edgeEnvironment({ ...environment });
    expect(read.linkAddresses).toEqual(hosts.map(([name]) => `${name}:7070`));
    expect(read).toMatchObject({ host: '0.0.0.0', port: 8080, linkToken: SECRETS.STOA_LINK_TOKEN });
    expect(read.publicUrl).toBe(SECRETS.STOA_PUBLIC_URL);
  }
});

test('puts the proxy alone between the internet and the edges, which believe what it says of callers', () => {
  const { subnet } = networks.front.ipam.config[0]!;
  const published = Object.entries(services).filter(([, { ports = [] }]) =>
    ports.some((port) => !port.startsWith('127.0.0.1:')),
  );
  expect(published.map(([name]) => name)).toEqual(['proxy']);
  const inFront = Object.entries(services).filter(([, service]) => service.networks?.includes('front'));
  expect(inFront.map(([name]) => name)).toEqual(['proxy', 'edge-1', 'edge-2']);
  const { content } = configs.proxy;
  expect(content).toContain(`\n${SECRETS.STOA_PUBLIC_URL} {`);
  expect(content).toContain('health_uri /readyz');
  expect(content).toContain(`health_port ${/STOA_INTERNAL_PORT=(\d+)/.exec(image)?.[1]}`);
  for (const [name, { environment }] of named('edge-')) {
    expect(content).toContain(`${name}:${environment.PORT}`);
    expect(environment.TRUSTED_PROXIES).toBe(subnet);
  }
});

test('starts every service again, and backs the database up with the client of its own version', () => {
  for (const [name, { restart }] of Object.entries(services)) expect(restart, name).toBe('unless-stopped');
  expect(services.backup!.build).toMatchObject({ target: 'backup' });
  expect(image).toContain(`FROM ${services.postgres!.image} AS backup`);
  expect(services.backup!.volumes).toContain('backups:/backups');
});

test('lets the hosts and the backup share the file that a rotation of the master key makes', () => {
  const sharing = [...named('services-'), ['backup', services.backup!] as const];
  expect(sharing).toHaveLength(3);
  const folder = '/var/lib/stoa';
  for (const [name, { environment, volumes }] of sharing) {
    expect(environment.STOA_MASTER_KEY_FILE, name).toBe(`${folder}/master.key`);
    expect(volumes, name).toContain(`master-key:${folder}`);
  }
  // The images' user may write it.
  expect(image.match(/install --directory --owner=stoa --mode=700 .*\/var\/lib\/stoa$/gm)).toHaveLength(2);
});

test('lets Prometheus read every process, and the alert rules', () => {
  expect(scraped).toEqual([...named('edge-'), ...named('services-')].map(([name]) => `${name}:9100`));
  const rules = services.prometheus!.volumes!.find((volume) => volume.startsWith('./'))!.split(':');
  expect(existsSync(rules[0]!)).toBe(true);
  expect(scraping.rule_files).toEqual([rules[1]]);
});

test('connects all hosts to all brokers, and copy each stream to all of them', () => {
  const brokers = named('nats-').map(([name]) => name);
  for (const [, { environment }] of named('services-')) {
    const urls = environment.NATS_URL!.split(',');
    expect(urls.map((url) => new URL(url).hostname)).toEqual(brokers);
    expect(Number(environment.STOA_NATS_REPLICAS)).toBe(brokers.length);
  }
  expect(configs.nats.content).toContain('sync_interval: always');
});

test('says of each service that others wait for when it is healthy', () => {
  for (const { depends_on } of Object.values(services))
    for (const [name, { condition }] of Object.entries(depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      expect(services[name]!.healthcheck !== undefined || image.includes('HEALTHCHECK'), name).toBe(true);
    }
});

/** The variables that the image sets. */
const imageVariables = Object.fromEntries(
  [...image.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.split(' ').map((pair) => pair.split('='))),
) as Record<string, string>;

/** Starts what the file starts, each container's processes at the loopback address that stands for it. */
const startAll = async (home: string, databaseUrl: string) => {
  const net = `127.${randomInt(1, 255)}.${randomInt(0, 255)}`;
  const names = Object.keys(services);
  const addressOf = (name: string): string => `${net}.${names.indexOf(name) + 1}`;
  const placed = (given: string, own: string): string =>
    names
      .reduce(
        (moved, name) => moved.replaceAll(new RegExp(`(?<=[/@,"]|^)${name}(?=:\\d)`, 'g'), addressOf(name)),
        given,
      )
      .replaceAll('0.0.0.0', own)
      .replaceAll(/(?<=http: ")127\.0\.0\.1/g, own);
  const bin = join(home, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'bun'));
  const children: Child[] = [];
  const run = (name: string, command: string, args: readonly string[], env: Record<string, string>): void => {
    const logFile = join(home, `${name}.log`);
    children.push(startChild({ command, args, env, logFile, deathSignal: 'SIGKILL' }));
  };
  const environmentOf = (name: string): Record<string, string> => {
    // An empty value is null to a YAML parser, and empty in a container.
    const own = Object.entries(services[name]!.environment).map(([key, value]) => [
      key,
      placed(value ?? '', addressOf(name)),
    ]);
    const variables = { ...imageVariables, ...(Object.fromEntries(own) as Record<string, string>) };
    const path = { PATH: `${bin}:${process.env.PATH}`, HOME: home, STOA_HOME: join(home, name) };
    return { ...variables, ...path, ...(variables.DATABASE_URL && { DATABASE_URL: databaseUrl }) };
  };
  const nats = await findNats(home, () => {});
  for (const [name, { environment }] of named('nats-')) {
    const folder = join(home, `data-${name}`);
    await mkdir(folder);
    const file = join(folder, 'stoa.conf');
    await writeFile(file, placed(configs.nats.content, addressOf(name)).replace('/data', folder));
    run(name, nats, ['--config', file], { ...environment });
  }
  const house = [...named('services-'), ...named('edge-')];
  for (const [name, { command }] of house) run(name, command[0]!, command.slice(1), environmentOf(name));
  return {
    addressOf,
    environmentOf,
    run,
    stop: async () => {
      for (const child of children.reverse()) await child.stop([{ signal: 'SIGKILL', graceMs: 2_000 }]);
    },
  };
};

test('starts: every process is ready and measured, a store is served, and a backup is made', {
  timeout: 240_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), 'stoa-compose-'));
  const database = await freshDatabase();
  const system = await startAll(home, database.url);
  const backups = join(home, 'backups');
  const soon = 120_000;
  try {
    for (const target of scraped) {
      const [name = '', port = ''] = target.split(':');
      const url = `http://${system.addressOf(name)}:${port}`;
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status, name).toBe(200), soon);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('stoa_build_info');
    }
    const env = system.environmentOf('services-1');
    const made = spawnSync('bun', ['services/cli/main.ts', 'store', 'create', '--name', 'Shop', '--currency', 'USD'], {
      env,
      encoding: 'utf8',
    });
    expect(made.status, made.stderr).toBe(0);
    expect(made.stdout).toContain(SECRETS.STOA_PUBLIC_URL);
    const key = /svc_pk_live_\S+/.exec(made.stdout)?.[0];
    for (const [name, { environment }] of named('edge-')) {
      const url = `http://${system.addressOf(name)}:${environment.PORT}`;
      const welcome = (await (await fetch(url)).json()) as { documentation_url: string };
      expect(welcome.documentation_url).toBe(`${SECRETS.STOA_PUBLIC_URL}/docs`);
      const store = await fetch(`${url}/v1/store`, { headers: { Authorization: `Bearer ${key}` } });
      expect(store.status).toBe(200);
    }
    await mkdir(backups);
    const { command, healthcheck } = services.backup!;
    const here = (shell: string): string => shell.replaceAll('/backups', backups);
    const well = (): number | null => spawnSync('sh', ['-c', here(healthcheck!.test[1]!)]).status;
    expect(well()).toBe(1);
    system.run('backup', command[0]!, command.slice(1).map(here), system.environmentOf('backup'));
    await eventually(() => expect(well()).toBe(0), soon);
    const [folder] = await readdir(backups);
    expect((await readdir(join(backups, folder!))).sort()).toEqual(['backup.json', 'master.key', 'stoa.dump']);
  } finally {
    await system.stop();
    await database.drop();
    await rm(home, { recursive: true, force: true });
  }
});
