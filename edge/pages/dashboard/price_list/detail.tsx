// One price list: for whom and when it counts, and its prices by variant and quantity.
import { useState } from 'preact/hooks';
import { type FoundVariant, ProductPicker } from '#edge/pages/dashboard/order/item_picker.tsx';
import {
  at,
  FormSheet,
  go,
  goAfterSave,
  ProblemNote,
  type ScreenForm,
  type ScreenProps,
  useCan,
  useForm,
  useRecord,
  useStore,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { readNames, type VariantNames } from '#edge/pages/dashboard/wholesale/name.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { NumberField, TextField } from '#edge/pages/design/field.tsx';
import type { DashboardApi, PriceListing } from '#proto/client/dashboard.ts';
import {
  changesOf,
  draftOf,
  emptyPriceList,
  type PriceDraft,
  type PriceListDraft,
  requestOf,
  withPrice,
} from './draft.ts';

const LABELS: Readonly<Record<Exclude<keyof PriceListDraft, 'version'>, string>> = {
  name: 'Name',
  currency: 'Currency',
  customer_group: 'Customer group',
  starts_at: 'Starts',
  ends_at: 'Ends',
  prices: 'Prices',
};

interface PricesProps {
  readonly form: ScreenForm<PriceListDraft>;
  readonly names: VariantNames;
}

const Prices = ({ form, names }: PricesProps) => {
  const can = useCan();
  const { prices, currency } = form.draft;
  const [found, setFound] = useState<VariantNames>(new Map());
  const refused = form.problem?.param ?? '';
  const change = (index: number, part: Partial<PriceDraft>): void =>
    form.set({ prices: prices.map((each, place) => (place === index ? { ...each, ...part } : each)) });
  const add = (variant: FoundVariant): void => {
    setFound(new Map([...found, [variant.variant, variant.name]]));
    form.set({ prices: withPrice(prices, variant) });
  };
  return (
    <Sheet title="Prices">
      {prices.map(({ variant, from, price }, index) => {
        const name = found.get(variant) ?? names.get(variant) ?? 'Deleted variant';
        const problem = (field: string): string | undefined =>
          refused === `prices[${index}].${field}` ? form.problem?.message : undefined;
        return (
          <div key={`${variant} ${index}`} class="pair">
            <NumberField
              label={`${name}, from units`}
              min={1}
              step={1}
              value={from}
              change={(value) => change(index, { from: value })}
              problem={problem('min_quantity')}
            />
            <NumberField
              label={`${name}, price`}
              unit={currency}
              min={0}
              value={price}
              change={(value) => change(index, { price: value })}
              problem={problem('price')}
            />
            <IconButton
              icon="remove"
              label={`Remove ${name} from ${from ?? 1} units`}
              press={() => form.set({ prices: prices.filter((_, place) => place !== index) })}
            />
          </div>
        );
      })}
      {prices.length === 0 && <p class="soft">No price yet.</p>}
      {can('catalog:write') && <ProductPicker pick={add} withoutStock />}
    </Sheet>
  );
};

interface EditorProps {
  readonly saved: PriceListDraft;
  readonly names: VariantNames;
  readonly action: string;
  readonly write: (
    api: DashboardApi,
    draft: PriceListDraft,
    changed: Partial<PriceListDraft>,
  ) => Promise<{ readonly price_list: PriceListing }>;
  readonly reload?: (api: DashboardApi) => Promise<PriceListDraft>;
  readonly after: (list: PriceListing) => void;
}

const Editor = ({ saved, names, action, write, reload, after }: EditorProps) => {
  const can = useCan();
  const { timezone } = useStore();
  const form = useForm({
    saved,
    save: write,
    done: 'The price list is saved.',
    next: ({ price_list }) => ({ version: price_list.updated_at }),
    ...(reload && { reload }),
    after: ({ price_list }) => after(price_list),
  });
  return (
    <FormSheet form={form} labels={LABELS} action={action} canSave={can('catalog:write')}>
      <Sheet>
        <div class="columns">
          <TextField label={LABELS.name} required {...form.field('name')} />
          <TextField label={LABELS.customer_group} advice="Empty: everybody." {...form.field('customer_group')} />
          <TextField
            label={LABELS.currency}
            advice="Baskets in this currency alone have these prices."
            {...form.field('currency')}
          />
          <TextField label={LABELS.starts_at} type="datetime-local" advice={timezone} {...form.field('starts_at')} />
          <TextField label={LABELS.ends_at} type="datetime-local" advice={timezone} {...form.field('ends_at')} />
        </div>
      </Sheet>
      <Prices form={form} names={names} />
    </FormSheet>
  );
};

const UP = { label: 'Price lists', to: 'price-lists' };

export const NewPriceList = () => {
  const { currency, timezone } = useStore();
  return (
    <div class="stack products">
      <PageHead title="New price list" up={{ ...UP, to: at(UP.to) }} />
      <Editor
        saved={emptyPriceList(currency)}
        names={new Map()}
        action="Create"
        write={(api, draft) => api.priceLists.create(requestOf(draft, timezone))}
        after={({ id }) => goAfterSave(at(`price-lists/${id}`))}
      />
    </div>
  );
};

const Delete = ({ id, name }: Pick<PriceListing, 'id' | 'name'>) => {
  const [asked, setAsked] = useState(false);
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const done = await write.run((api) => api.priceLists.delete({ id }), { done: `${name} is deleted.` });
    if (done) go(at('price-lists'), { replace: true });
  };
  return (
    <>
      <Button tone="danger" press={() => setAsked(true)}>
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the price list"
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>Baskets no longer have its prices. Orders keep theirs. It cannot be brought back.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

export const PriceListScreen = ({ params: { id = '' } }: ScreenProps) => {
  const { timezone } = useStore();
  const can = useCan();
  const loaded = useRecord(
    async (api) => {
      const { price_list: list } = await api.priceLists.get({ id });
      return {
        list,
        names: await readNames(
          api,
          list.prices.map(({ variant_id }) => variant_id),
        ),
      };
    },
    [id],
  );
  return (
    <WhenLoaded loaded={loaded}>
      {({ list, names }) => (
        <div class="stack products">
          <PageHead title={list.name} up={{ ...UP, to: at(UP.to) }}>
            {can('catalog:write') && <Delete id={id} name={list.name} />}
          </PageHead>
          <Editor
            key={list.id}
            saved={draftOf(list, timezone)}
            names={names}
            action="Save"
            write={(api, draft, changed) =>
              api.priceLists.update({ id, version: draft.version, ...changesOf(draft, changed, timezone) })
            }
            reload={async (api) => draftOf((await api.priceLists.get({ id })).price_list, timezone)}
            after={loaded.refresh}
          />
        </div>
      )}
    </WhenLoaded>
  );
};
