// Gift cards: issued with an amount, found by their code, and disabled.
import { useState } from 'preact/hooks';
import { FormSheet, ProblemNote, useCan, useForm, useFormats, useStore, useWrite } from '#edge/pages/dashboard/page.ts';
import { words } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { momentAt } from '#edge/pages/design/day.ts';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { type FieldBinding, NumberField, TextField } from '#edge/pages/design/field.tsx';
import type { Customer, GiftCard } from '#proto/client/dashboard.ts';
import { DiscountTabs } from './tab.tsx';

interface CardProps {
  readonly card: GiftCard;
  readonly show: (card: GiftCard) => void;
}

const Disable = ({ card: { id, code }, show }: CardProps) => {
  const [asked, setAsked] = useState(false);
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.giftCards.update({ id, status: 'disabled' }), {
      done: 'The gift card is disabled.',
    });
    if (!answer) return;
    setAsked(false);
    show(answer.gift_card);
  };
  return (
    <div class="row">
      <Button tone="danger" press={() => setAsked(true)}>
        Disable
      </Button>
      {asked && (
        <Confirm
          title={`Disable ${code}?`}
          action="Disable the card"
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>Its balance stays on it and cannot be spent. This is final.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </div>
  );
};

const Card = ({ card, show }: CardProps) => {
  const can = useCan();
  const { money, moment } = useFormats();
  return (
    <Sheet title="Gift card">
      <Facts
        facts={[
          ['Code', <code key="code">{card.code}</code>],
          [
            'Status',
            <Badge key="status" tone={card.status === 'active' ? 'go' : 'plain'}>
              {words(card.status)}
            </Badge>,
          ],
          ['Balance', `${money(card.balance, card.currency)} of ${money(card.initial_amount, card.currency)}`],
          ['Issued', moment(card.created_at)],
          ['Expires', card.expires_at === null ? 'Never' : moment(card.expires_at)],
        ]}
      />
      {card.status === 'active' && can('payments:write') && <Disable card={card} show={show} />}
    </Sheet>
  );
};

const FindCard = ({ show }: Pick<CardProps, 'show'>) => {
  const [code, setCode] = useState('');
  const write = useWrite();
  const find = async (): Promise<void> => {
    const answer = await write.run((api) => api.giftCards.list({ code }));
    if (answer?.gift_card) show(answer.gift_card);
  };
  return (
    <Sheet title="Find a card">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void find();
        }}
      >
        <TextField
          label="Code"
          value={code}
          change={setCode}
          advice="In any letter case, with or without hyphens."
          problem={write.problem?.param === 'code' ? write.problem.message : undefined}
        />
        {write.problem?.param !== 'code' && <ProblemNote problem={write.problem} />}
        <div class="row">
          <Button submits busy={write.busy} disabled={code.trim() === ''}>
            Find
          </Button>
        </div>
      </form>
    </Sheet>
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

const IssueCard = ({ show }: Pick<CardProps, 'show'>) => {
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
      show(gift_card);
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
      {card && <Card key={card.id} card={card} show={setCard} />}
      <FindCard show={setCard} />
      {can('payments:write') && <IssueCard show={setCard} />}
    </div>
  );
};
