// The codes of the gift cards that this browser's cart uses: the API shows a code's last signs alone, and an order wants it
// whole.

const CARDS = 'stoa-shop-gift-cards';

export const keptCards = (): readonly string[] => (localStorage.getItem(CARDS) ?? '').split(' ').filter(Boolean);

const keep = (codes: readonly string[]): void =>
  codes.length === 0 ? localStorage.removeItem(CARDS) : localStorage.setItem(CARDS, codes.join(' '));

export const keepCard = (code: string): void => keep([...new Set([...keptCards(), code.replaceAll(/\s/g, '')])]);

/** The one that ends so. */
export const forgetCard = (last: string): void =>
  keep(keptCards().filter((code) => !code.toUpperCase().endsWith(last.toUpperCase())));

export const forgetCards = (): void => keep([]);
