// A form that shows the same page in another of the store's currencies. A cookie holds the choice, because search engines
// know one address of a page.
import { useEffect, useRef } from 'preact/hooks';
import { currentPath, pathOf, type ScreenAddress } from './address.ts';
import type { OpenShop } from './client.ts';
import { Field } from './component.tsx';
import { currenciesOf, currencyShown, readCurrency } from './currency.ts';
import { useShopPath } from './link.tsx';
import { useWords } from './wording_context.ts';

interface ChoiceProps {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
}

/** Loads the page again if another tab, or a page before this one in the history, has changed the currency. */
const useReload = ({ store, currency }: OpenShop): void =>
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'hidden') return;
      if (currencyShown(store, readCurrency(document.cookie)) !== currency) location.reload();
    };
    document.addEventListener('visibilitychange', look);
    addEventListener('pageshow', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('pageshow', look);
    };
  }, []);

export const CurrencyChoice = ({ shop, address: { screen, name, choice } }: ChoiceProps) => {
  const { text, currencyName } = useWords();
  const page = useRef<HTMLInputElement>(null);
  const action = useShopPath('/currency');
  useReload(shop);
  const currencies = currenciesOf(shop.store);
  if (currencies.length === 1) return null;
  const path = pathOf(name === '' ? screen : `${screen}/${encodeURIComponent(name)}`, choice);
  return (
    <form
      method="post"
      action={action}
      onSubmit={() => {
        // The chosen variant is in the address alone.
        if (page.current) page.current.value = currentPath();
      }}
    >
      <Field label={text('currency')}>
        <select name="currency">
          {currencies.map((each) => (
            <option key={each} value={each} selected={each === shop.currency}>
              {currencyName(each)}
            </option>
          ))}
        </select>
      </Field>
      <input ref={page} type="hidden" name="page" value={path} />
      <button type="submit">{text('change_currency')}</button>
    </form>
  );
};
