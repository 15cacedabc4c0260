// Guides and the code agree: files that they name, lines that they change, variables that they explain.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATUS } from '#edge/gates/refusal.ts';
import { webhooks } from '#proto/gen/openapi.ts';
import type { Json } from '#proto/route.ts';
import { limitsOf, NO_OVERRIDES, planNamed } from '#services/store/plan.ts';
import { readGuides } from '#test/support/guide.ts';
import { files, textOf } from '#test/support/house.ts';
import { applyDifference, isDone, isFile } from '#test/support/recipe.ts';

/** Variables of the system and of other programs, which the configuration guide need not explain. */
const OTHERS_VARIABLES: readonly string[] = ['NODE_ENV', 'PATH'];

describe('guides', () => {
  const guides = readGuides();

  it('name files that there are', () => {
    const written = new Set(guides.flatMap(({ blocks }) => blocks.map(({ kind }) => kind)));
    const named = guides.flatMap(({ file, source }) =>
      [...source.matchAll(/`((?:edge|services|proto|test|bench|migrations)\/[\w./-]*\w)\/?`/g)].map(
        ([, path]) => [file, path!] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    const rule = 'test/X/y.test.ts';
    expect(named.filter(([, path]) => path !== rule && !existsSync(path) && !written.has(path))).toEqual([]);
  });

  it('quote tests that there are', () => {
    const quoted = guides.flatMap(({ file, source }) =>
      [...source.matchAll(/`(test\/[\w./]+\.test\.ts)` "([^"]+)"/g)].map(
        ([, path, title]) => [file, path!, title!] as const,
      ),
    );
    expect(quoted.length).toBeGreaterThan(40);
    expect(quoted.filter(([, path, title]) => !textOf(path).includes(title))).toEqual([]);
  });

  it('change lines that their files have', () => {
    const lost: string[] = [];
    for (const { file, blocks } of guides)
      for (const block of blocks.filter((each) => each.language === 'diff' && isFile(each))) {
        try {
          const text = textOf(block.kind);
          // In a copy where a guide was followed it stands there.
          if (!isDone(text, block)) applyDifference(text, block);
        } catch (problem) {
          lost.push(`${file}: ${(problem as Error).message}`);
        }
      }
    expect(lost).toEqual([]);
  });

  it('say what every variable does that a process reads', () => {
    const read = files
      .filter((path) => /^(edge|services)\/.*\.ts$/.test(path))
      .flatMap((path) => [
        ...textOf(path).matchAll(/\b(?:variables|env)\.([A-Z][A-Z0-9_]+)\b|'((?:STOA|DATABASE|NATS|REDIS)_[A-Z_]+)'/g),
      ])
      .map(([, property, text]) => (property ?? text)!)
      .filter((name) => !OTHERS_VARIABLES.includes(name));
    const { source } = guides.find(({ name }) => name === 'configuration')!;
    const documented = [...source.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name!),
    );
    expect([...new Set(documented)].sort()).toEqual([...new Set(read)].sort());
  });

  const rowsOf = (name: string, row: RegExp): readonly (readonly string[])[] =>
    [...guides.find((guide) => guide.name === name)!.source.matchAll(row)].map(([, ...cells]) => cells);

  it('list every error code with its status', () => {
    const documented = rowsOf('errors', /^\| `(\w+)` \| (\d{3}) \| .+ \|$/gm);
    expect([...documented].sort()).toEqual(
      Object.entries(STATUS)
        .map(([code, status]) => [code, `${status}`])
        .sort(),
    );
  });

  it('list what every plan admits', () => {
    const count = (number: number, none = 'by agreement'): string =>
      number === 0 ? none : number.toLocaleString('en');
    const plans = (['trial', 'starter', 'growth', 'premium', 'enterprise'] as const).map((plan) => {
      const subscription = { ...planNamed(plan), lapsed: false };
      const { key_hour, key_day, network_hour, month } = limitsOf(subscription, NO_OVERRIDES, 'production');
      return [plan, count(key_hour), count(key_day), count(network_hour), count(month, 'not metered')];
    });
    expect(rowsOf('errors', /^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)).toEqual(plans);
  });

  it('list every event with when it is sent, as the reference does', () => {
    const sent = Object.entries(webhooks).map(([name, { post }]) => [name, (post as Json).description]);
    expect(rowsOf('webhooks', /^\| `([\w.]+)` \| (.+) \|$/gm)).toEqual(sent);
  });

  it('run in either shell: none names a variable as zsh names one of its own', () => {
    const OWN = /^\s*(?:LINES|COLUMNS|HOST|status|path|argv|options|history|prompt|words?|match)=/m;
    const blocks = guides.flatMap(({ file, blocks: all }) => all.map(({ text }) => ({ file, text })));
    expect(blocks.filter(({ text }) => OWN.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('hand an answer on as it is: `echo` of some shells reads the `\\n` within it', () => {
    const echoed = guides.flatMap(({ file, blocks }) =>
      blocks.flatMap(({ language, text, line }) =>
        language === 'sh' && /\becho [^\n|]*\$[^\n]*\|/.test(text) ? [`${file}:${line}`] : [],
      ),
    );
    expect(echoed).toEqual([]);
  });

  it('limits the length of guides and README, the generated table apart', () => {
    const written = guides.filter(({ name }) => name !== 'error_messages');
    const lines = written.map(({ name, source }) => [name, source.split('\n').length - 1] as const);
    expect(lines.filter(([name, count]) => count > (name === 'README' ? 200 : 300))).toEqual([]);
  });
});
