// A buyer's request, which the store answers with a quote.
import {
  at,
  FormSheet,
  goAfterSave,
  type ScreenProps,
  useCan,
  useForm,
  useFormats,
  useRecord,
  useStore,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { LongTextField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { CreateWholesaleQuoteRequest, Rfq, RfqItem } from '#proto/client/dashboard.ts';
import { Buyer, DealBadge } from './deal.tsx';
import { readNames, type VariantNames } from './name.ts';
import { TERMS, termOf, validUntil } from './term.ts';

interface RequestProps {
  readonly rfq: Rfq;
  readonly names: VariantNames;
}

interface QuoteDraft {
  readonly prices: readonly (number | null)[];
  readonly terms: string;
  readonly until: string;
  readonly note: string;
}

const QuoteForm = ({ rfq, names }: RequestProps) => {
  const { money } = useFormats();
  const { currency, timezone } = useStore();
  const form = useForm<QuoteDraft, { readonly data: { readonly id: string } }>({
    saved: {
      prices: rfq.items.map(({ target_unit_price }) => target_unit_price),
      terms: 'net_30',
      until: '',
      note: '',
    },
    save: (api, { prices, terms, until, note }) => {
      const items = rfq.items.map(({ variant_id, quantity }, index) => {
        const unit_price = prices[index];
        // A price that is left out is refused by its place.
        return { variant_id, quantity, ...(unit_price == null ? {} : { unit_price }) };
      }) as CreateWholesaleQuoteRequest['items'];
      return api.b2b.quotes.create({
        rfq_id: rfq.id,
        items,
        payment_terms: termOf(terms),
        ...(until === '' ? {} : { valid_until: validUntil(until, timezone) }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      });
    },
    done: 'The quote is sent.',
    after: ({ data }) => goAfterSave(at(`wholesale/quotes/${data.id}`)),
  });
  const { prices } = form.draft;
  const sum = rfq.items.reduce((total, { quantity }, index) => total + quantity * (prices[index] ?? 0), 0);
  return (
    <FormSheet form={form} action="Send the quote">
      <Sheet title="Your quote">
        {rfq.items.map((item, index) => (
          <NumberField
            key={item.variant_id}
            label={`${names.get(item.variant_id) ?? item.variant_id}, each`}
            unit={`${currency} × ${item.quantity}`}
            min={0}
            {...form.field('prices', `items[${index}].unit_price`)}
            value={prices[index] ?? null}
            change={(price) => form.set({ prices: prices.with(index, price) })}
          />
        ))}
        <p>
          Sum: <b>{money(sum)}</b>
        </p>
        <div class="columns">
          <SelectField label="Payment terms" options={TERMS} {...form.field('terms', 'payment_terms')} />
          <TextField
            label="Valid until"
            type="date"
            advice="Through this day. Empty: 30 days."
            {...form.field('until', 'valid_until')}
          />
        </div>
        <LongTextField label="Note to the buyer" rows={3} {...form.field('note')} />
      </Sheet>
    </FormSheet>
  );
};

const Wanted = ({ rfq, names }: RequestProps) => {
  const { money, number } = useFormats();
  return (
    <Sheet title="Wanted" flush>
      <Table<RfqItem>
        label="Wanted items"
        rows={rfq.items}
        idOf={({ variant_id }) => variant_id}
        columns={[
          { id: 'name', name: 'Item', cell: ({ variant_id }) => names.get(variant_id) ?? variant_id },
          { id: 'units', name: 'Units', number: true, cell: ({ quantity }) => number(quantity) },
          {
            id: 'target',
            name: 'Hoped-for price',
            number: true,
            cell: ({ target_unit_price }) => (target_unit_price === null ? '–' : money(target_unit_price)),
          },
        ]}
      />
    </Sheet>
  );
};

export const RfqScreen = ({ params: { id = '' } }: ScreenProps) => {
  const can = useCan();
  const { moment } = useFormats();
  const loaded = useRecord(
    async (api) => {
      const { data } = await api.b2b.rfqs.get({ id });
      return {
        rfq: data,
        names: await readNames(
          api,
          data.items.map(({ variant_id }) => variant_id),
        ),
      };
    },
    [id],
  );
  return (
    <WhenLoaded loaded={loaded}>
      {({ rfq, names }) => (
        <>
          <PageHead
            title={`Request ${rfq.rfq_number}`}
            up={{ label: 'Requests', to: at('wholesale', { kind: 'requests' }) }}
            badge={<DealBadge status={rfq.status} />}
          />
          <Sheet>
            <Facts
              facts={[
                ['Buyer', <Buyer key="buyer" id={rfq.customer_id} />],
                ['Received', moment(rfq.created_at)],
                ['Note', rfq.note ?? '–'],
              ]}
            />
          </Sheet>
          <Wanted rfq={rfq} names={names} />
          {can('b2b:write') && (rfq.status === 'submitted' || rfq.status === 'quoted') && (
            <QuoteForm key={rfq.id} rfq={rfq} names={names} />
          )}
        </>
      )}
    </WhenLoaded>
  );
};
