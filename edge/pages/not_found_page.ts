// Renders the page that browsers get for an unknown path; other clients get the error object.
import type { RequestContext } from '#edge/request_context.ts';
import { smallPage } from './small_page.ts';
import { escaped, smallPageDocument, smallPagePolicy } from './small_page_document.ts';

export const acceptsHtml = (request: Request): boolean => /\btext\/html\b/i.test(request.headers.get('accept') ?? '');

const WAYS = [
  ['/', 'Start page'],
  ['/docs/guides', 'Guides'],
  ['/docs', 'API reference'],
] as const;

const nearText = (near: string): string =>
  near.includes('{') ? `<code>${escaped(near)}</code>` : `<a href="${escaped(near)}">${escaped(near)}</a>`;

export const notFoundPage = (context: RequestContext, near: string | null): Response => {
  const ways = WAYS.map(([path, name]) => `<a class="back" href="${path}">${name}</a>`);
  const content = `<div class="sheet ways">
<h1>There is no page at this address</h1>
<p class="soft">${near === null ? 'The address may be mistyped, or the page was removed.' : `Did you mean ${nearText(near)}?`}</p>
${ways.join('\n')}
</div>`;
  return smallPage(context, 404, smallPageDocument('No such page', content), smallPagePolicy([]), { Vary: 'Accept' });
};
