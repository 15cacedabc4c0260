// The page on which a merchant lets an app work with their store, or does not. Pure.
import type { ConsentResponse } from '#proto/gen/connect.ts';
import { escaped, sheetDocument } from './sheet.ts';

/** What an app may see, and may change, in a merchant's words. */
const WORDS: Readonly<Record<string, string>> = {
  catalog: 'products, categories, prices and stock',
  orders: 'orders, carts and checkouts',
  customers: 'customers and their accounts',
  payments: 'payments, gift cards and store credit',
  promotions: 'promotions',
  shipping: 'delivery options and carriers',
  content: 'blog posts and lookbooks',
  reviews: 'reviews',
  returns: 'returns and disputes',
  messaging: 'conversations with customers',
  b2b: 'quotes, purchase orders and invoices',
  webhooks: 'webhook endpoints and their deliveries',
  store: 'the store’s profile, settings and policies',
  ingestion: 'imports of the catalogue',
};

/** One line a resource: to see it, to change it, or both. */
const lines = (scopes: readonly string[]): string[] => {
  const verbs = new Map<string, Set<string>>();
  for (const scope of scopes) {
    const [resource = '', verb = ''] = scope.split(':');
    verbs.set(resource, (verbs.get(resource) ?? new Set()).add(verb));
  }
  return [...verbs].map(([resource, own]) => {
    const verb = own.size === 2 ? 'See and change' : own.has('write') ? 'Change' : 'See';
    return `${verb} ${WORDS[resource] ?? resource}`;
  });
};

export const connectDocument = ({
  store_name,
  client_name,
  environment,
  scopes,
  redirect_uri,
}: ConsentResponse): string => {
  const target = URL.parse(redirect_uri);
  const place = target?.host || target?.protocol || redirect_uri;
  return sheetDocument(
    `Connect ${client_name} to ${store_name}`,
    `${environment === 'sandbox' ? '<p class="test">Sandbox: test data alone.</p>' : ''}
<div class="sheet">
<h1><span class="who">${escaped(client_name)}</span> asks to work with <span class="who">${escaped(store_name)}</span></h1>
<p class="soft">If you allow it, this app may, until you end it:</p>
<ul class="scopes">${lines(scopes)
      .map((line) => `<li>${escaped(line)}</li>`)
      .join('')}</ul>
<p class="soft">Either way you go on to ${escaped(place)}.</p>
<form method="post">
<button class="go" name="decision" value="allow">Allow</button>
<button class="no" name="decision" value="deny">Deny</button>
</form>
</div>`,
  );
};
