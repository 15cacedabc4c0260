// An invoice: its PDF, its payment, and voiding it.
import { useState } from 'preact/hooks';
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
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { downloadFile } from '#edge/pages/design/download.ts';
import { TextField } from '#edge/pages/design/field.tsx';
import type { Invoice, PurchaseOrder } from '#proto/client/dashboard.ts';
import { Buyer, DealBadge, DealLines } from './deal.tsx';
import { readNames, type VariantNames } from './name.ts';

const PaymentForm = ({ invoice, refresh }: InvoiceProps) => {
  const { money } = useFormats();
  const { id, amount_due, currency, invoice_number } = invoice;
  const form = useForm({
    saved: { reference: '' },
    save: (api, { reference }) =>
      api.b2b.invoices.pay({ id, amount: amount_due, ...(reference.trim() === '' ? {} : { reference }) }),
    done: `${invoice_number} is paid.`,
    after: refresh,
  });
  return (
    <Sheet title="Record the payment">
      <FormSheet form={form} action={`Record ${money(amount_due, currency)} as paid`}>
        <TextField
          label="How it was paid"
          advice="For your books: a transfer’s number, for example."
          {...form.field('reference')}
        />
      </FormSheet>
    </Sheet>
  );
};

interface InvoiceProps {
  readonly invoice: Invoice;
  readonly refresh: () => void;
}

const InvoiceActions = ({ invoice, refresh }: InvoiceProps) => {
  const { id, invoice_number, status } = invoice;
  const can = useCan();
  const [asked, ask] = useState(false);
  const write = useWrite();
  const print = async (): Promise<void> => {
    const file = await write.run((api) => api.b2b.invoices.printPdf({ id }));
    if (file) downloadFile(`${invoice_number}.pdf`, new Blob([new Uint8Array(file)], { type: 'application/pdf' }));
  };
  const end = async (): Promise<void> => {
    if (!(await write.run((api) => api.b2b.invoices.void({ id }), { done: `${invoice_number} is void.` }))) return;
    ask(false);
    refresh();
  };
  return (
    <>
      <Button icon="file" busy={write.busy} press={() => void print()}>
        Download the PDF
      </Button>
      {can('b2b:write') && (status === 'issued' || status === 'overdue') && (
        <Button tone="danger" press={() => ask(true)}>
          Void
        </Button>
      )}
      {!asked && <ProblemNote problem={write.problem} />}
      {asked && (
        <Confirm
          title={`Void ${invoice_number}?`}
          action="Void the invoice"
          busy={write.busy}
          confirm={() => void end()}
          close={() => ask(false)}
        >
          <p>Its items can be billed again. A void invoice stays in your books, and cannot be paid.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

interface InvoicePartsProps extends InvoiceProps {
  readonly order: PurchaseOrder;
  readonly names: VariantNames;
}

const InvoiceParts = ({ invoice, order, names, refresh }: InvoicePartsProps) => {
  const can = useCan();
  const { money, date, moment } = useFormats();
  const isOpen = invoice.status === 'issued' || invoice.status === 'overdue';
  return (
    <>
      <PageHead
        title={`Invoice ${invoice.invoice_number}`}
        up={{ label: 'Invoices', to: at('wholesale', { kind: 'invoices' }) }}
        badge={<DealBadge status={invoice.status} />}
      >
        <InvoiceActions invoice={invoice} refresh={refresh} />
      </PageHead>
      <Sheet>
        <Facts
          facts={[
            ['Buyer', <Buyer key="buyer" id={invoice.customer_id} />],
            ['Issued', moment(invoice.issued_at)],
            ['Due', date(invoice.due_at)],
            ['Open', money(invoice.amount_due, invoice.currency)],
            ['Paid', invoice.paid_at === null ? '–' : moment(invoice.paid_at)],
            ['How it was paid', invoice.reference ?? '–'],
            [
              'Purchase order',
              <a key="order" href={at(`wholesale/orders/${invoice.purchase_order_id}`)}>
                {order.po_number}
              </a>,
            ],
          ]}
        />
      </Sheet>
      {isOpen && can('b2b:write') && <PaymentForm invoice={invoice} refresh={refresh} />}
      <DealLines names={names} deal={invoice} />
    </>
  );
};

export const InvoiceScreen = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord(
    async (api) => {
      const { data } = await api.b2b.invoices.get({ id });
      const { data: order } = await api.b2b.purchaseOrders.get({ id: data.purchase_order_id });
      return {
        invoice: data,
        order,
        names: await readNames(
          api,
          data.items.map(({ variant_id }) => variant_id),
        ),
      };
    },
    [id],
  );
  return <WhenLoaded loaded={loaded}>{(value) => <InvoiceParts {...value} refresh={loaded.refresh} />}</WhenLoaded>;
};
