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

const LABELS = { email: 'E-mail', first_name: 'First name', last_name: 'Last name', phone: 'Phone' };

const contactOf = ({ email, first_name, last_name, phone, updated_at }: Customer) => ({
  email,
  first_name: first_name ?? '',
  last_name: last_name ?? '',
  phone: phone ?? '',
  version: updated_at,
});

export const Contact = ({ customer, set }: CustomerPartProps) => {
  const can = useCan();
  const { id } = customer;
  const form = useForm({
    saved: contactOf(customer),
    save: (api, { version }, changed) =>
      api.customers.update({
        id,
        version,
        ...Object.fromEntries(
          FIELDS.flatMap((name) => {
            const text = changed[name]?.trim();
            return text === undefined ? [] : [[name, text === '' && name !== 'email' ? null : text]];
          }),
        ),
      }),
    done: 'The contact is saved.',
    reload: async (api) => contactOf((await api.customers.get({ id })).customer),
    after: (answer) => set(answer.customer),
  });
  return (
    <Sheet title="Contact">
      <FormSheet form={form} labels={LABELS} canSave={can('customers:write')}>
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

const groupOf = ({ group, updated_at }: Customer) => ({ group: group ?? '', version: updated_at });

export const Group = ({ customer, set }: CustomerPartProps) => {
  const can = useCan();
  const { id } = customer;
  const form = useForm({
    saved: groupOf(customer),
    save: (api, { group, version }) => api.customers.setGroup({ id, version, group: group.trim() || null }),
    done: 'The group is saved.',
    reload: async (api) => groupOf((await api.customers.get({ id })).customer),
    after: (answer) => set(answer.customer),
  });
  return (
    <Sheet title="Group">
      <FormSheet form={form} labels={{ group: 'Group' }} action="Set the group" canSave={can('customers:write')}>
        <TextField
          label="Group"
          advice="Its price lists and promotions apply to them. Empty: none."
          {...form.field('group')}
        />
      </FormSheet>
    </Sheet>
  );
};
