// A customer's addresses: each is changed in a dialog, added, or removed.
import { useState } from 'preact/hooks';
import { AddressFields, addressOf, draftOf, PostalAddress } from '#edge/pages/dashboard/order/address.tsx';
import { ProblemNote, useCan, useStore, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import type { Address } from '#proto/client/dashboard.ts';
import type { CustomerPartProps } from './contact.tsx';

interface EditorProps extends CustomerPartProps {
  /** Place of the address among the customer's; past the last for a new one. */
  readonly place: number;
  readonly close: () => void;
}

const AddressEditor = ({ customer, set, place, close }: EditorProps) => {
  const { country } = useStore();
  const { addresses } = customer;
  const [draft, setDraft] = useState(draftOf(addresses[place] ?? null, country ?? 'US'));
  const write = useWrite();
  const path = `addresses[${place}].`;
  const shown = write.problem?.param?.startsWith(path) ?? false;
  const save = async (): Promise<void> => {
    const next: Address[] = [...addresses];
    next[place] = addressOf(draft) as Address;
    const answer = await write.run((api) => api.customers.update({ id: customer.id, addresses: next }), {
      done: 'The address is saved.',
    });
    if (!answer) return;
    set(answer.customer);
    close();
  };
  return (
    <Dialog title={place < addresses.length ? 'Change the address' : 'New address'} close={close} wide>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <AddressFields
          draft={draft}
          change={setDraft}
          problem={(field) => (write.problem?.param === `${path}${field}` ? write.problem.message : undefined)}
        />
        <ProblemNote problem={shown ? null : write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="primary" busy={write.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const AddressBook = ({ customer, set }: CustomerPartProps) => {
  const can = useCan();
  const [edited, edit] = useState<number | null>(null);
  const write = useWrite();
  const { id, addresses } = customer;
  const remove = async (place: number): Promise<void> => {
    const answer = await write.run(
      (api) => api.customers.update({ id, addresses: addresses.filter((_, at) => at !== place) }),
      {
        done: 'The address is removed.',
        undo: async (api) => set((await api.customers.update({ id, addresses })).customer),
      },
    );
    if (answer) set(answer.customer);
  };
  return (
    <Sheet
      title="Addresses"
      action={
        can('customers:write') && (
          <Button icon="add" press={() => edit(addresses.length)}>
            Add
          </Button>
        )
      }
    >
      {addresses.length === 0 && <p class="soft">None yet.</p>}
      <div class="columns">
        {addresses.map((address, place) => (
          <div class="stack" key={JSON.stringify(address)}>
            <PostalAddress address={address} />
            {can('customers:write') && (
              <div class="row">
                <Button press={() => edit(place)}>
                  Change<span class="unseen"> the address {address.line1}</span>
                </Button>
                <Button tone="quiet" busy={write.busy} press={() => void remove(place)}>
                  Remove<span class="unseen"> the address {address.line1}</span>
                </Button>
              </div>
            )}
          </div>
        ))}
      </div>
      <ProblemNote problem={write.problem} />
      {edited !== null && <AddressEditor customer={customer} set={set} place={edited} close={() => edit(null)} />}
    </Sheet>
  );
};
