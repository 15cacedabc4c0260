// The codes of the gift cards that this browser's cart uses: the API shows a code's last signs alone, and an order wants it
// whole.

const CARDS = 'stoa-shop-gift-cards';
const LAST = 4;

export const keptCards = (): readonly string[] => (localStorage.getItem(CARDS) ?? '').split(' ').filter(Boolean);

const keep = (codes: readonly string[]): void =>
  codes.length === 0 ? localStorage.removeItem(CARDS) : localStorage.setItem(CARDS, codes.join(' '));

export const keepCard = (code: string): void => keep([...new Set([...keptCards(), code.replaceAll(/\s/g, '')])]);

/** The whole code of a card that is known by its last signs. */
export const cardEnding = (last: string): string | null =>
  keptCards().find((code) => code.slice(-LAST).toUpperCase() === last.toUpperCase()) ?? null;

export const forgetCard = (code: string): void => keep(keptCards().filter((each) => each !== code));

export const forgetCards = (): void => keep([]);
