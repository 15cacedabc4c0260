// How a customer is reached, and the group whose price lists apply to them.
import { FormSheet, useCan, useForm } from '#edge/pages/dashboard/page.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { Customer } from '#proto/client/dashboard.ts';

export interface CustomerPartProps {
  readonly customer: Customer;
  readonly set: (customer: Customer) => void;
}

const FIELDS = ['email', 'first_name', 'last_name', 'phone'] as const;

export const Contact = ({ customer, set }: CustomerPartProps) => {
  const can = useCan();
  const form = useForm({
    saved: {
      email: customer.email,
      first_name: customer.first_name ?? '',
      last_name: customer.last_name ?? '',
      phone: customer.phone ?? '',
    },
    save: (api, _draft, changed) =>
      api.customers.update({
        id: customer.id,
        ...Object.fromEntries(
          FIELDS.flatMap((name) => {
            const text = changed[name]?.trim();
            return text === undefined ? [] : [[name, text === '' && name !== 'email' ? null : text]];
          }),
        ),
      }),
    done: 'The contact is saved.',
    after: (answer) => set(answer.customer),
  });
  return (
    <Sheet title="Contact">
      <FormSheet form={form} canSave={can('customers:write')}>
        <TextField label="E-mail" type="email" required {...form.field('email')} />
        <div class="columns">
          <TextField label="First name" {...form.field('first_name')} />
          <TextField label="Last name" {...form.field('last_name')} />
          <TextField label="Phone" type="tel" {...form.field('phone')} />
        </div>
      </FormSheet>
    </Sheet>
  );
};

export const Group = ({ customer, set }: CustomerPartProps) => {
  const can = useCan();
  const form = useForm({
    saved: { group: customer.group ?? '' },
    save: (api, { group }) =>
      api.customers.setGroup({ id: customer.id, group: group.trim() === '' ? null : group.trim() }),
    done: 'The group is saved.',
    after: (answer) => set(answer.customer),
  });
  return (
    <Sheet title="Group">
      <FormSheet form={form} action="Set the group" canSave={can('customers:write')}>
        <TextField
          label="Group"
          advice="Its price lists and promotions apply to them. Empty: none."
          {...form.field('group')}
        />
      </FormSheet>
    </Sheet>
  );
};
