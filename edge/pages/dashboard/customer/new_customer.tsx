// A customer that the store adds itself, who signs in by a mailed link or code.
import { at, FormSheet, goAfterSave, useCan, useForm } from '#edge/pages/dashboard/page.ts';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';

const EMPTY = { email: '', first_name: '', last_name: '', phone: '', group: '' };

export const NewCustomer = () => {
  const can = useCan();
  const form = useForm({
    saved: EMPTY,
    save: (api, { email, ...optional }) =>
      api.customers.create({
        email: email.trim(),
        ...Object.fromEntries(
          Object.entries(optional).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
        ),
      }),
    done: 'The customer is created.',
    after: ({ customer }) => goAfterSave(at(`customers/${customer.id}`)),
  });
  return (
    <>
      <PageHead title="New customer" up={{ label: 'Customers', to: at('customers') }} />
      <FormSheet form={form} action="Create" canSave={can('customers:write')}>
        <Sheet>
          <TextField
            label="E-mail"
            type="email"
            required
            advice="They sign in with it, by a mailed link or code."
            {...form.field('email')}
          />
          <div class="columns">
            <TextField label="First name" {...form.field('first_name')} />
            <TextField label="Last name" {...form.field('last_name')} />
            <TextField label="Phone" type="tel" {...form.field('phone')} />
            <TextField label="Group" advice="Its price lists apply to them." {...form.field('group')} />
          </div>
        </Sheet>
      </FormSheet>
    </>
  );
};
