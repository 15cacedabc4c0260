// The shop: header, the address's screen, footer and drawer. The server renders it and the browser continues.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { AccountScreen } from './account.tsx';
import { type ScreenAddress, useAddress } from './address.ts';
import { BrowserOnly } from './browser_only.tsx';
import { CartScreen } from './cart.tsx';
import { CheckoutScreen } from './checkout.tsx';
import type { OpenShop } from './client.ts';
import { Drawer } from './drawer.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { Home } from './home.tsx';
import { Link } from './link.tsx';
import { CategoryScreen, CollectionScreen, Listing } from './listing.tsx';
import { PlacedScreen } from './placed.tsx';
import { PolicyScreen } from './policy.tsx';
import { ProductScreen } from './product.tsx';
import { useWords } from './wording_context.ts';

type Changed = (items?: number) => void;

interface ScreenProps {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
  readonly change: number;
  readonly changed: Changed;
}

export const NoPage = () => {
  const { text } = useWords();
  return (
    <div class="notice">
      <h1>{text('no_page')}</h1>
      <p>{text('no_page_why')}</p>
      <Link class="go" to="/">
        {text('first_page')}
      </Link>
    </div>
  );
};

const Screen = ({ shop, address, change, changed }: ScreenProps) => {
  const { screen, name, choice } = address;
  const { text } = useWords();
  /** A screen with a name below its path, as a product has, or without one. */
  const named: Readonly<Record<string, () => preact.JSX.Element>> = {
    products: () => <ProductScreen key={name} shop={shop} slug={name} choice={choice} bought={changed} />,
    collections: () => <CollectionScreen key={name} shop={shop} slug={name} />,
    categories: () => <CategoryScreen key={name} shop={shop} slug={name} choice={choice} />,
    policies: () => <PolicyScreen key={name} shop={shop} name={name} />,
    account: () => (
      <BrowserOnly title={text('your_account')}>{() => <AccountScreen {...{ shop, name, changed }} />}</BrowserOnly>
    ),
    orders: () => (
      <BrowserOnly title={text('your_order')}>{() => <PlacedScreen key={name} shop={shop} id={name} />}</BrowserOnly>
    ),
  };
  const unnamed: Readonly<Record<string, () => preact.JSX.Element>> = {
    '': () => <Home shop={shop} />,
    products: () => <Listing shop={shop} path="products" choice={choice} />,
    search: () => <Listing shop={shop} path="search" choice={choice} />,
    cart: () => <CartScreen shop={shop} change={change} changed={changed} />,
    account: () => named.account!(),
    checkout: () => (
      <BrowserOnly title={text('checkout')}>{() => <CheckoutScreen {...{ shop, changed }} />}</BrowserOnly>
    ),
  };
  const screens = name === '' ? unnamed : named;
  return Object.hasOwn(screens, screen) ? screens[screen]!() : <NoPage />;
};

/** Follows the heading after the first page, whose title the server has written. */
const useTitle = (name: string, { screen, name: below }: ScreenAddress): void => {
  const first = useRef(`${screen}/${below}`);
  useEffect(() => {
    const tell = (): void => {
      if (first.current === `${screen}/${below}`) return;
      first.current = '';
      const heading = document.querySelector('main h1')?.textContent ?? '';
      document.title = heading && heading !== name ? `${heading} · ${name}` : name;
    };
    const watch = new MutationObserver(tell);
    watch.observe(document.querySelector('main')!, { subtree: true, childList: true, characterData: true });
    tell();
    return () => watch.disconnect();
  }, [name, screen, below]);
};

/** Counts the items in the cart, again whenever another tab may have changed it. */
const useCart = (shop: OpenShop) => {
  const [change, setChange] = useState(0);
  const [count, setCount] = useState(0);
  const [uncounted, setUncounted] = useState(0);
  // A count that was asked for before a change is older than what the change answered.
  const changes = useRef(0);
  const changed: Changed = useCallback((items) => {
    changes.current++;
    if (items === undefined) setUncounted((at) => at + 1);
    else setCount(items);
    setChange((at) => at + 1);
  }, []);
  useEffect(() => {
    const before = changes.current;
    shop.api.cart.get({ fields: ['item_count'] }).then(
      ({ cart }) => before === changes.current && setCount(cart.item_count),
      () => {},
    );
  }, [uncounted]);
  useEffect(() => {
    const look = (): void => void (document.visibilityState === 'visible' && changed());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return { change, count, changed };
};

interface ShopProps {
  readonly shop: OpenShop;
  /** The address that the server renders. */
  readonly first: ScreenAddress;
}

export const Shop = ({ shop, first }: ShopProps) => {
  const address = useAddress(first, shop.clearRequests);
  const { text } = useWords();
  const { change, count, changed } = useCart(shop);
  useTitle(shop.store.name, address);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Keeps the focus in the search field while the shopper types.
    if (!isFirst.current && document.activeElement?.id !== 'search') main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [address.screen, address.name]);
  return (
    <>
      <a class="skip" href="#content">
        {text('skip')}
      </a>
      <Header shop={shop} address={address} count={count} />
      <main id="content" ref={main} tabIndex={-1}>
        <Screen shop={shop} address={address} change={change} changed={changed} />
      </main>
      <Footer shop={shop} address={address} />
      <Drawer shop={shop} />
    </>
  );
};
