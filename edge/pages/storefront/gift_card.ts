// The codes of the gift cards that this browser's cart uses: the API shows a code's last signs alone, and an order wants it
// whole.

const CARDS = 'stoa-shop-gift-cards';

export const storedCards = (): readonly string[] => (localStorage.getItem(CARDS) ?? '').split(' ').filter(Boolean);

const writeCards = (codes: readonly string[]): void =>
  codes.length === 0 ? localStorage.removeItem(CARDS) : localStorage.setItem(CARDS, codes.join(' '));

export const storeCard = (code: string): void =>
  writeCards([...new Set([...storedCards(), code.replaceAll(/\s/g, '')])]);

/** The one that ends so. */
export const removeCard = (last: string): void =>
  writeCards(storedCards().filter((code) => !code.toUpperCase().endsWith(last.toUpperCase())));

export const removeCards = (): void => writeCards([]);
