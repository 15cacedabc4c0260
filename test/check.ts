// Checks types, lint and format, generated files and the house's rules before any test runs. Prints one line for each check
// and the whole output of a failed one; the exit code is 1 if one failed.
//
// Usage: npm run check              check everything, change nothing
//        npm run check -- NAME …    only those named: types, console, dashboard, storefront, package, biome, generated, messages, house, licences, clients
//        npm run format             format, sort imports and apply Biome's safe fixes
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = `${ROOT}node_modules/.bin`;
const TYPES_CHECKED = `${ROOT}node_modules/.cache/types.tsbuildinfo`;

interface Check {
  readonly name: string;
  readonly says: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const bun = process.execPath;

const CHECKS: readonly Check[] = [
  {
    name: 'types',
    says: 'TypeScript',
    // Incremental: 5 s of processor time instead of 35.
    command: [`${BIN}/tsc`, '--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', TYPES_CHECKED],
  },
  {
    name: 'console',
    says: 'TypeScript of the console',
    command: [`${BIN}/tsc`, '--noEmit', '-p', 'edge/pages/console'],
  },
  {
    name: 'dashboard',
    says: 'TypeScript of the dashboard and the design system',
    command: [`${BIN}/tsc`, '--noEmit', '-p', 'edge/pages/dashboard'],
  },
  {
    name: 'storefront',
    says: 'TypeScript of the demo storefront',
    command: [`${BIN}/tsc`, '--noEmit', '-p', 'edge/pages/storefront'],
  },
  {
    name: 'package',
    says: 'TypeScript of the client, as browsers know it',
    command: [`${BIN}/tsc`, '--noEmit', '-p', 'proto/client'],
  },
  { name: 'biome', says: 'lint and format', command: [`${BIN}/biome`, 'check', '--error-on-warnings', '.'] },
  { name: 'generated', says: 'proto/gen is fresh', command: [bun, 'proto/generate/main.ts', '--check'] },
  { name: 'messages', says: 'the guide of messages is fresh', command: [bun, 'test/error_message.ts', '--check'] },
  {
    name: 'house',
    says: 'house rules',
    command: [bun, '--bun', `${BIN}/vitest`, 'run', 'test/house.test.ts', 'test/support/memory.test.ts'],
    environment: { STOA_TEST_SERVERS: 'none' },
  },
  { name: 'licences', says: 'licences and pins of dependencies', command: [bun, 'test/supply_chain.ts'] },
  { name: 'clients', says: 'clients of the OpenAPI document', command: [bun, 'test/client_generator.ts'] },
];

const FORMAT: Check = { name: 'format', says: 'formatted', command: [`${BIN}/biome`, 'check', '--write', '.'] };

interface Outcome {
  readonly well: boolean;
  readonly text: string;
}

const outcomeOf = ({ command: [program, ...args], environment }: Check): Promise<Outcome> =>
  new Promise((done) => {
    const child = spawn(program!, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        text += bytes;
      });
    child.on('error', (problem) => done({ well: false, text: problem.message }));
    child.on('close', (code) => done({ well: code === 0, text }));
  });

const run = async (check: Check): Promise<boolean> => {
  const began = performance.now();
  const { well, text } = await outcomeOf(check);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${well ? '✓' : '✗'} ${check.name.padEnd(10)} ${check.says} (${seconds} s)${well ? '' : `\n${text}`}`);
  return well;
};

/** Runs one process per core at once. */
const runAll = async (checks: readonly Check[]): Promise<boolean> => {
  const waiting = [...checks];
  let well = true;
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) well = (await run(check)) && well;
  };
  await Promise.all(Array.from({ length: Math.max(1, cpus().length) }, worker));
  return well;
};

const args = process.argv.slice(2);
const unknown = args.filter((arg) => arg !== '--format' && !CHECKS.some(({ name }) => name === arg));
if (unknown.length > 0) {
  console.error(
    `There is no check ${unknown.join(', ')}. The checks are ${CHECKS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}
const wanted = args.includes('--format')
  ? [FORMAT]
  : CHECKS.filter(({ name }) => args.length === 0 || args.includes(name));
process.exit((await runAll(wanted)) ? 0 : 1);
