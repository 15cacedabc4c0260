// On the way to a provider's page, for browsers that do not go there by themselves. Pure.
import { html } from './markup.ts';
import { type PageContext, shopDocument } from './sheet.ts';

export const goingDocument = (page: PageContext, url: string): string =>
  shopDocument(
    page,
    'On to pay',
    html`<main class="paper"><section>
<h1>On to pay</h1>
<p>You pay at ${new URL(url).host}, and come back here afterwards.</p>
<p><a class="button go" href="${url}" rel="noreferrer">Go on</a></p>
</section></main>`,
  );
