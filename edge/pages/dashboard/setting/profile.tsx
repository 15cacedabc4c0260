// The store's profile in three forms: name and contact, money and clock, orders and reviews.
import type { ComponentChildren } from 'preact';
import { FormSheet, type ScreenForm, useCan, useDashboard, useForm, useStore } from '#edge/pages/dashboard/page.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { COUNTRIES } from '#edge/pages/storefront/country.ts';
import type { StoreProfile, UpdateStoreRequest } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

interface PartProps<Draft extends object> {
  readonly title: string;
  readonly saved: Draft;
  readonly request: (draft: Draft) => UpdateStoreRequest;
  readonly children: (form: ScreenForm<Draft>) => ComponentChildren;
}

const ProfilePart = <Draft extends object>({ title, saved, request, children }: PartProps<Draft>) => {
  const can = useCan();
  const { refreshStore } = useDashboard();
  const form = useForm({
    saved,
    save: (api, draft) => api.store.update(request(draft)),
    done: 'The settings are saved.',
    after: () => void refreshStore(),
  });
  return (
    <Sheet title={title}>
      <FormSheet form={form} canSave={can('store:write')}>
        <div class="columns">{children(form)}</div>
      </FormSheet>
    </Sheet>
  );
};

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

const Contact = ({ store }: { readonly store: StoreProfile }) => (
  <ProfilePart
    title="Name and contact"
    saved={{
      name: store.name,
      description: store.description ?? '',
      logo_url: store.logo_url ?? '',
      website_url: store.website_url ?? '',
      contact_email: store.contact_email ?? '',
      contact_phone: store.contact_phone ?? '',
    }}
    request={({ name, ...optional }) => ({
      name,
      description: orNull(optional.description),
      logo_url: orNull(optional.logo_url),
      website_url: orNull(optional.website_url),
      contact_email: orNull(optional.contact_email),
      contact_phone: orNull(optional.contact_phone),
    })}
  >
    {({ field }) => (
      <>
        <TextField label="Name" {...field('name')} />
        <TextField label="Website" type="url" placeholder="https://" {...field('website_url')} />
        <TextField label="E-mail" type="email" {...field('contact_email')} />
        <TextField label="Phone" type="tel" {...field('contact_phone')} />
        <TextField
          label="Logo"
          placeholder="https://"
          advice="A web address, or the id of an uploaded picture."
          {...field('logo_url')}
        />
        <LongTextField label="Description" rows={3} {...field('description')} />
      </>
    )}
  </ProfilePart>
);

const zones = (now: string): readonly string[] => {
  const known = Intl.supportedValuesOf('timeZone');
  return known.includes(now) ? known : [now, ...known];
};

const Place = ({ store }: { readonly store: StoreProfile }) => (
  <ProfilePart
    title="Money, country and clock"
    saved={{
      currency: store.currency,
      country: store.country ?? '',
      timezone: store.timezone,
      tax_inclusive: store.tax_inclusive,
    }}
    request={({ currency, country, timezone, tax_inclusive }) => ({
      currency,
      country: orNull(country),
      timezone,
      tax_inclusive,
    })}
  >
    {({ field }) => (
      <>
        <TextField label="Currency" advice="Three letters, such as EUR." {...field('currency')} />
        <SelectField
          label="Country"
          options={[{ value: '', label: 'None' }, ...COUNTRIES.map(([value, label]) => ({ value, label }))]}
          {...field('country')}
        />
        <SelectField
          label="Time zone"
          advice="Reports count days in it."
          options={zones(store.timezone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          {...field('timezone')}
        />
        <CheckField label="Prices contain their tax" {...field('tax_inclusive')} />
      </>
    )}
  </ProfilePart>
);

const APPROVALS = [
  { value: 'manual', label: 'By hand' },
  { value: 'verified', label: 'Those of verified purchases at once' },
  { value: 'all', label: 'All of them at once' },
];

const Selling = ({ store }: { readonly store: StoreProfile }) => (
  <ProfilePart
    title="Orders, stock and reviews"
    saved={{
      return_window_days: store.return_window_days as number | null,
      low_stock_threshold: store.low_stock_threshold as number | null,
      cart_abandoned_after_minutes: store.cart_abandoned_after_minutes as number | null,
      review_approval: (store.review_approval ?? 'manual') as string,
      wholesale_enabled: store.wholesale_enabled,
    }}
    request={(draft) => ({
      ...(draft.return_window_days === null ? {} : { return_window_days: draft.return_window_days }),
      ...(draft.low_stock_threshold === null ? {} : { low_stock_threshold: draft.low_stock_threshold }),
      ...(draft.cart_abandoned_after_minutes === null
        ? {}
        : { cart_abandoned_after_minutes: draft.cart_abandoned_after_minutes }),
      review_approval: draft.review_approval as 'manual' | 'verified' | 'all',
      wholesale_enabled: draft.wholesale_enabled,
    })}
  >
    {({ field }) => (
      <>
        <NumberField label="Return period" unit="days" min={0} step={1} {...field('return_window_days')} />
        <NumberField label="Low stock from" unit="units" min={0} step={1} {...field('low_stock_threshold')} />
        <NumberField
          label="A cart is abandoned after"
          unit="minutes"
          min={1}
          step={1}
          {...field('cart_abandoned_after_minutes')}
        />
        <SelectField label="Reviews are approved" options={APPROVALS} {...field('review_approval')} />
        <CheckField label="The store sells to businesses" {...field('wholesale_enabled')} />
      </>
    )}
  </ProfilePart>
);

export const StoreSettings = () => {
  const store = useStore();
  return (
    <>
      <SettingsHead title="Store" />
      <Contact store={store} />
      <Place store={store} />
      <Selling store={store} />
    </>
  );
};
