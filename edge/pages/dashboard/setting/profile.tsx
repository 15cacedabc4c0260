// The store's profile in three forms: name and contact, money and clock, orders and reviews.
import type { ComponentChildren } from 'preact';
import { FormSheet, type ScreenForm, useCan, useDashboard, useForm, useStore } from '#edge/pages/dashboard/page.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { COUNTRIES } from '#edge/pages/storefront/country.ts';
import type { StoreProfile, UpdateStoreRequest } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

/** The `updated_at` of the store that the draft began from. */
interface Version {
  readonly version: string;
}

interface PartProps<Draft extends object> {
  readonly title: string;
  readonly store: StoreProfile;
  readonly draftOf: (store: StoreProfile) => Draft;
  readonly request: (draft: Draft) => UpdateStoreRequest;
  /** Names of the fields, for the reader of a comparison. */
  readonly labels: Readonly<Record<keyof Draft & string, string>>;
  readonly children: (form: ScreenForm<Draft & Version>) => ComponentChildren;
}

const ProfilePart = <Draft extends object>({ title, store, draftOf, request, labels, children }: PartProps<Draft>) => {
  const can = useCan();
  const { refreshStore } = useDashboard();
  const versioned = (now: StoreProfile): Draft & Version => ({ ...draftOf(now), version: now.updated_at ?? '' });
  const form = useForm({
    saved: versioned(store),
    save: (api, draft) => api.store.update({ ...request(draft), version: draft.version }),
    done: 'The settings are saved.',
    next: (answer) => ({ version: answer.store.updated_at ?? '' }) as Partial<Draft & Version>,
    reload: async (api) => versioned((await api.store.get()).store),
    after: () => void refreshStore(),
  });
  return (
    <Sheet title={title}>
      <FormSheet form={form} labels={labels} canSave={can('store:write')}>
        <div class="columns">{children(form)}</div>
      </FormSheet>
    </Sheet>
  );
};

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

const Contact = ({ store }: { readonly store: StoreProfile }) => (
  <ProfilePart
    title="Name and contact"
    store={store}
    labels={{
      name: 'Name',
      description: 'Description',
      logo_url: 'Logo',
      website_url: 'Website',
      contact_email: 'E-mail',
      contact_phone: 'Phone',
    }}
    draftOf={(now) => ({
      name: now.name,
      description: now.description ?? '',
      logo_url: now.logo_url ?? '',
      website_url: now.website_url ?? '',
      contact_email: now.contact_email ?? '',
      contact_phone: now.contact_phone ?? '',
    })}
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
    store={store}
    labels={{
      currency: 'Currency',
      country: 'Country',
      timezone: 'Time zone',
      tax_inclusive: 'Prices contain their tax',
    }}
    draftOf={(now) => ({
      currency: now.currency,
      country: now.country ?? '',
      timezone: now.timezone,
      tax_inclusive: now.tax_inclusive,
    })}
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
    store={store}
    labels={{
      return_window_days: 'Return period',
      low_stock_threshold: 'Low stock from',
      cart_abandoned_after_minutes: 'A cart is abandoned after',
      review_approval: 'Reviews are approved',
      wholesale_enabled: 'The store sells to businesses',
    }}
    draftOf={(now) => ({
      return_window_days: now.return_window_days as number | null,
      low_stock_threshold: now.low_stock_threshold as number | null,
      cart_abandoned_after_minutes: now.cart_abandoned_after_minutes as number | null,
      review_approval: (now.review_approval ?? 'manual') as string,
      wholesale_enabled: now.wholesale_enabled,
    })}
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
