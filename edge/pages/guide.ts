// Serves the guides at `/docs/guides`: each Markdown file of the folder as a page and as Markdown, and all of them as
// one page.
import { fileURLToPath } from 'node:url';
import type { RequestContext } from '#edge/request_context.ts';
import { escaped, GUIDE_POLICY, guidePage } from './guide_page.ts';
import { type GuideText, guideText, type LinkTo } from './guide_text.ts';
import { messagePage } from './small_page.ts';
import { REVALIDATED, StaticAsset } from './static_asset.ts';

interface GuideGroup {
  readonly title: string;
  readonly names: readonly string[];
}

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Build a shop',
    names: [
      'quick_start',
      'dashboard',
      'staff',
      'keys',
      'audit_log',
      'errors',
      'error_messages',
      'storefront',
      'currencies',
      'languages',
      'client',
      'shop',
      'search',
      'customers',
      'privacy',
      'mails',
      'payments',
      'reviews',
      'after_sale',
      'wholesale',
      'marketplace',
      'content',
      'reports',
      'media',
      'import',
      'channels',
      'assistants',
      'connect',
      'webhooks',
      'sandbox',
      'going_live',
      'shipping_configuration',
      'internal_grpc',
    ],
  },
  {
    title: 'Work on Stoa',
    names: [
      'architecture',
      'search_engine',
      'adding_an_endpoint',
      'adding_a_domain',
      'dashboard_screens',
      'testing_a_domain',
      'testing',
      'benchmarks',
      'measurements',
    ],
  },
  {
    title: 'Run Stoa',
    names: [
      'configuration',
      'cluster',
      'capacity',
      'operations',
      'upgrades',
      'backup',
      'observability',
      'runbook',
      'threat_model',
    ],
  },
];

const PATH = '/docs/guides';
const EVERYTHING = `${PATH}/all`;
const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

const names = GUIDE_GROUPS.flatMap((group) => group.names);
const pathOf = (name: string): string => `${PATH}/${name.replaceAll('_', '-')}`;
const sourceOf = (name: string): Promise<string> =>
  Bun.file(fileURLToPath(new URL(`./guide/${name}.md`, import.meta.url))).text();

const toPage: LinkTo = (name, anchor) => `${name ? pathOf(name) : ''}${anchor ? `#${anchor}` : ''}`;

const link = (path: string, title: string, current = false): string =>
  `<a href="${path}"${current ? ' aria-current="page"' : ''}>${escaped(title)}</a>`;

type Guides = ReadonlyMap<string, GuideText>;

const readLibrary = async (): Promise<Guides> =>
  new Map(await Promise.all(names.map(async (name) => [name, guideText(await sourceOf(name), toPage)] as const)));

const menuOf = (guides: Guides, shown: string): string => {
  const sectionsOf = ({ sections }: GuideText): string =>
    sections.length === 0
      ? ''
      : `<ul>${sections.map(({ id, title }) => `<li>${link(`#${id}`, title)}</li>`).join('')}</ul>`;
  const entry = (name: string): string => {
    const guide = guides.get(name)!;
    return `<li>${link(pathOf(name), guide.title, name === shown)}${name === shown ? sectionsOf(guide) : ''}</li>`;
  };
  return [
    `<ul><li>${link(PATH, 'All guides', shown === PATH)}</li><li>${link(EVERYTHING, 'On one page', shown === EVERYTHING)}</li>`,
    `<li>${link('/docs', 'API reference')}</li></ul>`,
    ...GUIDE_GROUPS.map((group) => `<h2>${escaped(group.title)}</h2>\n<ul>${group.names.map(entry).join('\n')}</ul>`),
  ].join('\n');
};

const contentsPage = (guides: Guides): string => {
  const card = (name: string): string => {
    const { title, summary } = guides.get(name)!;
    return `<a href="${pathOf(name)}"><b>${escaped(title)}</b><span class="soft">${escaped(summary)}</span></a>`;
  };
  const main = [
    '<h1>Guides</h1>',
    `<p>How to build a shop on Stoa, work on Stoa itself, and run it. Every endpoint is in the ${link('/docs', 'API reference')}. To search all guides, open them ${link(EVERYTHING, 'on one page')}.</p>`,
    ...GUIDE_GROUPS.map(
      (group) => `<h2>${escaped(group.title)}</h2>\n<div class="cards">${group.names.map(card).join('\n')}</div>`,
    ),
  ];
  return guidePage('Guides', menuOf(guides, PATH), main.join('\n'));
};

const singlePage = (guides: Guides, name: string): string => {
  const { title, html } = guides.get(name)!;
  const at = names.indexOf(name);
  const adjacent = (to: string | undefined, arrow: (title: string) => string): string =>
    to === undefined ? '<span></span>' : link(pathOf(to), arrow(guides.get(to)!.title));
  const foot = `<p class="next">${adjacent(names[at - 1], (text) => `← ${text}`)}${adjacent(names[at + 1], (text) => `${text} →`)}</p>`;
  return guidePage(title, menuOf(guides, name), `${html}\n${foot}`);
};

const everythingPage = async (guides: Guides): Promise<string> => {
  const parts = await Promise.all(
    names.map(async (own) => {
      const inPage: LinkTo = (name, anchor) => `#${[name || own, anchor].filter(Boolean).join('.')}`;
      return `<section id="${own}">\n${guideText(await sourceOf(own), inPage, `${own}.`).html}\n</section>`;
    }),
  );
  return guidePage('All guides', menuOf(guides, EVERYTHING), parts.join('\n<hr>\n'));
};

export interface GuideFile {
  readonly path: string;
  readonly respond: (context: RequestContext) => Response | Promise<Response>;
}

const fileNamed = (name: string, ending = ''): GuideFile => ({
  path: `${PATH}/${name}${ending}`,
  respond: (context) =>
    messagePage(context, 308, 'Moved', 'You are being redirected.', { Location: `${pathOf(name)}${ending}` }),
});

export const guideFiles = (): readonly GuideFile[] => {
  const encoder = new TextEncoder();
  let reading: Promise<Guides> | null = null;
  const guides = (): Promise<Guides> => {
    reading ??= readLibrary().catch((problem) => {
      reading = null;
      throw problem;
    });
    return reading;
  };
  const file = (path: string, type: string, make: (guides: Guides) => string | Promise<string>): GuideFile => {
    const asset = new StaticAsset(type, async () => encoder.encode(await make(await guides())));
    return {
      path,
      respond: async (context) => {
        const response = await asset.respond(context, REVALIDATED);
        response.headers.set('Content-Security-Policy', GUIDE_POLICY);
        response.headers.set('Referrer-Policy', 'no-referrer');
        return response;
      },
    };
  };
  return [
    file(PATH, HTML, contentsPage),
    file(EVERYTHING, HTML, everythingPage),
    ...names.flatMap((name) => [
      file(pathOf(name), HTML, (read) => singlePage(read, name)),
      file(`${pathOf(name)}.md`, MARKDOWN, () => sourceOf(name)),
      ...(name.includes('_') ? [fileNamed(name), fileNamed(name, '.md')] : []),
    ]),
  ];
};
