// Serves `/s/<code>/policies/<type>`, a published policy.
import { Refusal } from '#runtime/call/call.ts';
import { html, Markup } from './markup.ts';
import type { PageCall } from './page_call.ts';
import { shopDocument } from './page_document.ts';
import { moment } from './receipt.ts';
import { notFoundResponse, refusalPage, shopResponse } from './response.ts';

const MARKDOWN = { noHtmlBlocks: true, noHtmlSpans: true } as const;
const LEADS = /^(?:https?:|mailto:|tel:)/i;

/** Renders Markdown: escapes HTML, allows only web, mail and phone links, and removes pictures. */
const body = (markdown: string): Markup =>
  new Markup(
    new HTMLRewriter()
      .on('a[href]', {
        element(link) {
          if (LEADS.test((link.getAttribute('href') ?? '').trim())) link.setAttribute('rel', 'noreferrer');
          else link.removeAttribute('href');
        },
      })
      .on('img', { element: (picture) => void picture.remove() })
      .transform(Bun.markdown.html(markdown, MARKDOWN)),
  );

export const policyPage = async (call: PageCall): Promise<Response> => {
  const { context, core, name, shop } = call;
  const known = shop.policies.find(({ type }) => type === name);
  if (!known) return notFoundResponse(context);
  const found = await core.policy(known.type);
  if (found instanceof Refusal) return refusalPage(context, found);
  const { title, body: text, published_at } = found.policy;
  const document = shopDocument(
    { shop, environment: 'production' },
    title,
    html`<main class="paper"><section>
<h1>${title}</h1>
${published_at && html`<p class="soft">Since ${moment(published_at)}</p>`}
${body(text)}
</section></main>`,
  );
  return shopResponse(call, document);
};
