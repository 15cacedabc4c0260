// Gift cards: issued with an amount, listed, and disabled.
import { useState } from 'preact/hooks';
import { FormSheet, useCan, useForm, useFormats, useStore, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { momentAt } from '#edge/pages/design/day.ts';
import { Empty, Note, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { type FieldBinding, NumberField, TextField } from '#edge/pages/design/field.tsx';
import type { Customer, GiftCard } from '#proto/client/dashboard.ts';
import { IssuedCards } from './issued_card.tsx';
import { DiscountTabs } from './tab.tsx';

/** The card that was just issued: its code is shown this once. */
const NewCard = ({ card }: { readonly card: GiftCard }) => {
  const { money } = useFormats();
  return (
    <Note tone="go">
      <b>A card of {money(card.initial_amount, card.currency)} is issued.</b>
      <code>{card.code}</code>
      <span>Send the code to its buyer now. The list shows its last characters alone.</span>
    </Note>
  );
};

interface CardDraft {
  readonly amount: number | null;
  readonly currency: string;
  readonly expires_at: string;
  readonly customer: Customer | null;
}

/** The customer whose account lists the card; found by the e-mail address. */
const CustomerField = ({ value, change, problem }: FieldBinding<Customer | null>) => {
  const [email, setEmail] = useState('');
  const found = useWrite();
  const [missing, setMissing] = useState(false);
  const find = async (): Promise<void> => {
    const answer = await found.run((api) => api.customers.list({ email: email.trim(), limit: 1 }));
    const [customer = null] = answer?.customers ?? [];
    setMissing(answer !== undefined && customer === null);
    change(customer);
  };
  if (value)
    return (
      <div class="row">
        <span>For {value.email}</span>
        <Button press={() => change(null)}>Choose no customer</Button>
      </div>
    );
  return (
    <div class="stack">
      <TextField
        label="Customer's e-mail"
        type="email"
        advice="Empty: a card without a customer."
        value={email}
        change={setEmail}
        problem={problem ?? found.problem?.message ?? (missing ? `No customer has the address ${email}.` : undefined)}
      />
      <div class="row">
        <Button busy={found.busy} disabled={email.trim() === ''} press={() => void find()}>
          Choose the customer
        </Button>
      </div>
    </div>
  );
};

const IssueCard = ({ issued }: { readonly issued: (card: GiftCard) => void }) => {
  const { currency, timezone } = useStore();
  const first: CardDraft = { amount: null, currency, expires_at: '', customer: null };
  const form = useForm({
    saved: first,
    save: (api, { amount, customer, ...draft }) =>
      api.giftCards.create({
        // The API refuses an amount of 0 at its field.
        amount: amount ?? 0,
        currency: draft.currency,
        expires_at: momentAt(draft.expires_at, timezone),
        ...(customer ? { customer_id: customer.id } : {}),
      }),
    done: 'The gift card is issued.',
    after: ({ gift_card }) => {
      form.reset(first);
      issued(gift_card);
    },
  });
  return (
    <Sheet title="Issue a card">
      <FormSheet form={form} action="Issue">
        <div class="columns">
          <NumberField label="Amount" required unit={form.draft.currency} min={0} {...form.field('amount')} />
          <TextField label="Currency" {...form.field('currency')} />
          <TextField label="Expires" type="datetime-local" advice={timezone} {...form.field('expires_at')} />
        </div>
        <CustomerField {...form.field('customer', 'customer_id')} />
      </FormSheet>
    </Sheet>
  );
};

export const GiftCards = () => {
  const can = useCan();
  const [card, setCard] = useState<GiftCard | null>(null);
  return (
    <div class="stack discounts">
      <PageHead title="Discounts" />
      <DiscountTabs />
      {card && <NewCard key={card.id} card={card} />}
      {can('payments:read') ? (
        <IssuedCards turn={card?.id} />
      ) : (
        <Empty title="Your role sees no gift cards" icon="discount">
          <p>An owner can change your role.</p>
        </Empty>
      )}
      {can('payments:write') && <IssueCard issued={setCard} />}
    </div>
  );
};
