// Lets a shopper choose a variant and a quantity, and adds them to the cart.
import { useState } from 'preact/hooks';
import type { Product, Variant } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import { WithoutScript } from './browser_only.tsx';
import type { OpenShop } from './client.ts';
import { Price, QuantityField, useAction } from './component.tsx';
import { cartInCurrency, inCurrency } from './currency.ts';
import { Link, useShopPath } from './link.tsx';
import { recordEvent } from './shopper_event.ts';
import type { Text } from './wording.ts';
import { useWords } from './wording_context.ts';

export interface ShopVariant {
  readonly id: string;
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  readonly price: number | null;
  readonly selling: number | null;
  readonly stock: number;
  readonly picture: string | null;
  readonly lowStockThreshold: number | null;
}

const shopVariant = (variant: Variant): ShopVariant => {
  const options = Object.entries(variant.variant_attributes ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    id: variant.variant_id,
    name: variant.variant_name ?? options.map(([, value]) => value).join(', '),
    options: Object.fromEntries(options),
    price: variant.price,
    selling: variant.selling_price,
    stock: variant.stock,
    picture: variant.thumbnail_url,
    lowStockThreshold: variant.low_stock_threshold,
  };
};

export const variantsOf = (product: Product): readonly ShopVariant[] =>
  product.variants?.length
    ? product.variants.map(shopVariant)
    : [
        {
          id: product.variant_id ?? product.id,
          name: '',
          options: {},
          price: product.price ?? null,
          selling: product.selling_price ?? null,
          stock: product.stock ?? 0,
          picture: null,
          lowStockThreshold: null,
        },
      ];

/** Returns the variant that the address names; without one, the first that can be bought. */
export const firstVariant = (variants: readonly ShopVariant[], id: string | null): ShopVariant =>
  variants.find((each) => each.id === id) ?? variants.find(({ stock }) => stock > 0) ?? variants[0]!;

/** Returns the options with their values; empty if a variant lacks an option or two variants have the same values. */
const choicesOf = (variants: readonly ShopVariant[]): readonly (readonly [string, readonly string[]])[] => {
  const names = Object.keys(variants[0]!.options);
  const marks = new Set(variants.map(({ options }) => JSON.stringify(names.map((name) => options[name]))));
  const whole = variants.every(({ options }) => names.every((name) => options[name] !== undefined));
  if (names.length === 0 || !whole || marks.size < variants.length) return [];
  return names
    .map((name) => [name, [...new Set(variants.map(({ options }) => options[name]!))]] as const)
    .filter(([, values], _, all) => values.length > 1 || all.length === 1);
};

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/**
 * Returns the variant with the new value that is most like the chosen one. Prefers, in this order: equal options before
 * the changed one, stock, equal options after it.
 */
const nearest = (variants: readonly ShopVariant[], chosen: ShopVariant, name: string, value: string): ShopVariant => {
  const names = Object.keys(chosen.options);
  const at = names.indexOf(name);
  const alike = ({ options, stock }: ShopVariant): number =>
    names.reduce(
      (sum, other, index) => {
        if (index === at || options[other] !== chosen.options[other]) return sum;
        return sum + (index < at ? 10_000 : 1);
      },
      stock > 0 ? 100 : 0,
    );
  return variants.filter(({ options }) => options[name] === value).reduce((a, b) => (alike(b) > alike(a) ? b : a));
};

interface ChoiceProps {
  readonly variants: readonly ShopVariant[];
  readonly chosen: ShopVariant;
  readonly choose: (variant: ShopVariant) => void;
}

const OutOfStock = () => <span class="unseen">, {useWords().text('sold_out')}</span>;

const Options = ({ variants, chosen, choose }: ChoiceProps) => (
  <>
    {choicesOf(variants).map(([name, values]) => (
      <fieldset key={name} class="options">
        <legend>{titleOf(name)}</legend>
        {values.map((value) => {
          const target = nearest(variants, chosen, name, value);
          return (
            <label key={value} class={target.stock > 0 ? 'option' : 'option out'}>
              <input
                type="radio"
                name={name}
                checked={chosen.options[name] === value}
                onChange={() => choose(target)}
              />
              <span>
                {value}
                {target.stock <= 0 && <OutOfStock />}
              </span>
            </label>
          );
        })}
      </fieldset>
    ))}
  </>
);

const Names = ({ variants, chosen, choose }: ChoiceProps) => (
  <fieldset class="options">
    <legend>{useWords().text('choose')}</legend>
    {variants.map((each) => (
      <label key={each.id} class={each.stock > 0 ? 'option' : 'option out'}>
        <input type="radio" name="variant" checked={each.id === chosen.id} onChange={() => choose(each)} />
        <span>
          {each.name}
          {each.stock <= 0 && <OutOfStock />}
        </span>
      </label>
    ))}
  </fieldset>
);

const stockSentence = (stock: number, low: number, text: Text): string => {
  if (stock <= 0) return text('sold_out');
  return stock <= low ? text('low_stock', { count: stock }) : text('in_stock');
};

interface LowestPriceProps {
  readonly shop: OpenShop;
  readonly product: string;
  readonly variant: string;
  readonly currency: string;
}

const LOWEST_FIELDS = ['variant_id', 'lowest_price_30d', 'variants.variant_id', 'variants.lowest_price_30d'] as const;

/** The lowest price of the 30 days before the reduction, as the European Union asks; asked for only beside a reduced price. */
const LowestPrice = ({ shop, product, variant, currency }: LowestPriceProps) => {
  const { text, money } = useWords();
  const { value } = useRequest(
    () => inCurrency(shop, (prices) => shop.api.products.get({ id: product, fields: LOWEST_FIELDS, ...prices })),
    [product],
    `lowest/${product}`,
  );
  const lowest = value?.variants?.find((each) => each.variant_id === variant) ?? value;
  const price = lowest?.lowest_price_30d ?? null;
  return price === null ? null : <p class="soft">{text('lowest_before', { price: money(price, currency) })}</p>;
};

interface BuyProps extends ChoiceProps {
  readonly shop: OpenShop;
  readonly product: string;
  readonly name: string;
  readonly currency: string;
  readonly bought: (items: number) => void;
}

export const Buy = ({ shop, product, name, currency, variants, chosen, choose, bought }: BuyProps) => {
  const { text, currencyName } = useWords();
  const [quantity, setQuantity] = useState(1);
  const cart = useShopPath('/cart');
  const { busy, message, run } = useAction();
  const [added, setAdded] = useState(false);
  const add = (): Promise<void> =>
    run(async () => {
      setAdded(false);
      const cart = await cartInCurrency(shop, await shop.api.cart.items.add({ variant_id: chosen.id, quantity }));
      setAdded(true);
      recordEvent(shop, { event_type: 'add_to_cart', variant_id: chosen.id });
      bought(cart.item_count);
      return text('added', { what: `${quantity} × ${name}${chosen.name && `, ${chosen.name}`}` });
    });
  const open = chosen.stock > 0 && chosen.selling !== null;
  const isReduced = chosen.selling !== null && chosen.price !== null && chosen.selling < chosen.price;
  const Choice = choicesOf(variants).length > 0 ? Options : Names;
  return (
    <div class="buy">
      <p>
        <Price selling={chosen.selling} before={chosen.price} currency={currency} />
      </p>
      {isReduced && <LowestPrice shop={shop} product={product} variant={chosen.id} currency={currency} />}
      {variants.length > 1 && <Choice variants={variants} chosen={chosen} choose={choose} />}
      <p class={chosen.stock > 0 ? 'there' : 'gone'}>
        {stockSentence(chosen.stock, chosen.lowStockThreshold ?? shop.store.low_stock_threshold, text)}
      </p>
      {chosen.selling === null && currency !== shop.store.currency && (
        <p class="soft">{text('no_price_in', { currency: currencyName(currency) })}</p>
      )}
      <form
        class="add"
        method="post"
        action={cart}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        {variants.length > 1 && (
          <WithoutScript>
            <select name="variant_id" aria-label={text('variant')}>
              {variants.map(({ id, name: each }) => (
                <option key={id} value={id} selected={id === chosen.id}>
                  {each}
                </option>
              ))}
            </select>
          </WithoutScript>
        )}
        <input type="hidden" name="variant_id" value={chosen.id} />
        <QuantityField
          name={name}
          value={Math.min(quantity, Math.max(1, chosen.stock))}
          most={Math.max(1, chosen.stock)}
          change={setQuantity}
        />
        <button type="submit" class="go" disabled={!open} aria-disabled={busy}>
          {text(open ? 'add_to_cart' : chosen.stock <= 0 ? 'sold_out' : 'not_for_sale')}
        </button>
      </form>
      <p role="status">
        {message} {added && message && <Link to="/cart">{text('to_cart')}</Link>}
      </p>
    </div>
  );
};
