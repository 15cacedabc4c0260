// The header of every screen: store, navigation, search and cart.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { goTo, pathOf, type ScreenAddress } from './address.ts';
import { useBrowser } from './browser_only.tsx';
import type { OpenShop } from './client.ts';
import { Picture } from './component.tsx';
import { Link, useShopPath } from './link.tsx';
import { storedSession } from './server.ts';
import { useWords } from './wording_context.ts';

const DEBOUNCE_MS = 200;

const SearchField = ({ address }: { readonly address: ScreenAddress }) => {
  const { text } = useWords();
  const waiting = useRef(0);
  const field = useRef<HTMLInputElement>(null);
  const here = address.screen === 'search';
  const query = here ? (address.choice.get('q') ?? '') : '';
  const action = useShopPath('/search');
  // A layout effect, so that the field and the screen change in the same frame.
  useLayoutEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = query;
  }, [query]);
  const search = (words: string): void => {
    const choice = new URLSearchParams(here ? address.choice : '');
    if (words) choice.set('q', words);
    else choice.delete('q');
    goTo(pathOf('search', choice), here);
  };
  return (
    <search>
      <form
        action={action}
        onSubmit={(event) => {
          event.preventDefault();
          clearTimeout(waiting.current);
          search(field.current?.value.trim() ?? '');
          document.querySelector<HTMLElement>('main')?.focus();
        }}
      >
        <input
          id="search"
          name="q"
          ref={field}
          type="search"
          aria-label={text('search_products')}
          placeholder={text('search')}
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
  const words = useWords();
  const { text } = words;
  const isBrowser = useBrowser();
  const here = (...screens: string[]) => (screens.includes(address.screen) ? ('page' as const) : undefined);
  return (
    <header>
      <div>
        <Link class="brand" to="/" aria-current={here('')}>
          {shop.store.logo_url && <Picture url={shop.store.logo_url} name="" eager />}
          <span>{shop.store.name}</span>
        </Link>
        <nav aria-label={text('shop')}>
          <Link to="/products" aria-current={here('products', 'search', 'collections')}>
            {text('products')}
          </Link>
          {shop.setting.server && (
            <Link to="/account" aria-current={here('account')}>
              {text(isBrowser && storedSession() ? 'orders' : 'sign_in')}
            </Link>
          )}
        </nav>
        {shop.categories.length > 0 && (
          <nav class="categories" aria-label={text('categories')}>
            {shop.categories.map(({ slug, name }) => (
              <Link
                key={slug}
                to={`/categories/${slug}`}
                aria-current={address.screen === 'categories' && address.name === slug ? 'page' : undefined}
              >
                {name}
              </Link>
            ))}
          </nav>
        )}
        <SearchField address={address} />
        <Link class="cart" to="/cart" aria-current={here('cart')}>
          {text('cart')} <span aria-hidden="true">{count}</span>
          <span class="unseen">, {words.count(count, 'item')}</span>
        </Link>
      </div>
    </header>
  );
};
