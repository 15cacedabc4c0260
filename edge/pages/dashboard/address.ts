// Addresses of screens: `/dashboard/orders/…` in production, `/dashboard/sandbox/orders/…` in the sandbox. Links are plain
// anchors with such an address; the frame follows them without loading the page again.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

export type DashboardEnvironment = 'production' | 'sandbox';

export interface DashboardAddress {
  readonly environment: DashboardEnvironment;
  /** Parts below the environment: `['orders', 'ord_1']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const ROOT = '/dashboard';
const SANDBOX = 'sandbox';

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const readAddress = (pathname: string, search: string): DashboardAddress => {
  const parts = pathname
    .slice(ROOT.length)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  const inSandbox = parts[0] === SANDBOX;
  return {
    environment: inSandbox ? 'sandbox' : 'production',
    path: inSandbox ? parts.slice(1) : parts,
    query: new URLSearchParams(search),
  };
};

/** Leaves out empty values. */
export type QueryValues = Readonly<Record<string, string | number | null | undefined>>;

const searchOf = (query: QueryValues): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

export const addressIn = (environment: DashboardEnvironment, path: string, query: QueryValues = {}): string => {
  const base = environment === 'sandbox' ? `${ROOT}/${SANDBOX}` : ROOT;
  return (path === '' ? base : `${base}/${path}`) + searchOf(query);
};

const here = (): DashboardAddress => readAddress(location.pathname, location.search);

/** The address of a screen in the environment that is shown now: `at('orders', { status: 'paid' })`. */
export const at = (path: string, query: QueryValues = {}): string => addressIn(here().environment, path, query);

const listeners = new Set<() => void>();

/** Asked before another screen is shown; one that answers false keeps this one. */
const guards = new Set<() => boolean>();

/**
 * Asks the reader before unsaved input is lost. A layout effect: a form that has just been saved may lead to another screen
 * at once.
 */
export const useGuard = (isDirty: boolean): void =>
  useLayoutEffect(() => {
    if (!isDirty) return;
    const guard = (): boolean => confirm('Your changes are not saved. Leave this screen and lose them?');
    const unload = (event: BeforeUnloadEvent): void => event.preventDefault();
    guards.add(guard);
    addEventListener('beforeunload', unload);
    return () => {
      guards.delete(guard);
      removeEventListener('beforeunload', unload);
    };
  }, [isDirty]);

const tell = (): void => {
  for (const each of listeners) each();
};

/** Shows another screen. `replace` leaves no step for the browser's way back, as for a changed filter. */
export const go = (url: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  const next = new URL(url, location.href);
  const leaves = next.pathname !== location.pathname;
  if (leaves && ![...guards].every((guard) => guard())) return;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  if (leaves) scrollTo(0, 0);
  tell();
};

/** Shows another screen once the form's guard has ended with the draft that was saved. */
export const goAfterSave = (url: string, options?: { readonly replace?: boolean }): void => {
  setTimeout(() => go(url, options));
};

let shownUrl = typeof location === 'undefined' ? '' : location.href;

const follow = (event: MouseEvent): void => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname !== ROOT && !link.pathname.startsWith(`${ROOT}/`)) return;
  event.preventDefault();
  go(link.href);
};

/** The address shown. The frame calls it with `leads`, and follows links. */
export const useAddress = (leads = false): DashboardAddress => {
  const [address, setAddress] = useState(here);
  useEffect(() => {
    const look = (): void => {
      shownUrl = location.href;
      setAddress(here());
    };
    // The browser has already gone back: the former address is put on top again.
    const back = (): void => {
      const leaves = new URL(shownUrl).pathname !== location.pathname;
      if (leaves && ![...guards].every((guard) => guard())) history.pushState(null, '', shownUrl);
      else if (leads) tell();
    };
    listeners.add(look);
    if (leads) {
      addEventListener('popstate', back);
      addEventListener('click', follow);
    }
    return () => {
      listeners.delete(look);
      if (!leads) return;
      removeEventListener('popstate', back);
      removeEventListener('click', follow);
    };
  }, [leads]);
  return address;
};

/** The filters of a screen, which are its address's query: what they are, and a function that changes some of them. */
export const useFilters = (): readonly [URLSearchParams, (changed: QueryValues) => void] => {
  const { query } = useAddress();
  const change = (changed: QueryValues): void => {
    const now = Object.fromEntries(new URLSearchParams(location.search));
    go(location.pathname + searchOf({ ...now, ...changed }), { replace: true });
  };
  return [query, change];
};
