// The house's own rules: who may import whom, what things are called, and that the contract, its code and its tests agree.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { functionLengths } from '#test/support/function_length.ts';
import {
  COMMERCE_BELOW,
  code,
  files,
  importsOf,
  isDomain,
  isTransactionModule,
  mayImport,
  namesCommerce,
  resolveImport,
  roomOf,
  textOf,
} from '#test/support/house.ts';
import { plainFindings } from '#test/support/plain_language.ts';
import { HARMLESS_COMPARISONS, secretComparisons } from '#test/support/secret_comparison.ts';
import { SLOW_PATTERNS_IN, slowPatterns } from '#test/support/slow_pattern.ts';
import { hasAvoidedWord } from '#test/support/word.ts';

// ── Exceptions. These lists may only shrink: an entry that is no longer needed fails its test. ─────────────────────────

/** Endpoints that no test calls. */
const UNTESTED_ENDPOINTS: readonly string[] = [];
/** Files with more lines than `LINES_MAX`: tests, from before it was 400. */
const LONG_FILES: readonly string[] = [
  'test/edge/assistant/core.test.ts',
  'test/services/cart/cart_decision.test.ts',
  'test/services/cart/rpc.test.ts',
  'test/services/customer/assertion.test.ts',
  'test/services/payment/gateway.test.ts',
  'test/services/runtime/actor/recovery.test.ts',
  'test/services/runtime/postgres/postgres.test.ts',
  'test/services/sandbox/reset.test.ts',
];

/** Files that read the environment: one a process. */
const ENVIRONMENT_READERS: readonly string[] = ['edge/main.ts', 'services/cli/local/variable.ts', 'services/main.ts'];

/** Tables of another domain that a room's SQL names, and why it may. */
const FOREIGN_TABLES: Readonly<Record<string, string>> = {
  'order ledger.posting': 'an order is locked with the money that it received, in one statement',
  'order ledger.entry': 'the same',
  'payment ledger.account': 'the ledger has no process of its own: payment says what a reset does with its tables',
  'payment ledger.entry': 'the same',
  'payment ledger.gift_card': 'the same',
  'payment ledger.posting': 'the same',
  'stock catalog.held_change': 'the projection of stock actors puts down what is held where the catalogue takes it in',
  'stock catalog.inventory': 'the same: what the catalogue has taken in already is left out',
};

const LINES_MAX = 400;
/** A function's own; those of functions inside it are theirs. */
const FUNCTION_LINES_MAX = 70;
/** With those of functions inside it, as a factory has them. */
const FACTORY_LINES_MAX = 125;

describe('imports', () => {
  it('go from a room to the rooms below it, and never from one domain to another', () => {
    const wrong: string[] = [];
    for (const path of code) {
      const room = roomOf(path);
      const allowed = mayImport(room);
      for (const imported of importsOf(path)) {
        const target = resolveImport(path, imported);
        if (target === null || allowed === 'all' || roomOf(target) === room || allowed.includes(roomOf(target)))
          continue;
        if (isDomain(room) && isTransactionModule(target)) continue;
        wrong.push(`${path} → ${imported}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('reach a domain from outside through its index.ts, and inside a transaction through its transaction.ts', () => {
    const wrong = code
      .filter((path) => path.startsWith('services/'))
      .flatMap((path) => importsOf(path).map((imported) => [path, imported, resolveImport(path, imported)] as const))
      .filter(([path, , target]) => target !== null && isDomain(roomOf(target)) && roomOf(target) !== roomOf(path))
      .filter(([, , target]) => target !== `services/${roomOf(target!)}/index.ts` && !isTransactionModule(target!));
    expect(wrong).toEqual([]);
  });

  it('never climb, and name a file that exists', () => {
    const wrong = code.flatMap((path) =>
      importsOf(path)
        .filter((imported) => imported.startsWith('.') || imported.startsWith('#'))
        .filter((imported) => {
          const target = resolveImport(path, imported);
          return imported.includes('../') || target === null || !existsSync(target);
        })
        .map((imported) => `${path} → ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  it('go round in no circle, types included', () => {
    const targets = new Map(
      code.map((path) => [
        path,
        importsOf(path)
          .map((imported) => resolveImport(path, imported)!)
          .filter((to) => to !== null),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const follow = (path: string, above: readonly string[]): void => {
      if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' → '));
      if (done.has(path) || above.includes(path)) return;
      for (const target of targets.get(path) ?? []) follow(target, [...above, path]);
      done.add(path);
    };
    for (const path of targets.keys()) follow(path, []);
    expect(circles).toEqual([]);
  });

  it.each([
    ['@grpc/grpc-js', 'services/runtime/grpc/grpc.ts'],
    ['postgres', 'services/runtime/postgres/sql.ts'],
    ['nats', 'services/runtime/nats/library.ts'],
    ['ioredis', 'services/runtime/redis/redis.ts'],
  ])('name %s in %s alone', (library, owner) => {
    const importers = code.filter((path) => importsOf(path).includes(library));
    expect(importers).toEqual([owner]);
  });
});

describe('packages', () => {
  const { dependencies, optionalDependencies } = JSON.parse(textOf('package.json')) as Record<string, object>;
  const RUN = /^(edge|services|migrations|proto\/(?!generate\/|client\/))/;
  const packageOf = (imported: string): string => /^(@[^/]+\/)?[^/]+/.exec(imported)![0];

  it('imports at run time only packages that npm start installs', () => {
    const installed = Object.keys({ ...dependencies, ...optionalDependencies });
    const wrong = code
      .filter((path) => RUN.test(path))
      .flatMap((path) => importsOf(path).map((imported) => [path, imported] as const))
      .filter(([, imported]) => !/^(\.|#|node:|bun(:|$))/.test(imported) && !installed.includes(packageOf(imported)));
    expect(wrong.map(([path, imported]) => `${path} → ${imported}`)).toEqual([]);
  });
});

describe('tables', () => {
  const migrations = files.filter((path) => path.startsWith('migrations/')).map(textOf);
  const tables = migrations.flatMap((sql) =>
    [...sql.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?(\w+\.\w+)/g)].map(([, name]) => name!),
  );
  /** The schema of a domain has its name; that of orders may not be SQL's own word. */
  const ownerOf = (table: string): string => table.replace(/\..*/, '').replace(/^orders$/, 'order');

  it('names each table in its own domain’s SQL alone, listed exceptions apart', () => {
    const foreign = new Set<string>();
    for (const path of code.filter((file) => file.startsWith('services/') && file.split('/').length > 2)) {
      const text = textOf(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      for (const table of tables)
        if (
          ownerOf(table) !== roomOf(path) &&
          ownerOf(table) !== 'runtime' &&
          new RegExp(`\\b(from|into|update|join)\\s+${table}\\b|'${table}'`).test(text)
        )
          foreign.add(`${roomOf(path)} ${table}`);
    }
    expect([...foreign].sort()).toEqual(Object.keys(FOREIGN_TABLES).sort());
  });

  it('call no function of a schema: what a domain does in another transaction is typed code, in its transaction.ts', () => {
    const schemas = [...new Set(tables.map((table) => table.replace(/\..*/, '')))];
    const called = new RegExp(`\\b(?:select|from|perform|call|join)\\s+(?:${schemas.join('|')})\\.\\w+\\(`);
    const callers = code.filter((path) => /^(services|edge)\//.test(path) && called.test(textOf(path)));
    expect(callers).toEqual([]);
  });
});

describe('names', () => {
  const FORBIDDEN = /^(utils?|helpers?|common|misc|types?|managers?|base|impl)$/;
  const KINDS = /_(class|interface|enum|service|controller|handler|repository|dto|entity|factory)$/;
  /** Singular though they end in s. */
  const SINGULAR = /(ss|us|is|canvas|redis|postgres|nats)$/;
  const FOLDERS_OF_MANY = ['services', 'migrations', 'values', 'gates', 'pages', 'journeys', 'faults', 'contracts'];

  const parts = [...new Set(code.flatMap((path) => path.replace(/\.(test|config)?\.?(ts|mjs)$/, '').split('/')))];

  it('names files and folders by singular nouns in snake_case', () => {
    const wrong = parts.filter(
      (name) =>
        !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name) ||
        name.split('_').some((word) => FORBIDDEN.test(word)) ||
        KINDS.test(name) ||
        (/s$/.test(name) && !SINGULAR.test(name) && !FOLDERS_OF_MANY.includes(name)),
    );
    expect(wrong).toEqual([]);
  });

  it('exports each type name from one room only', () => {
    const roomsOf = new Map<string, Set<string>>();
    for (const path of code
      .concat(files.filter((file) => file.endsWith('.tsx')))
      .filter((file) => !file.startsWith('test/')))
      for (const [, name] of textOf(path).matchAll(
        /^export (?:declare )?(?:abstract )?(?:interface|class|type|enum) (\w+)/gm,
      ))
        roomsOf.set(name!, (roomsOf.get(name!) ?? new Set()).add(roomOf(path)));
    const shared = [...roomsOf].filter(([, rooms]) => rooms.size > 1).map(([name, rooms]) => `${name}: ${[...rooms]}`);
    expect(shared).toEqual([]);
  });

  it('names each test after an existing file', () => {
    const free = /^test\/(journeys|faults|contracts|simulation|support|bench)\//;
    const lost = code
      .filter((path) => path.startsWith('test/') && path.endsWith('.test.ts') && path !== 'test/house.test.ts')
      .filter((path) => !free.test(path))
      .map((path) => path.slice('test/'.length).replace(/\.test\.ts$/, ''))
      .filter((path) => !['ts', 'tsx', 'mjs', 'sql'].some((ending) => existsSync(`${path}.${ending}`)));
    expect(lost).toEqual([]);
  });
});

/** Names that had several meanings, each with the files whose own meaning it is now. */
const ONE_MEANING: Readonly<Record<string, readonly string[]>> = {
  Order: ['edge/assistant/ucp/document/schema.ts', 'edge/pages/console/order.tsx'],
  Lane: ['edge/admission/admission.ts'],
};
const SPENT_NAMES = /^(?:export )?(?:interface|class|type) (Order|Turn|Lane|Fate|Place|Known|Piece|Shop)\b/gm;

/** Files that list the words to avoid. */
const WORD_LISTS: readonly string[] = ['test/support/word.ts', 'test/support/plain_language.ts', '.ci/commit_subject'];

describe('words', () => {
  it('uses terms of computing and commerce, in sentences with a subject', () => {
    const found = files
      .filter((path) => /^(services|edge|bench|proto|migrations|test)\/.*\.(ts|tsx|proto|sql|mjs)$/.test(path))
      .filter((path) => !path.endsWith('.bundle.js'))
      .flatMap((path) => plainFindings(path, textOf(path)));
    expect(found.map(({ rule, place, text }) => `${rule} ${place} ${text}`)).toEqual([]);
  });

  it('keeps words of commerce out of runtime and values, listed files apart', () => {
    const named = code.filter((path) => /^services\/(runtime|values)\//.test(path) && namesCommerce(path));
    expect(named.sort()).toEqual(Object.keys(COMMERCE_BELOW).sort());
  });

  it('uses formerly ambiguous type names in listed files only', () => {
    const found = files
      .filter((path) => /^(edge|services)\/.*\.tsx?$/.test(path))
      .flatMap((path) => [...textOf(path).matchAll(SPENT_NAMES)].map(([, name]) => `${name} ${path}`));
    const own = Object.entries(ONE_MEANING).flatMap(([name, paths]) => paths.map((path) => `${name} ${path}`));
    expect(found.sort()).toEqual(own.sort());
  });

  it('avoids forbidden words in code and guides', () => {
    const places = files
      .filter((path) => /\.(ts|tsx|mjs|proto|md|yaml)$/.test(path) && !WORD_LISTS.includes(path))
      .flatMap((path) =>
        textOf(path)
          .split('\n')
          .map((line, at) => [`${path}:${at + 1}`, line] as const),
      )
      .filter(([, line]) => hasAvoidedWord(line));
    expect(places.map(([place, line]) => `${place} ${line.trim()}`)).toEqual([]);
  });
});

describe('files', () => {
  it('say in a first comment what they are', () => {
    const opening: Readonly<Record<string, RegExp>> = {
      ts: /^(#!.*\n)?(\/\/|\/\*\*?) ?\S/,
      mjs: /^(#!.*\n)?(\/\/|\/\*\*?) ?\S/,
      proto: /^\/\/ \S/,
      sql: /^-- \S/,
    };
    const silent = files.filter((path) => {
      const pattern = opening[path.replace(/^.*\./, '')];
      return pattern !== undefined && !pattern.test(textOf(path));
    });
    expect(silent).toEqual([]);
  });

  it(`limits files to ${LINES_MAX} lines`, () => {
    const counted = files.filter((path) => /\.(ts|tsx|mjs|proto)$/.test(path) && !path.endsWith('.bundle.js'));
    const long = counted.filter((path) => textOf(path).split('\n').length - 1 > LINES_MAX);
    expect(long.sort()).toEqual([...LONG_FILES].sort());
  });

  it('hold functions of few lines', () => {
    const lengths = files
      .filter((path) => /^(bench|edge|proto|services)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .flatMap((path) => functionLengths(textOf(path), path.endsWith('x')).map((length) => ({ path, ...length })));
    expect(lengths.length).toBeGreaterThan(5_000);
    const namesOf = (wrong: typeof lengths): string[] => wrong.map(({ path, name }) => `${path} ${name}`).sort();
    expect(namesOf(lengths.filter(({ own }) => own > FUNCTION_LINES_MAX))).toEqual([]);
    expect(namesOf(lengths.filter(({ whole }) => whole > FACTORY_LINES_MAX))).toEqual([]);
  }, 60_000);

  it('hold no slow regular expression, except where the text is short or of this machine', () => {
    const slow = files
      .filter((path) => /^(edge|services|proto)\/(?!gen\/).*\.(tsx?|mjs)$/.test(path))
      .flatMap((path) => slowPatterns(textOf(path), path.endsWith('x')).map((pattern) => `${path} ${pattern}`));
    expect(slow.filter((found) => !(found.split(' ', 1)[0]! in SLOW_PATTERNS_IN))).toEqual([]);
    expect(Object.keys(SLOW_PATTERNS_IN).filter((path) => !slow.some((found) => found.startsWith(path)))).toEqual([]);
  }, 60_000);

  it('compare secrets in constant time or by their hash', () => {
    const found = code
      .filter((path) => /^(edge|services|proto\/client)\//.test(path))
      .flatMap((path) => secretComparisons(textOf(path)).map((comparison) => `${path} ${comparison}`));
    expect(found.sort()).toEqual([...HARMLESS_COMPARISONS]);
  });

  it('read the environment in one place a process, and are handed what it says', () => {
    const readers = code
      .filter((path) => /^(edge|services|proto)\//.test(path) && path.endsWith('.ts'))
      .filter((path) => /(?<!')\bprocess\.env\b/.test(textOf(path)));
    expect(readers.sort()).toEqual([...ENVIRONMENT_READERS].sort());
  });

  it('export nothing by default, configuration apart', () => {
    const wrong = code
      .filter((path) => !/\.config\.(ts|mjs)$/.test(path))
      .filter((path) => /^export default\b|^export \{[^}]*\bas default\b/m.test(textOf(path)));
    expect(wrong).toEqual([]);
  });

  it('name no place of one machine', () => {
    const place = /(^|[\s'"`=(:])\/(work|home|root|opt|Users|mnt)\/\w/m;
    const text = files.filter((path) => /\.(ts|mjs|proto|sql|md|json|toml|ya?ml)$|Dockerfile|\.ci\/run/.test(path));
    expect(text.filter((path) => place.test(textOf(path)))).toEqual([]);
  });
});

describe('endpoints', () => {
  const named = new Set(routes.map(({ verb, path }) => `${verb} ${path}`));

  it('lists every proto path in the route table, with its key type', () => {
    const written = files
      .filter((path) => path.startsWith('proto/stoa/') && path.endsWith('.proto'))
      .flatMap((path) => [
        ...textOf(path)
          .replace(/\/\/.*$/gm, '')
          .matchAll(/\b(get|post|put|patch|delete):\s*"([^"]+)"/g),
      ])
      .map(([, verb, path]) => `${verb!.toUpperCase()} ${path!.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(written.sort()).toEqual([...named].sort());
    const keys = ['none', 'publishable', 'secret', 'secret_test', 'operator', 'staff'];
    expect(routes.filter(({ access }) => !keys.includes(access.key))).toEqual([]);
  });

  // A test names an endpoint by calling it with a literal path, in one of three ways:
  // `shop.get('/v1/products')`, `call('GET', `/v1/products/${id}`)`, or a table's text 'GET /v1/products'.
  const USES = [
    /\.?\b(get|post|put|patch|delete)(?:<[^>(]*>)?\(\s*['"`](\/[^'"`\s]*)/g,
    /['"`](GET|POST|PUT|PATCH|DELETE)['"`],\s*['"`](\/[^'"`\s]*)/g,
    /['"`](GET|POST|PUT|PATCH|DELETE) (\/[^'"`\s]*)/g,
  ];

  /** `/v1/products/${id}?limit=1` → `/v1/products/*`. */
  const plainPath = (path: string): string =>
    path
      .replace(/\$\{[^}]*\}/g, '*')
      .replace(/\?.*$/, '')
      .replace(/(?<=[^/*])\*+$/, '');

  const covers = (use: string, endpoint: string): boolean => {
    const [a, b] = [use.split('/'), endpoint.split('/')];
    return a.length === b.length && b.every((part, at) => (part.startsWith(':') ? a[at] !== '' : part === a[at]));
  };

  const uses = code
    .filter((path) => path.startsWith('test/') && path.endsWith('.test.ts') && path !== 'test/house.test.ts')
    .flatMap((path) => USES.flatMap((pattern) => [...textOf(path).matchAll(pattern)]))
    .map(([, verb, path]) => `${verb!.toUpperCase()} ${plainPath(path!)}`);

  /** A literal path belongs to the endpoint that spells it, not to one with a parameter in its place. */
  const tested = (endpoint: string): boolean =>
    uses.some((use) => use === endpoint || (!named.has(use) && covers(use, endpoint)));

  it('calls every endpoint in some test', () => {
    const untested = [...named].filter((endpoint) => !tested(endpoint));
    expect(untested.sort()).toEqual([...UNTESTED_ENDPOINTS].sort());
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: paths as other tests' sources spell them
  it.each([
    ['/v1/products/${id}?limit=1', '/v1/products/:id', true],
    ['/v1/products${query}', '/v1/products', true],
    ['/v1/products/by-slug/${slug}', '/v1/products/:id/specifications', false],
    ['/v1/feeds/demo/llms.txt', '/v1/feeds/:store/llms.txt', true],
    ['/v1/products/', '/v1/products/:id', false],
  ])('%s counts for %s: %s', (used, route, expected) => expect(covers(plainPath(used), route)).toBe(expected));
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same
});
