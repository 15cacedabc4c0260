// Translates addresses of the time when the part after `#` named the screen, which bookmarks and sent links contain.
// Pure.

const RENAMED: Readonly<Record<string, string>> = { product: 'products', collection: 'collections', placed: 'orders' };

/** Returns the path within the shop; null if the hash named no screen. */
export const pathOfHash = (hash: string): string | null => {
  const found = /^#\/([^?]*)(?:\?(.*))?$/s.exec(hash);
  if (!found) return null;
  const [screen = '', ...rest] = found[1]!.split('/');
  const choice = new URLSearchParams(found[2] ?? '');
  const query = choice.get('query');
  choice.delete('query');
  const isSearch = screen === 'products' && rest.join('') === '' && query;
  const named = isSearch ? 'search' : (RENAMED[screen] ?? screen);
  const path = `/${[named, ...rest].filter(Boolean).join('/')}`;
  const all = new URLSearchParams(isSearch ? { q: query } : {});
  for (const [name, value] of choice) all.append(name, value);
  return all.size === 0 ? path : `${path}?${all}`;
};
