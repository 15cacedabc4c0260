// The demo storefront: one page; the part of the URL after `#` names its screen.
import { render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { AccountScreen } from './account.tsx';
import { type ScreenAddress, useAddress } from './address.ts';
import { brandStyle } from './brand.ts';
import { CartScreen } from './cart.tsx';
import { CheckoutScreen } from './checkout.tsx';
import { type OpenShop, openShop, type ShopProfile } from './client.ts';
import { Drawer } from './drawer.tsx';
import { Header } from './header.tsx';
import { Home } from './home.tsx';
import { CollectionScreen, Listing } from './listing.tsx';
import { PlacedScreen } from './placed.tsx';
import { ProductScreen } from './product.tsx';
import { mailedToken } from './server.ts';

type Changed = (items?: number) => void;

interface ScreenProps {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
  readonly change: number;
  readonly changed: Changed;
}

const Screen = ({ shop, address: { screen, name, choice }, change, changed }: ScreenProps) => {
  const screens: Readonly<Record<string, () => preact.JSX.Element>> = {
    '': () => <Home shop={shop} />,
    products: () => <Listing shop={shop} choice={choice} />,
    collection: () => <CollectionScreen key={name} shop={shop} slug={name} />,
    product: () => <ProductScreen key={name} shop={shop} slug={name} bought={changed} />,
    cart: () => <CartScreen shop={shop} change={change} changed={changed} />,
    account: () => <AccountScreen shop={shop} name={name} changed={changed} />,
    checkout: () => <CheckoutScreen shop={shop} changed={changed} />,
    placed: () => <PlacedScreen key={name} shop={shop} id={name} />,
  };
  const shown = Object.hasOwn(screens, screen) ? screens[screen] : undefined;
  return shown ? (
    shown()
  ) : (
    <>
      <h1>There is no such page</h1>
      <a href="#/">To the shop’s first page</a>
    </>
  );
};

const useTitle = (name: string): void =>
  useEffect(() => {
    const tell = (): void => {
      const heading = document.querySelector('main h1')?.textContent ?? '';
      document.title = heading && heading !== name ? `${heading} · ${name}` : name;
    };
    const watch = new MutationObserver(tell);
    watch.observe(document.querySelector('main')!, { subtree: true, childList: true, characterData: true });
    tell();
    return () => watch.disconnect();
  }, [name]);

const Shop = ({ shop }: { readonly shop: OpenShop }) => {
  const address = useAddress(shop.clearRequests);
  const [change, setChange] = useState(0);
  const [count, setCount] = useState(0);
  const [uncounted, setUncounted] = useState(0);
  const changed: Changed = useCallback((items) => {
    if (items === undefined) setUncounted((at) => at + 1);
    else setCount(items);
    setChange((at) => at + 1);
  }, []);
  useTitle(shop.store.name);
  useEffect(() => {
    shop.api.cart.get({ fields: ['item_count'] }).then(
      ({ cart }) => setCount(cart.item_count),
      () => {},
    );
  }, [uncounted]);
  // Another tab may have changed the cart meanwhile.
  useEffect(() => {
    const look = (): void => void (document.visibilityState === 'visible' && changed());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // Keeps the focus in the search field while the shopper types.
    if (!first.current && document.activeElement?.id !== 'search') main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [address.screen, address.name]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        To the content
      </button>
      <Header shop={shop} address={address} count={count} />
      <main id="content" ref={main} tabIndex={-1}>
        <Screen shop={shop} address={address} change={change} changed={changed} />
      </main>
      <Drawer shop={shop} />
    </>
  );
};

const NoShop = () => (
  <main>
    <h1>No demo shop</h1>
    <p>
      This system has no demo store. <code>npm start</code> creates one; <a href="/docs/guides/shop">the guide</a> says
      how to show a store of yours here.
    </p>
  </main>
);

const Unreached = () => (
  <main>
    <h1>Just a moment</h1>
    <p role="alert">The shop cannot be reached.</p>
    <button type="button" onClick={() => location.reload()}>
      Try again
    </button>
  </main>
);

const applyBrand = ({ branding, logo_url: logo, name }: ShopProfile): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(brandStyle(branding));
  document.adoptedStyleSheets = [sheet];
  document.title = name;
  if (logo) document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = logo;
};

const root = document.querySelector('#shop')!;
// A mailed link brings its token to this page; the account screen redeems it.
if (mailedToken() !== null) history.replaceState(history.state, '', `${location.pathname}${location.search}#/account`);
openShop().then(
  (shop) => {
    if (shop) applyBrand(shop.store);
    render(shop ? <Shop shop={shop} /> : <NoShop />, root);
  },
  () => render(<Unreached />, root),
);
