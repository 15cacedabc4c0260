// README's shell helpers, in every shell that a reader may paste them into.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text);
const helpers = blocks.flatMap((text) => [...text.matchAll(/^(\w+)\(\) \{ (.*(?:\\\n.*)*) \}$/gm)]);

/** What zsh ties to the search path and to its own state: assigning one of them breaks the reader's shell. */
const SPECIAL = ['path', 'cdpath', 'fpath', 'manpath', 'mailpath', 'module_path', 'psvar', 'status', 'argv', 'watch'];

describe('the helpers', () => {
  test('assign no variable that zsh uses itself', () => {
    const assigned = blocks.flatMap((text) => [...text.matchAll(/(?:^|[\s;{])(\w+)=/gm)].map(([, name]) => name!));
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
    expect(blocks.flatMap((text) => text.split('\n')).filter((line) => /(^|\s)#(\s|$)/.test(line))).toEqual([]);
  });
});

const SHELLS = ['sh', 'bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0);

describe.each(SHELLS)('in %s', (shell) => {
  test('a call reaches its address with its body, and the search path stays', () => {
    const script = [
      'before=$PATH; URL=http://shop; KEY=publishable; SECRET=secret',
      ...helpers.map(([text]) => text),
      'curl() { for word in "$@"; do echo "$word"; done; }',
      'demo() { echo "$1"; }',
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
