// Exports a customer's data as a file, and erases a customer.
import { useState } from 'preact/hooks';
import { at, go, ProblemNote, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { downloadText } from '#edge/pages/design/download.ts';
import { TextField } from '#edge/pages/design/field.tsx';
import type { Customer, CustomerExport, DashboardApi } from '#proto/client/dashboard.ts';

const LOOK_MS = 500;
const LOOKS_MAX = 240;

/** Asks for an export, and waits for it. */
const exported = async (api: DashboardApi, id: string): Promise<CustomerExport> => {
  const { export: started } = await api.customers.export({ id });
  for (let look = 0; ; look++) {
    const { export: found } = await api.customers.exports.get({ id, export_id: started.id });
    if (found.status === 'complete' || look >= LOOKS_MAX) return found;
    await new Promise((resume) => setTimeout(resume, LOOK_MS));
  }
};

export const EraseDialog = ({ customer, close }: { readonly customer: Customer; readonly close: () => void }) => {
  const { id, email } = customer;
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const write = useWrite();
  const isSure = typed.trim().toLowerCase() === email && reason.trim() !== '';
  const erase = async (): Promise<void> => {
    const answer = await write.run((api) => api.customers.erase({ id, reason: reason.trim() }), {
      done: 'The customer is being erased. It takes less than a minute.',
    });
    if (answer) go(at('customers'), { replace: true });
  };
  return (
    <Dialog title={`Erase ${email}?`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure) void erase();
        }}
      >
        <p>
          The account, messages, mails, cart and wishlist are deleted for good. Orders, payments and invoices keep their
          amounts, without name and address. Reviews keep their text under “Customer”.
        </p>
        <TextField
          label="Reason"
          advice="For your records, for example the date of the request. It stays, so do not name the person."
          value={reason}
          change={setReason}
        />
        <TextField label="Type the e-mail address to confirm" value={typed} change={setTyped} />
        <ProblemNote problem={write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="danger" disabled={!isSure} busy={write.busy}>
            Erase the customer
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const Privacy = ({ customer }: { readonly customer: Customer }) => {
  const [isErasing, setErasing] = useState(false);
  const write = useWrite();
  const save = async (): Promise<void> => {
    const found = await write.run((api) => exported(api, customer.id));
    if (found?.archive)
      downloadText(`customer-${customer.id}.json`, 'application/json', JSON.stringify(found.archive, null, 2));
  };
  return (
    <section class="stack">
      <h2>The customer's data</h2>
      <p class="soft">A copy of everything that is stored about the customer, or its erasure.</p>
      <ProblemNote problem={write.problem} />
      <div class="buttons">
        <Button busy={write.busy} press={() => void save()}>
          Export as a file
        </Button>
        <Button tone="danger" press={() => setErasing(true)}>
          Erase
        </Button>
      </div>
      {isErasing && <EraseDialog customer={customer} close={() => setErasing(false)} />}
    </section>
  );
};
