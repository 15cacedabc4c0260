// The guides as the edge serves them: complete, linked, without other hosts, and readable on a phone.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUIDE_GROUPS } from '#edge/pages/guide.ts';
import { guideText } from '#edge/pages/guide_text.ts';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const FOLDER = 'edge/pages/guide';
const LINES_MAX = 300;
/** Generated references may be longer. */
const GENERATED = ['error_messages'];
const names = GUIDE_GROUPS.flatMap((group) => group.names);
const sourceOf = (name: string): string => readFileSync(`${FOLDER}/${name}.md`, 'utf8');

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa({ demoPictures: DEMO_PICTURES });
});
afterAll(() => stoa?.stop());

const open = async (path: string): Promise<string> => {
  const answer = await fetch(`${stoa.url}${path}`);
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  return answer.text();
};

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
const linksOf = (html: string): string[] => [...html.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href!);

describe('the guides', () => {
  test('lists each guide in one group', () => {
    const files = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''));
    expect([...names].sort()).toEqual(files.sort());
  });

  test.each(names)('%s begins with its title and what it is for, and is not long', (name) => {
    const source = sourceOf(name);
    expect(source).toMatch(/^# \S.*\n\n[A-Z]/);
    if (!GENERATED.includes(name)) expect(source.split('\n').length - 1).toBeLessThanOrEqual(LINES_MAX);
  });

  test.each(['/docs/guides', '/docs/guides/all', ...names.map((name) => `/docs/guides/${name.replaceAll('_', '-')}`)])(
    'on %s every link leads somewhere',
    async (path) => {
      const html = await open(path);
      const ids = idsOf(html);
      expect(ids.length).toBe(new Set(ids).size);
      for (const href of linksOf(html)) {
        if (href.startsWith('#')) expect(ids).toContain(href.slice(1));
        if (!href.startsWith('/')) continue;
        const [page = '', anchor] = href.split('#');
        const answer = await fetch(`${stoa.url}${page}`);
        expect([href, answer.status]).toEqual([href, 200]);
        const text = await answer.text();
        if (anchor) expect([href, idsOf(text).includes(anchor)]).toEqual([href, true]);
      }
    },
  );

  test.each(names.filter((name) => name.includes('_')))(
    'lead from the name of the file %s to the page',
    async (name) => {
      for (const ending of ['', '.md']) {
        const answer = await fetch(`${stoa.url}/docs/guides/${name}${ending}`);
        expect([answer.status, new URL(answer.url).pathname]).toEqual([
          200,
          `/docs/guides/${name.replaceAll('_', '-')}${ending}`,
        ]);
      }
    },
  );

  test('serves each guide as Markdown too', async () => {
    const answer = await fetch(`${stoa.url}/docs/guides/backup.md`);
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toBe(sourceOf('backup'));
  });

  test('refuse other verbs and unknown names', async () => {
    expect((await fetch(`${stoa.url}/docs/guides/backup`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${stoa.url}/docs/guides/none`)).status).toBe(404);
  });
});

describe('a guide as HTML', () => {
  test('keeps what looks like markup as text', () => {
    const { html, summary } = guideText('# A\n\nB <script>x</script> `<i>`\n\n```sh\na < b\n```\n', () => '');
    expect(html).not.toContain('<script');
    expect(html).toContain('a &lt; b');
    expect(summary).toBe('B <script>x</script> <i>');
  });

  test('says above a block of code which file it is, or its language', () => {
    const { html } = guideText(
      '# A\n\nB\n\n```ts a/b.ts\n1\n```\n\n- c\n\n  ```sh by hand\n  d\n  ```\n\n```\ne\n```\n',
      () => '',
    );
    expect([...html.matchAll(/class="label">([^<]*)</g)].map(([, label]) => label)).toEqual(['a/b.ts', 'sh', '']);
  });

  test('sends links to other guides through its caller, and leaves the rest', () => {
    const { html } = guideText(
      '# A\n\n[b](other.md#part) [c](#here) [d](https://example.com/x.md) [e](/docs)\n',
      (name, anchor) => `to:${name}:${anchor}`,
    );
    expect(linksOf(html)).toEqual(['to:other:part', 'to::here', 'https://example.com/x.md', '/docs']);
  });
});

const program = chromiumProgram();
describe.skipIf(!program)('in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(program!);
  });
  afterAll(() => browser?.close());

  test.each(['/docs/guides', '/docs/guides/all', '/docs/guides/internal-grpc'])(
    '%s fits a phone, and loads nothing from elsewhere',
    async (path) => {
      await browser.page.resize(360, 740);
      await browser.page.open(`${stoa.url}${path}`);
      expect(await browser.page.read('document.documentElement.scrollWidth')).toBe(360);
      expect(await browser.page.read('document.querySelector("nav details").open')).toBe(false);
      expect(await browser.page.read('performance.getEntriesByType("resource").length')).toBe(0);
      expect(browser.page.complaints).toEqual([]);
    },
  );

  test('each block of code has a button that copies it', async () => {
    await browser.page.open(`${stoa.url}/docs/guides/backup`);
    const [blocks, buttons] = await browser.page.read<number[]>(
      '[document.querySelectorAll("pre").length, document.querySelectorAll(".label > button").length]',
    );
    expect(blocks).toBeGreaterThan(0);
    expect(buttons).toBe(blocks);
    const copied = await browser.page.read<string>(`(() => {
      let copied = '';
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => { copied = text; } } });
      document.querySelector('.label > button').click();
      return copied;
    })()`);
    expect(sourceOf('backup')).toContain(`\`\`\`sh\n${copied}\`\`\``);
  });
});
