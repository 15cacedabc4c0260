// Currencies in which products are shown beside the store's own, with their exchange rates.
import { useState } from 'preact/hooks';
import {
  FormSheet,
  ProblemNote,
  useCan,
  useDashboard,
  useForm,
  useFormats,
  useRecord,
  useStore,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { isTestKey } from '#edge/pages/dashboard/session.ts';
import { TEST_KEY_NOTE } from '#edge/pages/dashboard/shared.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { Empty, Note, Sheet, Skeleton } from '#edge/pages/design/display.tsx';
import { NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { Menu } from '#edge/pages/design/menu.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { DashboardApi, StoreCurrency, StoreExchangeRate } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

/** A currency of the store, or a rate of one that the store does not show. */
interface Row {
  readonly currency: string;
  readonly prices: StoreCurrency['prices'] | null;
  readonly rate: StoreExchangeRate | null;
}

const rowsOf = (currencies: readonly StoreCurrency[], rates: readonly StoreExchangeRate[]): readonly Row[] => {
  const shown = currencies.map(({ currency, prices }) => ({
    currency,
    prices,
    rate: rates.find((rate) => rate.currency === currency) ?? null,
  }));
  const others = rates.filter(({ currency }) => !currencies.some((each) => each.currency === currency));
  return [...shown, ...others.map((rate) => ({ currency: rate.currency, prices: null, rate }))];
};

const PRICES = [
  { value: 'rate', label: 'Converted by the rate' },
  { value: 'fixed', label: 'Fixed in price lists' },
];

const ENDINGS = [
  { value: '', label: 'To the smallest unit' },
  { value: '0.99', label: 'Ending in .99' },
  { value: '0.95', label: 'Ending in .95' },
  { value: '0.90', label: 'Ending in .90' },
  { value: '1', label: 'Whole numbers' },
  { value: '10', label: 'Multiples of 10' },
  { value: '50', label: 'Multiples of 50' },
  { value: '100', label: 'Multiples of 100' },
];

const endingsWith = (ending: string) =>
  ENDINGS.some(({ value }) => value === ending) ? ENDINGS : [...ENDINGS, { value: ending, label: ending }];

const withCurrency = (
  currencies: readonly StoreCurrency[],
  currency: string,
  prices: StoreCurrency['prices'],
): readonly StoreCurrency[] =>
  currencies.some((each) => each.currency === currency)
    ? currencies.map((each) => (each.currency === currency ? { currency, prices } : each))
    : [...currencies, { currency, prices }];

interface CurrencyDialogProps {
  /** Null for a new one. */
  readonly row: Row | null;
  readonly close: () => void;
  readonly saved: () => void;
}

/** Changes the currencies as they are then: another person may have added one since this screen was read. */
const changeCurrencies = async (
  api: DashboardApi,
  change: (now: readonly StoreCurrency[]) => readonly StoreCurrency[],
): Promise<void> => {
  const { currencies, updated_at } = (await api.store.get()).store;
  await api.store.update({ currencies: change(currencies), ...(updated_at && { version: updated_at }) });
};

const CurrencyDialog = ({ row, close, saved }: CurrencyDialogProps) => {
  const { currency: own, currencies } = useStore();
  const dashboard = useDashboard();
  const rate = row?.rate ?? null;
  const form = useForm({
    saved: {
      currency: row?.currency ?? '',
      prices: (row?.prices ?? 'rate') as string,
      rate: (rate?.rate ?? null) as number | null,
      ending: rate?.rounding?.to ?? '',
      max_age_hours: (rate?.max_age_hours ?? 24) as number | null,
    },
    save: async (api: DashboardApi, draft) => {
      const currency = draft.currency.trim().toUpperCase();
      const prices = draft.prices === 'fixed' ? 'fixed' : 'rate';
      const saved = await api.exchangeRates.put({
        currency,
        rate: draft.rate ?? 0,
        rounding: draft.ending === '' ? null : { to: draft.ending },
        ...(draft.max_age_hours === null ? {} : { max_age_hours: draft.max_age_hours }),
      });
      // Both environments share the list of currencies; rates are separate.
      if (!currencies.some((each) => each.currency === currency && each.prices === prices))
        await changeCurrencies(dashboard.sharedApi, (now) => withCurrency(now, currency, prices));
      return saved;
    },
    done: 'The currency is saved.',
    after: saved,
  });
  const code = form.draft.currency.trim().toUpperCase() || 'the currency';
  return (
    <Dialog title={row ? row.currency : 'New currency'} close={close} wide>
      <FormSheet form={form}>
        <div class="columns">
          {row === null && (
            <TextField label="Currency" advice="Three letters, such as EUR." {...form.field('currency')} />
          )}
          {!isTestKey(dashboard) && (
            <SelectField label="Prices" options={PRICES} {...form.field('prices', 'currencies')} />
          )}
          <NumberField
            label="Rate"
            advice={`How much of ${code} is worth one ${own}.`}
            min={0}
            {...form.field('rate')}
          />
          <SelectField
            label="Converted prices are rounded"
            options={endingsWith(form.draft.ending)}
            {...form.field('ending', 'rounding.to')}
          />
          <NumberField
            label="The rate is valid for"
            unit="hours"
            min={1}
            max={8_760}
            step={1}
            {...form.field('max_age_hours')}
          />
        </div>
      </FormSheet>
    </Dialog>
  );
};

type Shown =
  | { readonly kind: 'edit'; readonly row: Row | null }
  | { readonly kind: 'delete'; readonly row: Row }
  | null;

const priceLabel = (prices: Row['prices']): string =>
  PRICES.find(({ value }) => value === prices)?.label ?? 'Not shown';

interface ActionsProps {
  readonly row: Row;
  readonly isReadOnly: boolean;
  readonly show: (shown: Shown) => void;
}

const Actions = ({ row, isReadOnly, show }: ActionsProps) => (
  <Menu
    label="Actions"
    items={[
      { label: 'Edit', press: () => show({ kind: 'edit', row }) },
      ...(isReadOnly ? [] : [{ label: 'Remove', press: () => show({ kind: 'delete', row }) }]),
    ]}
  />
);

interface CurrencyTableProps extends Omit<ActionsProps, 'row'> {
  readonly rows: readonly Row[];
}

const CurrencyTable = ({ rows, isReadOnly, show }: CurrencyTableProps) => {
  const can = useCan();
  const { moment } = useFormats();
  return (
    <Table<Row>
      label="Currencies"
      rows={rows}
      idOf={({ currency }) => currency}
      columns={[
        { id: 'currency', name: 'Currency', cell: ({ currency }) => currency },
        { id: 'prices', name: 'Prices', cell: ({ prices }) => priceLabel(prices) },
        { id: 'rate', name: 'Rate', number: true, cell: ({ rate }) => (rate ? String(rate.rate) : 'None') },
        { id: 'rounding', name: 'Rounded to', desk: true, cell: ({ rate }) => rate?.rounding?.to ?? '–' },
        {
          id: 'until',
          name: 'Valid until',
          desk: true,
          cell: ({ rate }) => (rate ? moment(rate.expires_at) : '–'),
        },
        {
          id: 'action',
          name: 'Actions',
          cell: (row) => can('store:write') && <Actions row={row} isReadOnly={isReadOnly} show={show} />,
        },
      ]}
    />
  );
};

export const Currencies = () => {
  const can = useCan();
  const { currencies } = useStore();
  const dashboard = useDashboard();
  const { refreshStore, sharedApi } = dashboard;
  const isReadOnly = isTestKey(dashboard);
  const { value, problem, refresh } = useRecord((api) => api.exchangeRates.list(), []);
  const [shown, show] = useState<Shown>(null);
  const write = useWrite();
  const changed = (): void => {
    show(null);
    void refreshStore();
    refresh();
  };
  const remove = async ({ currency, prices, rate }: Row): Promise<void> => {
    const gone = await write.run(
      async (api) => {
        if (prices !== null)
          await changeCurrencies(sharedApi, (now) => now.filter((each) => each.currency !== currency));
        if (rate !== null) await api.exchangeRates.delete({ currency });
        return true;
      },
      { done: 'The currency is removed.' },
    );
    if (gone) changed();
  };
  const rows = value && rowsOf(currencies, value.exchange_rates);
  return (
    <>
      <SettingsHead title="Currencies">
        {can('store:write') && !isReadOnly && (
          <Button tone="primary" icon="add" press={() => show({ kind: 'edit', row: null })}>
            New currency
          </Button>
        )}
      </SettingsHead>
      {isReadOnly && <Note tone="warn">{TEST_KEY_NOTE}</Note>}
      <ProblemNote problem={problem} again={refresh} />
      {!rows && !problem && <Skeleton lines={5} />}
      {rows && (
        <Sheet flush>
          {rows.length === 0 && (
            <Empty title="No further currency yet" icon="tax">
              <p>Products are shown in the store’s own currency alone.</p>
            </Empty>
          )}
          {rows.length > 0 && <CurrencyTable rows={rows} isReadOnly={isReadOnly} show={show} />}
        </Sheet>
      )}
      {shown?.kind === 'edit' && <CurrencyDialog row={shown.row} close={() => show(null)} saved={changed} />}
      {shown?.kind === 'delete' && (
        <Confirm
          title={`Remove ${shown.row.currency}?`}
          action="Remove"
          busy={write.busy}
          confirm={() => void remove(shown.row)}
          close={() => show(null)}
        >
          <p>Its prices are no longer shown, and its rate is deleted in this environment.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};
