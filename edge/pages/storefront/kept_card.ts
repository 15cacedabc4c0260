// The codes of the gift cards that this browser's cart uses: the API shows a code's last signs alone, and an order wants it
// whole.

const CARDS = 'stoa-shop-gift-cards';

export const keptCards = (): readonly string[] => (localStorage.getItem(CARDS) ?? '').split(' ').filter(Boolean);

export const keepCard = (code: string): void =>
  localStorage.setItem(CARDS, [...new Set([...keptCards(), code.trim().replaceAll(' ', '')])].join(' '));

export const forgetCards = (): void => localStorage.removeItem(CARDS);
