// Reads and writes the part of the URL after `#`: the screen, its name and its choices. Going back restores the scroll
// position.
import { useEffect, useState } from 'preact/hooks';

export interface ScreenAddress {
  readonly screen: string;
  readonly name: string;
  readonly choice: URLSearchParams;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const readAddress = (hash: string): ScreenAddress => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [screen = '', name = ''] = path.split('/');
  return { screen, name: decoded(name), choice: new URLSearchParams(search) };
};

export const writeAddress = (screen: string, choice: URLSearchParams): string =>
  choice.size === 0 ? `#/${screen}` : `#/${screen}?${choice}`;

/** `instead` replaces the current history entry instead of adding one. */
export const goTo = (hash: string, instead = false): void => {
  if (hash === location.hash) return;
  if (!instead) {
    location.hash = hash;
    return;
  }
  history.replaceState(history.state, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
};

const scrolled = new Map<number, number>();
let entries = 0;

const entryNow = (): number => Number(history.state?.entry ?? 0);

/** Gives a new history entry a number, and returns the entry's scroll position. */
const enter = (): number => {
  if (entryNow() > 0) return scrolled.get(entryNow()) ?? 0;
  entries = Math.max(entries, ...scrolled.keys(), 0) + 1;
  history.replaceState({ entry: entries }, '');
  scrolled.set(entries, 0);
  return 0;
};

export const useAddress = (turned: () => void): ScreenAddress => {
  const [address, setAddress] = useState(() => readAddress(location.hash));
  useEffect(() => {
    history.scrollRestoration = 'manual';
    enter();
    const note = (): void => void scrolled.set(entryNow(), scrollY);
    const follow = (): void => {
      const same = entryNow() > 0 && entryNow() === shown;
      const top = enter();
      shown = entryNow();
      turned();
      setAddress(readAddress(location.hash));
      if (!same) requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, top)));
    };
    let shown = entryNow();
    addEventListener('scroll', note, { passive: true });
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('scroll', note);
      removeEventListener('hashchange', follow);
    };
  }, [turned]);
  return address;
};
