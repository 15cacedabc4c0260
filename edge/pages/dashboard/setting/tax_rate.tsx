// Tax rates by country, state and postal code.
import { useState } from 'preact/hooks';
import {
  FormSheet,
  ListTable,
  ProblemNote,
  useCan,
  useForm,
  useFormats,
  useList,
  useStore,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { Empty } from '#edge/pages/design/display.tsx';
import { CheckField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { Menu } from '#edge/pages/design/menu.tsx';
import { COUNTRIES, countryName } from '#edge/pages/storefront/country.ts';
import type { DashboardApi, StoreTaxRate } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

interface RateDialogProps {
  /** Null for a new one. */
  readonly rate: StoreTaxRate | null;
  readonly close: () => void;
  readonly saved: () => void;
}

/** Rates have six decimals at most; a percentage has four. */
const shareOf = (percent: number | null): number => Math.round((percent ?? 0) * 10_000) / 1_000_000;
const percentOf = (share: number): number => Math.round(share * 1_000_000) / 10_000;

interface RateDraft {
  readonly name: string;
  readonly country: string;
  readonly state: string;
  readonly postal_prefix: string;
  readonly percent: number | null;
  readonly applies_to_shipping: boolean;
  readonly priority: number | null;
  readonly compound: boolean;
  /** The `updated_at` of the rate that the draft began from; empty for a new one. */
  readonly version: string;
}

const LABELS: Readonly<Record<Exclude<keyof RateDraft, 'version'>, string>> = {
  name: 'Name',
  country: 'Country',
  state: 'State',
  postal_prefix: 'Postal codes that begin with',
  percent: 'Rate',
  applies_to_shipping: 'Delivery is taxed, too',
  priority: 'Priority',
  compound: 'Taken on top of the taxes before it',
};

const draftOf = (rate: StoreTaxRate | null, country: string): RateDraft => ({
  name: rate?.name ?? '',
  country: rate?.country ?? country,
  state: rate?.state ?? '',
  postal_prefix: rate?.postal_prefix ?? '',
  percent: rate && percentOf(rate.rate),
  applies_to_shipping: rate?.applies_to_shipping ?? false,
  priority: rate?.priority ?? 0,
  compound: rate?.compound ?? false,
  version: rate?.updated_at ?? '',
});

const findRate = async (api: DashboardApi, id: string): Promise<StoreTaxRate | null> => {
  for await (const rate of api.taxRates.list({ limit: 100 })) if (rate.id === id) return rate;
  return null;
};

const RateDialog = ({ rate, close, saved }: RateDialogProps) => {
  const store = useStore();
  const country = store.country ?? 'US';
  const form = useForm({
    saved: draftOf(rate, country),
    save: (api, { percent, state, postal_prefix, priority, version, ...draft }) => {
      const request = {
        ...draft,
        rate: shareOf(percent),
        state: state.trim() === '' ? null : state,
        postal_prefix: postal_prefix.trim() === '' ? null : postal_prefix,
        priority: priority ?? 0,
      };
      return rate ? api.taxRates.update({ id: rate.id, version, ...request }) : api.taxRates.create(request);
    },
    done: 'The tax rate is saved.',
    reload: async (api) => {
      const now = rate && (await findRate(api, rate.id));
      return now && draftOf(now, country);
    },
    after: saved,
  });
  return (
    <Dialog title={rate ? rate.name : 'New tax rate'} close={close} wide>
      <FormSheet form={form} labels={LABELS} close={close}>
        <div class="columns">
          <TextField label="Name" placeholder="VAT" {...form.field('name')} />
          <NumberField label="Rate" unit="%" min={0} max={100} {...form.field('percent', 'rate')} />
          <SelectField
            label="Country"
            options={COUNTRIES.map(([value, label]) => ({ value, label }))}
            {...form.field('country')}
          />
          <TextField label="State" advice="Empty: all of the country." {...form.field('state')} />
          <TextField label="Postal codes that begin with" {...form.field('postal_prefix')} />
          <NumberField label="Priority" advice="Lower ones are taken first." step={1} {...form.field('priority')} />
        </div>
        <CheckField label="Delivery is taxed, too" {...form.field('applies_to_shipping')} />
        <CheckField label="Taken on top of the taxes before it" {...form.field('compound')} />
      </FormSheet>
    </Dialog>
  );
};

type Shown =
  | { readonly kind: 'edit'; readonly rate: StoreTaxRate | null }
  | { readonly kind: 'delete'; readonly rate: StoreTaxRate }
  | null;

export const TaxRates = () => {
  const can = useCan();
  const { percent, number } = useFormats();
  const list = useList((api, page) => api.taxRates.list(page), 'tax_rates', []);
  const [shown, show] = useState<Shown>(null);
  const write = useWrite();
  const changed = (): void => {
    show(null);
    list.refresh();
  };
  const remove = async (id: string): Promise<void> => {
    const gone = await write.run((api) => api.taxRates.delete({ id }), { done: 'The tax rate is deleted.' });
    if (gone) changed();
  };
  return (
    <>
      <SettingsHead title="Taxes">
        {can('catalog:write') && (
          <Button tone="primary" icon="add" press={() => show({ kind: 'edit', rate: null })}>
            New tax rate
          </Button>
        )}
      </SettingsHead>
      <ListTable<StoreTaxRate>
        label="Tax rates"
        list={list}
        idOf={({ id }) => id}
        empty={
          <Empty title="No tax rate yet" icon="tax">
            <p>Without one, orders are not taxed.</p>
          </Empty>
        }
        columns={[
          { id: 'name', name: 'Tax', cell: ({ name }) => name },
          { id: 'rate', name: 'Rate', number: true, cell: ({ rate }) => percent(rate) },
          {
            id: 'place',
            name: 'Where',
            cell: ({ country, state, postal_prefix }) =>
              [countryName(country), state, postal_prefix && `${postal_prefix}…`].filter(Boolean).join(', '),
          },
          { id: 'priority', name: 'Priority', number: true, desk: true, cell: ({ priority }) => number(priority) },
          {
            id: 'action',
            name: 'Actions',
            cell: (rate) =>
              can('catalog:write') && (
                <Menu
                  label="Actions"
                  items={[
                    { label: 'Edit', press: () => show({ kind: 'edit', rate }) },
                    { label: 'Delete', press: () => show({ kind: 'delete', rate }) },
                  ]}
                />
              ),
          },
        ]}
      />
      {shown?.kind === 'edit' && <RateDialog rate={shown.rate} close={() => show(null)} saved={changed} />}
      {shown?.kind === 'delete' && (
        <Confirm
          title={`Delete ${shown.rate.name}?`}
          action="Delete"
          busy={write.busy}
          confirm={() => void remove(shown.rate.id)}
          close={() => show(null)}
        >
          <p>Orders that were placed keep their tax.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};
