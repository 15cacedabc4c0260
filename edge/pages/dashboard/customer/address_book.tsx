// A customer's addresses: each is changed in a dialog, added, or removed.
import { useState } from 'preact/hooks';
import {
  ADDRESS_LABELS,
  AddressFields,
  addressOf,
  draftOf,
  isSameAddress,
  PostalAddress,
} from '#edge/pages/dashboard/order/address.tsx';
import { FormSheet, ProblemNote, useCan, useForm, useStore, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import type { Address, Customer, DashboardApi } from '#proto/client/dashboard.ts';
import { placeOfAddress } from './address_place.ts';
import type { CustomerPartProps } from './contact.tsx';

interface EditorProps extends CustomerPartProps {
  /** Place of the address among the customer's; past the last for a new one. */
  readonly place: number;
  readonly close: () => void;
}

const AddressEditor = ({ customer, set, place, close }: EditorProps) => {
  const { country } = useStore();
  const isNew = place >= customer.addresses.length;
  const placeIn = (now: Customer): number => placeOfAddress(now.addresses, customer.addresses, place, isSameAddress);
  /** `version` is the customer as the draft found them: their other addresses are saved with it. */
  const draftIn = (now: Customer) => ({
    ...draftOf(now.addresses[placeIn(now)] ?? customer.addresses[place] ?? null, country ?? 'US'),
    version: now,
  });
  const form = useForm({
    saved: draftIn(customer),
    save: (api, { version: found, ...draft }) =>
      api.customers.update({
        id: found.id,
        version: found.updated_at,
        addresses: found.addresses.toSpliced(placeIn(found), 1, addressOf(draft) as Address),
      }),
    done: 'The address is saved.',
    reload: async (api) => draftIn((await api.customers.get({ id: customer.id })).customer),
    after: (answer) => {
      set(answer.customer);
      close();
    },
  });
  return (
    <Dialog title={isNew ? 'New address' : 'Change the address'} close={close} wide>
      <FormSheet form={form} labels={ADDRESS_LABELS} close={close}>
        <AddressFields
          draft={form.draft}
          change={form.set}
          problem={(name) => form.field(name, `addresses[${placeIn(form.draft.version)}].${name}`).problem}
        />
      </FormSheet>
    </Dialog>
  );
};

export const AddressBook = ({ customer, set }: CustomerPartProps) => {
  const can = useCan();
  const [edited, edit] = useState<number | null>(null);
  const write = useWrite();
  const { id, addresses } = customer;
  /** Changes the addresses as they are then. */
  const change = async (
    api: DashboardApi,
    edit: (now: readonly Address[]) => readonly Address[],
  ): Promise<Customer> => {
    const { addresses: now, updated_at } = (await api.customers.get({ id })).customer;
    return (await api.customers.update({ id, version: updated_at, addresses: edit(now) })).customer;
  };
  const remove = async (place: number): Promise<void> => {
    const address = addresses[place]!;
    const isIt = (each: Address): boolean => isSameAddress(each, address);
    const answer = await write.run((api) => change(api, (now) => now.filter((each) => !isIt(each))), {
      done: 'The address is removed.',
      undo: async (api) => set(await change(api, (now) => (now.some(isIt) ? now : now.toSpliced(place, 0, address)))),
    });
    if (answer) set(answer);
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
