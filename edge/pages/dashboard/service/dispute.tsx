// One dispute: what the customer says about an order, and how the store settles it.
import {
  at,
  FormSheet,
  ProblemNote,
  type ScreenProps,
  useCan,
  useForm,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { StatusBadge, words } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { LongTextField, NumberField, SelectField } from '#edge/pages/design/field.tsx';
import type { OrderDispute } from '#proto/client/dashboard.ts';

type Settlement = 'refund' | 'replacement' | 'store_credit' | 'none' | 'rejected';

const SETTLEMENTS: readonly { readonly value: Settlement; readonly label: string }[] = [
  { value: 'refund', label: 'Refund' },
  { value: 'replacement', label: 'Replacement' },
  { value: 'store_credit', label: 'Store credit' },
  { value: 'none', label: 'Resolved without a payment' },
  { value: 'rejected', label: 'Reject the dispute' },
];

const takesAmount = (settlement: string): boolean => settlement === 'refund' || settlement === 'store_credit';

const Settle = ({ dispute, refresh }: { readonly dispute: OrderDispute; readonly refresh: () => void }) => {
  const form = useForm({
    saved: { settlement: 'refund' as string, amount: null as number | null, note: dispute.note ?? '' },
    save: (api, { settlement, amount, note }) =>
      api.disputes.update({
        id: dispute.id,
        ...(settlement === 'rejected'
          ? { status: 'rejected' as const }
          : { status: 'resolved' as const, resolution: settlement as Exclude<Settlement, 'rejected'> }),
        ...(takesAmount(settlement) ? { amount } : {}),
        ...(note.trim() === '' ? {} : { note }),
      }),
    done: 'The dispute is settled.',
    after: refresh,
  });
  return (
    <Sheet title="Settle">
      <FormSheet form={form} action="Settle the dispute">
        <SelectField label="Settlement" options={SETTLEMENTS} {...form.field('settlement', 'resolution')} />
        {takesAmount(form.draft.settlement) && <NumberField label="Amount" min={0} {...form.field('amount')} />}
        <LongTextField label="Note for the customer" rows={3} {...form.field('note')} />
      </FormSheet>
    </Sheet>
  );
};

const OPEN = ['open', 'under_review'];

const DisputeParts = ({ dispute, refresh }: { readonly dispute: OrderDispute; readonly refresh: () => void }) => {
  const { moment, number } = useFormats();
  const can = useCan();
  const write = useWrite();
  const review = async (): Promise<void> => {
    const saved = await write.run((api) => api.disputes.update({ id: dispute.id, status: 'under_review' }), {
      done: 'The dispute is under review.',
    });
    if (saved) refresh();
  };
  const isOpen = OPEN.includes(dispute.status);
  return (
    <>
      <PageHead
        title={`Dispute: ${words(dispute.reason_code)}`}
        up={{ label: 'Disputes', to: at('service', { kind: 'disputes' }) }}
        badge={<StatusBadge status={dispute.status} />}
      >
        {can('returns:write') && dispute.status === 'open' && (
          <Button busy={write.busy} press={() => void review()}>
            Begin the review
          </Button>
        )}
      </PageHead>
      <ProblemNote problem={write.problem} />
      <Sheet title="Request">
        <Facts
          facts={[
            ['Opened', moment(dispute.created_at)],
            [
              'Order',
              <a key="order" href={at(`orders/${dispute.order_id}`)}>
                Show the order
              </a>,
            ],
            ...(dispute.resolution ? ([['Resolution', words(dispute.resolution)]] as const) : []),
            ...(dispute.amount === null ? [] : ([['Amount', number(dispute.amount)]] as const)),
            ...(dispute.resolved_at ? ([['Settled', moment(dispute.resolved_at)]] as const) : []),
          ]}
        />
        <p>{dispute.description}</p>
        {dispute.evidence_urls.map((url) => (
          <a key={url} href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        ))}
        {dispute.note && <p class="soft">Note for the customer: {dispute.note}</p>}
      </Sheet>
      {isOpen && can('returns:write') && <Settle dispute={dispute} refresh={refresh} />}
    </>
  );
};

export const DisputeScreen = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord((api) => api.disputes.get({ id }), [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ data }) => <DisputeParts key={data.status} dispute={data} refresh={loaded.refresh} />}
    </WhenLoaded>
  );
};
