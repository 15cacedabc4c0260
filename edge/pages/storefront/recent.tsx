// Shows the products that the shopper viewed before. The browser alone stores their ids.
import { useState } from 'preact/hooks';
import { useRequest } from './answer.ts';
import { useBrowser } from './browser_only.tsx';
import { Cards } from './card.tsx';
import type { OpenShop } from './client.ts';
import { inCurrency } from './currency.ts';
import { useWords } from './wording_context.ts';

const SEEN = 'stoa-shop-seen';
const STORED_MAX = 12;
const SHOWN_MAX = 4;
const ID = /^[\w-]{1,64}$/;

const seenIds = (): readonly string[] => (localStorage.getItem(SEEN) ?? '').split(' ').filter((id) => ID.test(id));

/** Puts the product before all others. */
export const noteSeen = (id: string): void => {
  const ids = [id, ...seenIds().filter((each) => each !== id)].slice(0, STORED_MAX);
  localStorage.setItem(SEEN, ids.join(' '));
};

interface RecentProps {
  readonly shop: OpenShop;
  /** Id of the product that the page itself shows. */
  readonly without?: string;
}

const Seen = ({ shop, without }: RecentProps) => {
  const [ids] = useState(() =>
    seenIds()
      .filter((id) => id !== without)
      .slice(0, SHOWN_MAX),
  );
  const { text } = useWords();
  const { value } = useRequest(async () => {
    if (ids.length === 0) return [];
    const { products } = await inCurrency(shop, (prices) =>
      shop.api.products.list({ ids, limit: ids.length, ...prices }),
    );
    return products.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  }, [ids.join()]);
  if (!value || value.length === 0) return null;
  return (
    <section aria-labelledby="seen">
      <h2 id="seen">{text('recently_seen')}</h2>
      <Cards products={value} />
    </section>
  );
};

export const RecentlySeen = (props: RecentProps) => (useBrowser() ? <Seen {...props} /> : null);
