// Reads and writes the shop's addresses: the screen, its name and its choices. Follows the shopper's links without a
// new page, and restores the scroll position when the shopper goes back.
import { useEffect, useState } from 'preact/hooks';
import { pathOfHash } from './hash_address.ts';

export interface ScreenAddress {
  /** First part of the path; empty on the first page. */
  readonly screen: string;
  readonly name: string;
  readonly choice: URLSearchParams;
}

const NAVIGATED = 'shop:navigated';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `path` is the path and query within the shop: `/products/blue-mug?variant=1`. */
export const readAddress = (path: string): ScreenAddress => {
  const [before = '', search = ''] = path.split(/\?(.*)/s);
  const [screen = '', name = '', ...rest] = before.replace(/^\/|\/$/g, '').split('/');
  // No screen has a path with more parts, so the address names none.
  if (rest.length > 0) return { screen: before.slice(1), name: '', choice: new URLSearchParams(search) };
  return { screen, name: decoded(name), choice: new URLSearchParams(search) };
};

export const pathOf = (screen: string, choice: URLSearchParams): string =>
  choice.size === 0 ? `/${screen}` : `/${screen}?${choice}`;

let base = '';

/** `path` is the path at which the shop is served: empty or `/shop`. */
export const configureAddress = (path: string): void => {
  base = path;
};

/** The shop's first page has the shop's own path. */
const urlOf = (path: string): string => (path === '/' && base !== '' ? base : base + path);

/** Returns the current path and query within the shop. */
export const currentPath = (): string => (location.pathname.slice(base.length) || '/') + location.search;

/** Screens whose documents allow the scripts of card fields, which those of other screens do not. */
const PAYING = /^\/(checkout|orders)(\/|\?|$)/;

export const isPaying = (path: string): boolean => PAYING.test(path);

let loadedPath: string | null = null;

/** Returns whether the path has another content policy than the loaded document, so that the browser must load it. */
const needsDocument = (path: string): boolean => loadedPath !== null && isPaying(path) !== isPaying(loadedPath);

/** `instead` replaces the current history entry instead of adding one. */
export const goTo = (path: string, instead = false): void => {
  if (path === currentPath() && location.hash === '') return;
  if (needsDocument(path)) {
    if (instead) location.replace(urlOf(path));
    else location.assign(urlOf(path));
    return;
  }
  if (instead) history.replaceState(history.state, '', urlOf(path));
  else history.pushState(null, '', urlOf(path));
  dispatchEvent(new Event(NAVIGATED));
};

/** Returns the URL of the shop's first page, without a slash at its end. */
export const shopUrl = (): string => location.origin + base;

/** Changes the choices in the address without showing another screen. */
export const noteChoice = (path: string): void => history.replaceState(history.state, '', urlOf(path));

/** Shows the screen of the current address, also after `noteChoice`. */
export const showAddress = (): void => void dispatchEvent(new Event(NAVIGATED));

/** Returns the path within the shop that a click leads to; null for every other click. */
const linkedPath = (event: MouseEvent): string | null => {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  // A page in another language brings other texts, so that the browser loads it.
  if (!link || link.target || link.hreflang || link.hasAttribute('download') || link.origin !== location.origin)
    return null;
  if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return null;
  if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search) return null;
  return (link.pathname.slice(base.length) || '/') + link.search;
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

const followLinks = (turned: () => void): (() => void) => {
  history.scrollRestoration = 'manual';
  loadedPath = currentPath();
  enter();
  let shown = entryNow();
  const note = (): void => void scrolled.set(entryNow(), scrollY);
  const follow = (): void => {
    const same = entryNow() > 0 && entryNow() === shown;
    const top = enter();
    shown = entryNow();
    turned();
    if (!same) requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, top)));
  };
  const followHash = (): void => {
    const path = pathOfHash(location.hash);
    if (path !== null) goTo(path, true);
  };
  const clicked = (event: MouseEvent): void => {
    const path = linkedPath(event);
    if (path === null) return;
    event.preventDefault();
    goTo(path);
  };
  const listeners = [
    ['scroll', note],
    [NAVIGATED, follow],
    ['popstate', follow],
    ['hashchange', followHash],
    ['click', clicked],
  ] as const;
  for (const [name, listener] of listeners)
    addEventListener(name, listener as EventListener, { passive: name === 'scroll' });
  // The hash may have changed while the page was loading.
  followHash();
  return () => {
    for (const [name, listener] of listeners) removeEventListener(name, listener as EventListener);
  };
};

/** `first` is the address that the server has rendered. */
export const useAddress = (first: ScreenAddress, turned: () => void): ScreenAddress => {
  const [address, setAddress] = useState(first);
  useEffect(
    () =>
      followLinks(() => {
        turned();
        setAddress(readAddress(currentPath()));
      }),
    [turned],
  );
  return address;
};
