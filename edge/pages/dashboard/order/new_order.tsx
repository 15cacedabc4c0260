// Takes an order by hand, on the phone or at the counter: items, customer, address and delivery. A payment link or the
// counter pays it afterwards.
import { useState } from 'preact/hooks';
import {
  at,
  FormSheet,
  goAfterSave,
  ProblemNote,
  problemAt,
  type ScreenForm,
  useForm,
  useFormats,
  useStore,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { ShippingChoice } from '#proto/client/dashboard.ts';
import { type AddressDraft, AddressFields, addressOf, draftOf } from './address.tsx';
import { type ChosenLine, ChosenLines, ProductPicker, withVariant } from './item_picker.tsx';

interface OrderDraft {
  readonly lines: readonly ChosenLine[];
  readonly email: string;
  readonly ships: boolean;
  readonly address: AddressDraft;
  readonly option: string;
  readonly note: string;
}

const itemsOf = ({ lines }: OrderDraft) => lines.map(({ variant, quantity }) => ({ variant_id: variant, quantity }));

interface PartProps {
  readonly form: ScreenForm<OrderDraft>;
}

const Customer = ({ form: { field, draft, set, problem } }: PartProps) => (
  <Sheet title="Customer">
    <TextField label="E-mail" type="email" {...field('email')} />
    <CheckField label="The order is delivered" {...field('ships')} />
    {draft.ships && (
      <AddressFields
        draft={draft.address}
        change={(address) => set({ address, option: '' })}
        problem={(name) => problemAt(problem, `shipping_address.${name}`)}
      />
    )}
  </Sheet>
);

/** The options that the store offers to the address; another address asks again. */
const Delivery = ({ form: { draft, field } }: PartProps) => {
  const { money } = useFormats();
  const [offer, setOffer] = useState<{ to: AddressDraft; choices: readonly ShippingChoice[] } | null>(null);
  const write = useWrite();
  const { address } = draft;
  const ask = async (): Promise<void> => {
    const answer = await write.run((api) =>
      api.shipping.calculate({
        place_name: [address.line1, address.city, address.state].filter(Boolean).join(', '),
        country_code: address.country,
        ...(address.postal_code === '' ? {} : { postal_code: address.postal_code }),
        items: itemsOf(draft),
      }),
    );
    if (answer) setOffer({ to: address, choices: (answer.options ?? []).filter(({ available }) => available) });
  };
  return (
    <Sheet title="Delivery">
      {offer?.to === address ? (
        <SelectField
          label="Option"
          {...field('option', 'shipping_option_id')}
          options={[
            { value: '', label: 'Standard delivery' },
            ...offer.choices.map(({ id, name, fee }) => ({ value: id, label: `${name}, ${money(fee)}` })),
          ]}
        />
      ) : (
        <div class="row">
          <Button busy={write.busy} disabled={draft.lines.length === 0 || address.city === ''} press={() => void ask()}>
            Show delivery options
          </Button>
        </div>
      )}
      <ProblemNote problem={write.problem} />
    </Sheet>
  );
};

export const NewOrder = () => {
  const { country } = useStore();
  const { money } = useFormats();
  const [first] = useState<OrderDraft>(() => ({
    lines: [],
    email: '',
    ships: true,
    address: draftOf(null, country ?? 'US'),
    option: '',
    note: '',
  }));
  const form = useForm({
    saved: first,
    save: (api, draft) =>
      api.orders.create({
        items: itemsOf(draft),
        email: draft.email,
        ...(draft.ships ? { shipping_address: addressOf(draft.address) } : {}),
        ...(draft.ships && draft.option !== '' ? { shipping_option_id: draft.option } : {}),
        ...(draft.note.trim() === '' ? {} : { note: draft.note }),
      }),
    done: 'The order is placed.',
    after: ({ order }) => goAfterSave(at(`orders/${order.id}`)),
  });
  const { lines, ships } = form.draft;
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return (
    <>
      <PageHead title="New order" up={{ label: 'Orders', to: at('orders') }} />
      <Sheet title="Items">
        <ProductPicker pick={(found) => form.set({ lines: withVariant(lines, found) })} />
        <ChosenLines lines={lines} change={(changed) => form.set({ lines: changed })} />
        {lines.length > 0 && <p>{money(subtotal)} before delivery, promotions and tax</p>}
      </Sheet>
      <FormSheet form={form} action="Place the order" isReady={lines.length > 0}>
        <Customer form={form} />
        {ships && <Delivery form={form} />}
        <Sheet title="Note">
          <LongTextField label="Note for the staff" rows={2} {...form.field('note')} />
        </Sheet>
      </FormSheet>
    </>
  );
};
