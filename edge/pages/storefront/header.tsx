// The header of every screen: store, navigation, search and cart.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { goTo, type ScreenAddress, writeAddress } from './address.ts';
import type { OpenShop } from './client.ts';
import { countText, Picture } from './component.tsx';
import { storedSession } from './server.ts';

const DEBOUNCE_MS = 200;

const SearchField = ({ address }: { readonly address: ScreenAddress }) => {
  const waiting = useRef(0);
  const field = useRef<HTMLInputElement>(null);
  const query = address.screen === 'products' ? (address.choice.get('query') ?? '') : '';
  // A layout effect, so that the field and the screen change in the same frame.
  useLayoutEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = query;
  }, [query]);
  const search = (words: string): void => {
    const here = address.screen === 'products';
    const choice = new URLSearchParams(here ? address.choice : '');
    if (words) choice.set('query', words);
    else choice.delete('query');
    goTo(writeAddress('products', choice), here);
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          clearTimeout(waiting.current);
          search(field.current?.value.trim() ?? '');
          document.querySelector<HTMLElement>('main')?.focus();
        }}
      >
        <input
          id="search"
          ref={field}
          type="search"
          aria-label="Search the products"
          placeholder="Search"
          autocomplete="off"
          defaultValue={query}
          onInput={({ currentTarget }) => {
            clearTimeout(waiting.current);
            const words = currentTarget.value.trim();
            waiting.current = window.setTimeout(() => search(words), DEBOUNCE_MS);
          }}
        />
      </form>
    </search>
  );
};

interface HeaderProps {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
  readonly count: number;
}

export const Header = ({ shop, address, count }: HeaderProps) => {
  const here = (...screens: string[]) => (screens.includes(address.screen) ? ('page' as const) : undefined);
  return (
    <header>
      <div>
        <a class="brand" href="#/" aria-current={here('')}>
          {shop.store.logo_url && <Picture url={shop.store.logo_url} name="" eager />}
          <span>{shop.store.name}</span>
        </a>
        <nav aria-label="Shop">
          <a href="#/products" aria-current={here('products', 'product', 'collection')}>
            Products
          </a>
          {shop.setting.server && (
            <a href="#/account" aria-current={here('account')}>
              {storedSession() ? 'Orders' : 'Sign in'}
            </a>
          )}
        </nav>
        <SearchField address={address} />
        <a class="cart" href="#/cart" aria-current={here('cart')}>
          Cart <span aria-hidden="true">{count}</span>
          <span class="unseen">, {countText(count, 'item')}</span>
        </a>
      </div>
    </header>
  );
};
