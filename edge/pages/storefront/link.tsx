// A link to another page of the shop, below the path at which the shop is served.
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Path at which the shop is served, without a slash at its end: empty or `/shop`. */
export const ShopPath = createContext('');

interface LinkProps {
  /** Path within the shop: `/cart`. */
  readonly to: string;
  readonly class?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly style?: { readonly left: string; readonly top: string } | undefined;
  readonly children: ComponentChildren;
}

/** The shop's first page has the shop's own path. */
const hrefOf = (base: string, to: string): string => (to === '/' && base !== '' ? base : base + to);

export const Link = ({ to, ...rest }: LinkProps) => <a {...rest} href={hrefOf(useContext(ShopPath), to)} />;

/** Returns the address of a page of the shop, for forms. */
export const useShopPath = (to: string): string => useContext(ShopPath) + to;
