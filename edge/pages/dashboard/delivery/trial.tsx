// Shows the rates that the shop would offer a basket at an address, and the reason.
import { useState } from 'preact/hooks';
import { type ChosenLine, ChosenLines, ProductPicker, withVariant } from '#edge/pages/dashboard/order/item_picker.tsx';
import { ProblemNote, problemAt, useFormats, useStore, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Badge, Facts, Note, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { COUNTRIES } from '#edge/pages/storefront/country.ts';
import type { CalculateRequest, ShippingCalculation, ShippingChoice } from '#proto/client/dashboard.ts';
import { DeliveryTabs } from './tab.tsx';

const COUNTRY_OPTIONS = COUNTRIES.map(([value, label]) => ({ value, label }));

interface TrialDraft {
  readonly line1: string;
  readonly city: string;
  readonly state: string;
  readonly postal_code: string;
  readonly country: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly order_total: number | null;
  readonly weight_grams: number | null;
  readonly length_cm: number | null;
  readonly width_cm: number | null;
  readonly height_cm: number | null;
}

const daysOf = ({ delivery_from: from, delivery_to: to }: ShippingChoice): string =>
  from === undefined ? '' : from === to ? from : `${from} to ${to}`;

const parcelOf = ({ weight_grams, length_cm, width_cm, height_cm, ...draft }: TrialDraft) =>
  weight_grams === null || length_cm === null || width_cm === null || height_cm === null
    ? {}
    : {
        parcel: { weight_grams, length_cm, width_cm, height_cm },
        address_to: {
          line1: draft.line1,
          city: draft.city,
          state: draft.state || null,
          postal_code: draft.postal_code || null,
          country: draft.country,
        },
      };

const requestOf = (draft: TrialDraft, lines: readonly ChosenLine[]): CalculateRequest => ({
  ...(draft.latitude === null || draft.longitude === null
    ? { place_name: [draft.line1, draft.city, draft.state].filter(Boolean).join(', ') }
    : { latitude: draft.latitude, longitude: draft.longitude }),
  country_code: draft.country,
  ...(draft.postal_code === '' ? {} : { postal_code: draft.postal_code }),
  items: lines.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
  order_total: draft.order_total ?? lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
  ...parcelOf(draft),
});

const RULES = {
  zone: 'A zone',
  distance: 'A distance',
  fallback: 'The rate for everywhere else',
  none: 'None',
} as const;

const Choice = ({ choice }: { readonly choice: ShippingChoice }) => {
  const { money } = useFormats();
  return (
    <div class="row between">
      <span>
        {choice.name} <span class="soft">{[choice.estimate, daysOf(choice)].filter(Boolean).join(', ')}</span>{' '}
        {choice.method === 'pickup' && <Badge>pickup</Badge>}{' '}
        {!choice.available && <Badge tone="warn">below its minimum order</Badge>}
      </span>
      <b>{choice.is_free ? 'Free' : money(choice.fee, choice.currency)}</b>
    </div>
  );
};

const KM = 1_000;

const Answer = ({ answer }: { readonly answer: ShippingCalculation }) => {
  const { money, number } = useFormats();
  return (
    <Sheet title={answer.deliverable ? 'It would pay' : 'Not delivered there'}>
      {answer.reason && <Note>{answer.reason}</Note>}
      {answer.options?.map((choice) => (
        <Choice key={choice.id} choice={choice} />
      ))}
      {answer.rates?.map((rate) => (
        <div key={rate.rate_id} class="row between">
          <span>
            {rate.carrier}, {rate.service} <span class="soft">{rate.estimate}</span>
          </span>
          <b>{money(rate.fee, rate.currency)}</b>
        </div>
      ))}
      <Facts
        facts={[
          ['Decided by', RULES[answer.applied_rule]],
          ...(answer.zone_name === null ? [] : [['Zone', answer.zone_name] as const]),
          ...(answer.tier_name === null ? [] : [['Distance', answer.tier_name] as const]),
          ...(answer.distance_meters === undefined
            ? []
            : [['Measured', `${number(answer.distance_meters / KM)} km`] as const]),
          ...(answer.fulfilled_from === null ? [] : [['Sent from', answer.fulfilled_from.name] as const]),
          ...(answer.free_threshold === null
            ? []
            : [['Free from an order of', money(answer.free_threshold, answer.currency)] as const]),
        ]}
      />
    </Sheet>
  );
};

const useTrialDraft = () => {
  const { country } = useStore();
  return useState<TrialDraft>(() => ({
    line1: '',
    city: '',
    state: '',
    postal_code: '',
    country: country ?? 'US',
    latitude: null,
    longitude: null,
    order_total: null,
    weight_grams: null,
    length_cm: null,
    width_cm: null,
    height_cm: null,
  }));
};

interface FieldsProps {
  readonly draft: TrialDraft;
  readonly set: (part: Partial<TrialDraft>) => void;
  readonly problem: (param: string) => string | undefined;
}

const AddressFields = ({ draft, set, problem }: FieldsProps) => (
  <div class="columns">
    <TextField label="Address" value={draft.line1} change={(line1) => set({ line1 })} problem={problem('place_name')} />
    <TextField label="City" value={draft.city} change={(city) => set({ city })} />
    <TextField label="State or county" value={draft.state} change={(state) => set({ state })} />
    <TextField
      label="Postal code"
      value={draft.postal_code}
      change={(postal_code) => set({ postal_code })}
      problem={problem('postal_code')}
    />
    <SelectField
      label="Country"
      options={COUNTRY_OPTIONS}
      value={draft.country}
      change={(country) => set({ country })}
      problem={problem('country_code')}
    />
    <NumberField
      label="Order total"
      unit={useStore().currency}
      min={0}
      advice="Empty: that of the items below."
      value={draft.order_total}
      change={(order_total) => set({ order_total })}
      problem={problem('order_total')}
    />
  </div>
);

const MEASURES = [
  ['latitude', 'Latitude', '°', 'latitude'],
  ['longitude', 'Longitude', '°', 'longitude'],
  ['weight_grams', 'Weight of the box', 'g', 'parcel.weight_grams'],
  ['length_cm', 'Length of the box', 'cm', 'parcel.length_cm'],
  ['width_cm', 'Width of the box', 'cm', 'parcel.width_cm'],
  ['height_cm', 'Height of the box', 'cm', 'parcel.height_cm'],
] as const;

const MoreFields = ({ draft, set, problem }: FieldsProps) => (
  <details>
    <summary>Coordinates, and a box for carriers</summary>
    <p class="soft">Coordinates win over the address. Carriers answer once the whole box is known.</p>
    <div class="columns">
      {MEASURES.map(([name, label, unit, param]) => (
        <NumberField
          key={name}
          label={label}
          unit={unit}
          value={draft[name]}
          change={(value) => set({ [name]: value })}
          problem={problem(param)}
        />
      ))}
    </div>
  </details>
);

export const AddressTrial = () => {
  const [draft, setDraft] = useTrialDraft();
  const [lines, setLines] = useState<readonly ChosenLine[]>([]);
  const [answer, setAnswer] = useState<ShippingCalculation | null>(null);
  const write = useWrite();
  const set = (part: Partial<TrialDraft>): void => setDraft({ ...draft, ...part });
  const ask = async (): Promise<void> => {
    setAnswer(null);
    setAnswer((await write.run((api) => api.shipping.calculate(requestOf(draft, lines)))) ?? null);
  };
  const fields: FieldsProps = { draft, set, problem: (param) => problemAt(write.problem, param) };
  return (
    <div class="stack delivery">
      <PageHead title="Delivery" />
      <DeliveryTabs />
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <Sheet title="What would this address pay?">
          <AddressFields {...fields} />
          <MoreFields {...fields} />
          <ProblemNote problem={write.problem} />
          <div class="row">
            <Button submits tone="primary" busy={write.busy}>
              Calculate
            </Button>
          </div>
        </Sheet>
      </form>
      {answer && <Answer answer={answer} />}
      <Sheet title="Items">
        <p class="soft">Their weights and categories count. Without items the basket weighs nothing.</p>
        <ProductPicker pick={(found) => setLines(withVariant(lines, found))} />
        {lines.length > 0 && <ChosenLines lines={lines} change={setLines} />}
      </Sheet>
    </div>
  );
};
