// Describes OAuth scopes in words for merchants, on the consent page and in the console. Pure.
const RESOURCES: Readonly<Record<string, string>> = {
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
  mails: 'the templates of mails, with all that mails show, and suppressed addresses',
  b2b: 'quotes, purchase orders and invoices',
  webhooks: 'webhook endpoints and their deliveries',
  store: 'the store’s profile, settings and policies',
  ingestion: 'imports of the catalogue',
};

export const scopeLines = (scopes: readonly string[]): string[] => {
  const verbs = new Map<string, Set<string>>();
  for (const scope of scopes) {
    const [resource = '', verb = ''] = scope.split(':');
    verbs.set(resource, (verbs.get(resource) ?? new Set()).add(verb));
  }
  return [...verbs].map(([resource, own]) => {
    const verb = own.size === 2 ? 'See and change' : own.has('write') ? 'Change' : 'See';
    return `${verb} ${RESOURCES[resource] ?? resource}`;
  });
};
