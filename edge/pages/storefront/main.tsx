// The demo storefront: one page whose screens are named behind the `#` of its address.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AccountScreen } from './account.tsx';
import { CartScreen } from './cart.tsx';
import { CheckoutScreen } from './checkout.tsx';
import { type OpenShop, openShop } from './client.ts';
import { Drawer } from './drawer.tsx';
import { Home } from './home.tsx';
import { Chosen, Listing } from './listing.tsx';
import { ProductScreen } from './product.tsx';

const TYPING_MS = 200;

interface Address {
  readonly screen: string;
  readonly name: string;
  readonly query: string;
}

const addressOf = (hash: string): Address => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [screen = '', name = ''] = path.split('/');
  return { screen, name: decodeURIComponent(name), query: new URLSearchParams(search).get('query') ?? '' };
};

const useAddress = (shop: OpenShop): Address => {
  const [address, setAddress] = useState(addressOf(location.hash));
  useEffect(() => {
    const follow = (): void => {
      shop.turn();
      setAddress(addressOf(location.hash));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [shop]);
  return address;
};

/** Searches while words are typed, once the hand rests. */
const SearchField = ({ query }: { readonly query: string }) => {
  const waiting = useRef(0);
  return (
    <search>
      <input
        id="search"
        type="search"
        aria-label="Search"
        placeholder="Search"
        defaultValue={query}
        onInput={({ currentTarget }) => {
          clearTimeout(waiting.current);
          const words = currentTarget.value.trim();
          waiting.current = window.setTimeout(() => {
            location.hash = `#/products?${new URLSearchParams({ query: words })}`;
          }, TYPING_MS);
        }}
      />
    </search>
  );
};

const Shop = ({ shop }: { readonly shop: OpenShop }) => {
  const { screen, name, query } = useAddress(shop);
  const [change, setChange] = useState(0);
  const [count, setCount] = useState(0);
  const changed = (): void => setChange((at) => at + 1);
  useEffect(() => {
    shop.api.cart.get({ fields: ['item_count'] }).then(
      ({ cart }) => setCount(cart.item_count),
      () => {},
    );
  }, [change]);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    if (screen !== 'products') main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [screen, name]);
  const screens: Readonly<Record<string, () => preact.JSX.Element>> = {
    '': () => <Home shop={shop} />,
    products: () => <Listing shop={shop} query={query} />,
    collection: () => <Chosen shop={shop} slug={name} />,
    product: () => <ProductScreen shop={shop} slug={name} bought={changed} />,
    cart: () => <CartScreen shop={shop} change={change} changed={changed} />,
    account: () => <AccountScreen shop={shop} changed={changed} />,
    checkout: () => <CheckoutScreen shop={shop} changed={changed} />,
  };
  const shown = screens[screen];
  return (
    <>
      <header>
        <a class="brand" href="#/">
          Shop
        </a>
        <nav aria-label="Shop">
          <a href="#/products">Products</a> {shop.setting.server && <a href="#/account">Orders</a>}
        </nav>
        <SearchField query={query} />
        <a class="cart" href="#/cart">
          Cart ({count})
        </a>
      </header>
      <main ref={main} tabIndex={-1}>
        {shown ? shown() : <p>There is no such page.</p>}
      </main>
      <footer>
        <Drawer shop={shop} />
      </footer>
    </>
  );
};

const NoShop = () => (
  <main>
    <h1>No demo shop</h1>
    <p>
      This system has no demo store. <code>npm start</code> makes one; <a href="/docs/guides/shop">the guide</a> says
      how this shop shows one of yours.
    </p>
  </main>
);

const room = document.querySelector('#shop')!;
openShop().then(
  (shop) => render(shop ? <Shop shop={shop} /> : <NoShop />, room),
  () => render(<p role="alert">The shop cannot be reached.</p>, room),
);
