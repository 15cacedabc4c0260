// README and the guides as a reader follows them: each command runs, in order, against a system that `npm start` has just
// made, and prints what the page says that it prints.
//
// A fence says how its block is run: `sh` to its end, without a refusal; `sh refused` with one; `sh background` until the
// tests end; `sh by hand` not here, since it changes the machine or takes minutes. A `text` block is what the `sh` block
// before it prints, with `…` for what differs from run to run.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHOP_SCRIPTS } from '#services/cli/shop/project.ts';
import { type Block, type Guide, readGuides } from '#test/support/guide.ts';
import { ownPort } from '#test/support/port.ts';
import { eventually, freshDatabase, freshNamespace, serverUrls, type TestDatabase } from '#test/support/server.ts';

const ROOT = process.cwd();
const START = 'npm start\n';
const READY_MS = 180_000;
const GUIDE_MS = 180_000;

const guides = readGuides();
const shellBlocks = ({ blocks }: Guide): Block[] => blocks.filter(({ language }) => language === 'sh');
const runs = ({ kind, text }: Block): boolean =>
  kind !== 'by hand' && text !== START && !/\bnpm (test|run)\b/.test(text);

/** A checkout of the reader's own: this one's files, another home. */
let folder: string;
let port: number;
let system: ChildProcess;
/** Stands in for the reader's own program at localhost:3000. */
let receiver: Server;
const received: { readonly body: string; readonly signature: string }[] = [];
const sessions: ChildProcess[] = [];

/** The link of a system that the reader starts process by process. */
let linkPort: number;
let edgePort: number;
let ownDatabase: TestDatabase;

const environmentOf = ({ name }: Guide): NodeJS.ProcessEnv =>
  name === 'cluster'
    ? {
        ...process.env,
        NO_COLOR: '1',
        DATABASE_URL: ownDatabase.url,
        NATS_URL: serverUrls().nats,
        STOA_NAMESPACE: freshNamespace(),
        STOA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        STOA_LINK_TOKEN: 'of both sides',
        PORT: String(edgePort),
      }
    : environment();

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: '',
  NATS_URL: '',
  REDIS_URL: '',
  NO_COLOR: '1',
  npm_config_loglevel: 'error',
  PORT: String(port),
  // Another folder than the default: no command of a guide may rely on it.
  STOA_HOME: join(folder, 'home'),
  STOA_ALLOW_LOCAL_WEBHOOKS: '1',
});

/** Addresses and folders of the reader's machine, as they are here. */
const placed = (text: string): string =>
  text
    .replaceAll('http://localhost:3000', `http://localhost:${(receiver.address() as AddressInfo).port}`)
    .replaceAll(':7070', `:${linkPort}`)
    .replaceAll('/var/', `${folder}/var/`);

/** Guides show the default port. */
const shown = (text: string): string => placed(text).replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-guide-'));
  for (const name of readdirSync(ROOT)) if (name !== '.stoa') symlinkSync(join(ROOT, name), join(folder, name));
  // Postgres is another user, and passes through.
  chmodSync(folder, 0o711);
  [port, linkPort, edgePort] = [await ownPort(), await ownPort(), await ownPort()];
  ownDatabase = await freshDatabase();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      received.push({ body, signature: String(request.headers['x-svc-signature']) });
      response.end();
    });
  });
  await new Promise<void>((listening) => void receiver.listen(0, 'localhost', listening));
  system = spawn('sh', ['-c', `exec ${START}`], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [system.stdout!, system.stderr!])
    stream.on('data', (bytes) => {
      said += bytes;
    });
  await eventually(() => {
    if (system.exitCode !== null) throw new Error(`npm start ended: ${said}`);
    expect(said).toContain(`ready http://127.0.0.1:${port}\n`);
  }, READY_MS);
}, READY_MS);

/** Each session is a group of processes: what a block has started ends with it. */
const signal = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    process.kill(-pid!, name);
  } catch {
    // All of it has ended.
  }
};

const end = async (child: ChildProcess): Promise<void> => {
  const gone =
    child.exitCode !== null || child.signalCode !== null || new Promise((resolve) => child.once('exit', resolve));
  signal(child, 'SIGTERM');
  await gone;
};

afterAll(async () => {
  await Promise.all(sessions.map(end));
  if (system) await end(system);
  receiver?.close();
  await ownDatabase?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const FOUND = `
npx() {
  [ "$1" = stoa ] || { command npx "$@"; return; }
  shift
  node "$STOA" "$@"
}
`;
/** The guide whose commands find their program as a reader's do. */
const FINDS = 'quick_start';

/**
 * Each request that is refused is noted, at any place of a block: a pipe would swallow curl's exit code. How npm finds `stoa`
 * is the same in each guide, and most of what a command takes: one of them has it found.
 */
const preludeOf = ({ name }: Guide): string => `
${name === FINDS ? '' : FOUND}
curl() {
  command curl --fail-with-body "$@"
  code=$?
  [ $code = 0 ] || echo "curl $*: exit code $code" >>"$REFUSED"
  return $code
}
`;

interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly code: number;
  /** Requests that were refused, one a line. */
  readonly refused: string;
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Output of a program that has started its work. */
const AT_WORK = 'serves|started|Listening|ready';

/** All blocks of a guide in one shell, as they are pasted into a terminal one after the other. */
const follow = async (guide: Guide, program: string): Promise<Map<Block, Outcome>> => {
  const place = mkdtempSync(join(folder, '.blocks-'));
  const blocks = shellBlocks(guide).filter(runs);
  const lines = blocks.map((block, at) => {
    const file = join(place, `${at}.sh`);
    writeFileSync(file, placed(block.text));
    if (block.kind === 'background')
      return [
        `bash ${file} >${file}.out 2>&1 &`,
        `for try in $(seq 300); do grep -Eqs '${AT_WORK}' ${file}.out && break; sleep 0.2; done`,
      ].join('\n');
    return `REFUSED=${file}.refused; . ${file} >${file}.out 2>${file}.err; echo $? >${file}.code`;
  });
  writeFileSync(join(place, 'session.sh'), `${preludeOf(guide)}${lines.join('\n')}\nwait\n`);
  const shell = spawn(program, [join(place, 'session.sh')], {
    cwd: folder,
    env: { ...environmentOf(guide), STOA: join(ROOT, 'services/cli/stoa.mjs') },
    stdio: 'ignore',
    detached: true,
  });
  sessions.push(shell);
  const last = join(place, `${blocks.findLastIndex(({ kind }) => kind !== 'background')}.sh.code`);
  await eventually(() => expect(existsSync(last)).toBe(true), GUIDE_MS);
  return new Map(
    blocks.map((block, at) => {
      const file = join(place, `${at}.sh`);
      const outcome: Outcome = {
        out: read(`${file}.out`),
        err: read(`${file}.err`),
        code: Number(read(`${file}.code`) || 0),
        refused: read(`${file}.refused`),
      };
      return [block, outcome];
    }),
  );
};

const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    'm',
  );

const MISTAKE = /\b(TypeError|SyntaxError|ReferenceError|command not found|unbound variable|No such file)\b/;

const SHELLS = ['sh', 'bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0);

/** README is the guide that is followed first, in any shell. */
const followed = guides
  .filter((guide) => shellBlocks(guide).some(runs))
  .flatMap((guide) =>
    ['bash', ...(guide.file === 'README.md' && SHELLS.includes('zsh') ? ['zsh'] : [])].map((shell) => ({
      file: guide.file,
      guide,
      shell,
    })),
  );

describe.each(followed)('$file in $shell', ({ guide, shell }) => {
  let outcomes: Map<Block, Outcome>;
  beforeAll(async () => {
    outcomes = await follow(guide, shell);
  }, GUIDE_MS);

  const documented = shellBlocks(guide).filter(runs);
  test.each(documented.map((block) => [block.line, block] as const))('line %d', (_, block) => {
    const { out, err, code, refused } = outcomes.get(block)!;
    expect(err).not.toMatch(MISTAKE);
    if (block.kind === 'background') return expect(out).toMatch(new RegExp(AT_WORK));
    if (block.kind === 'refused') expect(refused).not.toBe('');
    else expect([code, refused, code === 0 ? '' : `${out}${err}`]).toEqual([0, '', '']);
    const next = guide.blocks[guide.blocks.indexOf(block) + 1];
    if (next?.language === 'text')
      for (const line of shown(next.text).trimEnd().split('\n')) expect(out).toMatch(patternOf(line));
  });
});

test('passes events through `listen` that the guide’s check accepts', async () => {
  const guide = guides.find(({ name }) => name === 'webhooks')!;
  const file = join(folder, '.is_genuine.ts');
  writeFileSync(file, guide.blocks.find(({ language }) => language === 'ts')!.text);
  const { isGenuine } = (await import(pathToFileURL(file).href)) as {
    isGenuine: (body: string, header: string, secret: string) => boolean;
  };
  const said = readdirSync(folder)
    .filter((name) => name.startsWith('.blocks-'))
    .flatMap((name) => readdirSync(join(folder, name)).map((part) => join(folder, name, part)))
    .filter((path) => path.endsWith('.out'))
    .map(read);
  const [, secret] = /The signing secret is (\S+)/.exec(said.join('\n'))!;
  const paid = await eventually(() => {
    const found = received.find(({ body }) => body.includes('"order.paid"'));
    if (!found) throw new Error('`listen` sent no order.paid on.');
    return found;
  });
  expect(isGenuine(paid.body, paid.signature, secret!)).toBe(true);
  expect(isGenuine(`${paid.body} `, paid.signature, secret!)).toBe(false);
  expect(isGenuine(paid.body, paid.signature, `${secret}x`)).toBe(false);
});

describe('commands that are run by hand', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const everything = guides.map(({ source }) => source).join('\n');

  test('name scripts that there are', () => {
    const named = [...everything.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name!);
    // A shop project has its own scripts.
    expect(named.filter((name) => !(name in scripts || name in SHOP_SCRIPTS))).toEqual([]);
    expect(Object.keys(scripts).filter((name) => !['start', 'test', ...named].includes(name))).toEqual([]);
  });

  test('keeps commands of the guide that take an hour, or the suite itself, out of those that run', () => {
    const long = guides.flatMap(({ file, blocks }) =>
      blocks
        .filter(
          (block) =>
            block.language === 'sh' && block.kind !== 'by hand' && block.text !== START && /\bnpm\b/.test(block.text),
        )
        .map(({ line }) => `${file}:${line}`),
    );
    expect(long).toEqual([]);
  });

  test('parse', () => {
    for (const guide of guides)
      for (const { text, line } of shellBlocks(guide)) {
        const { status, stderr } = spawnSync('bash', ['-n', '-c', text], { encoding: 'utf8' });
        expect([guide.file, line, status, stderr]).toEqual([guide.file, line, 0, '']);
      }
  });
});

describe('the helpers', () => {
  const blocks = guides.flatMap(shellBlocks);
  const helpers = blocks.flatMap(({ text }) => [...text.matchAll(/^(\w+)\(\) \{ (.*(?:\\\n.*)*) \}$/gm)]);
  /** Variables that zsh ties to the search path and to its own state: an assignment breaks the reader's shell. */
  const SPECIAL = ['path', 'cdpath', 'fpath', 'manpath', 'mailpath', 'module_path', 'psvar', 'status', 'argv', 'watch'];

  test('assign no variable that zsh uses itself', () => {
    const assigned = blocks.flatMap(({ text }) => [...text.matchAll(/(?:^|[\s;{])(\w+)=/gm)].map(([, name]) => name!));
    expect(assigned.length).toBeGreaterThan(10);
    expect(assigned.filter((name) => SPECIAL.includes(name))).toEqual([]);
  });

  test('mean one thing each', () => {
    const bodies = Map.groupBy(helpers, ([, name]) => name!);
    expect([...bodies.keys()]).toEqual(expect.arrayContaining(['get', 'post', 'auth', 'sandbox', 'field']));
    for (const [name, defined] of bodies)
      expect([name, new Set(defined.map(([, , body]) => body)).size]).toEqual([name, 1]);
  });

  test('stand without comments, which an interactive zsh takes for arguments', () => {
    expect(blocks.flatMap(({ text }) => text.split('\n')).filter((line) => /(^|\s)#(\s|$)/.test(line))).toEqual([]);
  });

  test.each(SHELLS)('reach their address with their body in %s, and leave the search path', (shell) => {
    const script = [
      'before=$PATH; URL=http://shop; KEY=publishable; SECRET=secret',
      ...helpers.map(([text]) => text),
      'curl() { for word in "$@"; do echo "$word"; done; }',
      'get /v1/store; KEY=other post /v1/search "{}" -H "X: y"; sandbox /clock; auth /login -d "{}"',
      '[ "$PATH" = "$before" ] && echo intact',
    ].join('\n');
    const { stdout, stderr, status } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'http://shop/v1/store',
        'http://shop/v1/search',
        'Authorization: Bearer other',
        'X: y',
        'http://shop/v1/sandbox/clock',
        'http://shop/v1/auth/login',
        'intact',
      ]),
    );
  });
});
