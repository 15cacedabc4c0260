// Stores the codes of the cart's gift cards in this browser: the API returns only a code's last characters, and an
// order needs the whole code.

const CARDS = 'stoa-shop-gift-cards';

export const storedCards = (): readonly string[] => (localStorage.getItem(CARDS) ?? '').split(' ').filter(Boolean);

const writeCards = (codes: readonly string[]): void =>
  codes.length === 0 ? localStorage.removeItem(CARDS) : localStorage.setItem(CARDS, codes.join(' '));

export const storeCard = (code: string): void =>
  writeCards([...new Set([...storedCards(), code.replaceAll(/\s/g, '')])]);

export const removeCard = (last: string): void =>
  writeCards(storedCards().filter((code) => !code.toUpperCase().endsWith(last.toUpperCase())));

export const removeCards = (): void => writeCards([]);
