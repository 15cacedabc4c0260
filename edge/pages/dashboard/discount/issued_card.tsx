// The gift cards that the store issued: searched by the last characters of their codes, filtered by status, and disabled.
import { useState } from 'preact/hooks';
import {
  at,
  ChoiceFilter,
  FilterBar,
  ListTable,
  ProblemNote,
  SearchFilter,
  useCan,
  useFilters,
  useFormats,
  useList,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { optionsOf, words } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, Empty, type Tone } from '#edge/pages/design/display.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { IssuedGiftCard } from '#proto/client/dashboard.ts';

type CardStatus = IssuedGiftCard['status'];

const STATUSES: readonly CardStatus[] = ['active', 'redeemed', 'expired', 'disabled'];
const TONES: Readonly<Partial<Record<CardStatus, Tone>>> = { active: 'go', expired: 'warn' };

const useCardFilters = () => {
  const [query] = useFilters();
  const search = query.get('search');
  const status = STATUSES.find((each) => each === query.get('status'));
  const customer_id = query.get('customer_id');
  return {
    ...(search ? { search } : {}),
    ...(status ? { status } : {}),
    ...(customer_id ? { customer_id } : {}),
  };
};

interface DisableProps {
  readonly card: IssuedGiftCard;
  readonly close: () => void;
  readonly disabled: () => void;
}

const Disable = ({ card: { id, code_last4, balance, currency }, close, disabled }: DisableProps) => {
  const { money } = useFormats();
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.giftCards.update({ id, status: 'disabled' }), {
      done: 'The gift card is disabled.',
    });
    if (answer) disabled();
  };
  return (
    <Confirm
      title={`Disable the card that ends in ${code_last4}?`}
      action="Disable the card"
      busy={write.busy}
      confirm={() => void confirm()}
      close={close}
    >
      <p>Its {money(balance, currency)} stay on it and cannot be spent. This is final.</p>
      <ProblemNote problem={write.problem} />
    </Confirm>
  );
};

const useColumns = (disable: (card: IssuedGiftCard) => void): readonly TableColumn<IssuedGiftCard>[] => {
  const { money, moment } = useFormats();
  const can = useCan();
  return [
    { id: 'code', name: 'Code', cell: ({ code_last4 }) => <code>…{code_last4}</code> },
    {
      id: 'status',
      name: 'Status',
      cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{words(status)}</Badge>,
    },
    {
      id: 'balance',
      name: 'Balance',
      cell: ({ balance, initial_amount, currency }) =>
        balance === initial_amount
          ? money(balance, currency)
          : `${money(balance, currency)} of ${money(initial_amount, currency)}`,
      number: true,
    },
    { id: 'issued', name: 'Issued', cell: ({ created_at }) => moment(created_at), desk: true },
    {
      id: 'expires',
      name: 'Expires',
      cell: ({ expires_at }) => (expires_at === null ? <span class="soft">never</span> : moment(expires_at)),
      desk: true,
    },
    ...(can('customers:read')
      ? [
          {
            id: 'customer',
            name: 'Customer',
            cell: ({ customer_id, code_last4 }: IssuedGiftCard) =>
              customer_id && (
                <a href={at(`customers/${customer_id}`)}>
                  The customer<span class="unseen"> of {code_last4}</span>
                </a>
              ),
            desk: true,
          },
        ]
      : []),
    ...(can('payments:write')
      ? [
          {
            id: 'disable',
            name: 'Change',
            cell: (card: IssuedGiftCard) =>
              card.status === 'active' && (
                <Button press={() => disable(card)}>
                  Disable<span class="unseen"> {card.code_last4}</span>
                </Button>
              ),
            number: true,
          },
        ]
      : []),
  ];
};

/** `turn` is another value after each card that was issued. */
export const IssuedCards = ({ turn }: { readonly turn: string | undefined }) => {
  const filters = useCardFilters();
  const list = useList((api, page) => api.giftCards.issued.list({ ...page, ...filters }), 'gift_cards', [
    JSON.stringify(filters),
    turn,
  ]);
  const [disabling, setDisabling] = useState<IssuedGiftCard | null>(null);
  const columns = useColumns(setDisabling);
  return (
    <>
      <FilterBar>
        <SearchFilter name="search" label="Search" placeholder="Last characters, or the code" />
        <ChoiceFilter name="status" label="Status" options={optionsOf(STATUSES)} />
      </FilterBar>
      {filters.customer_id && (
        <p>
          Cards of one customer. <a href={at('discounts/gift-cards')}>All cards</a>
        </p>
      )}
      <ListTable
        label="Gift cards"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ code_last4 }) => code_last4}
        empty={
          <Empty title="No gift card" icon="discount">
            <p>Cards that the store issues are listed here.</p>
          </Empty>
        }
      />
      {disabling && (
        <Disable
          card={disabling}
          close={() => setDisabling(null)}
          disabled={() => {
            setDisabling(null);
            list.refresh();
          }}
        />
      )}
    </>
  );
};
