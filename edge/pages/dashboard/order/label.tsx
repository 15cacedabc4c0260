// Buys a label: the box, what the connected carriers offer for it, and the chosen offer.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useFormats, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { NumberField } from '#edge/pages/design/field.tsx';
import type { CarrierRate, Parcel, StoreOrder } from '#proto/client/dashboard.ts';

const SIDES = [
  ['weight_grams', 'Weight of the box', 'g'],
  ['length_cm', 'Length of the box', 'cm'],
  ['width_cm', 'Width of the box', 'cm'],
  ['height_cm', 'Height of the box', 'cm'],
] as const;

type Box = Readonly<Record<(typeof SIDES)[number][0], number | null>>;

const EMPTY: Box = { weight_grams: null, length_cm: null, width_cm: null, height_cm: null };

/** NaN is null in JSON: the API refuses an empty side at its field. */
const parcelOf = ({ weight_grams, length_cm, width_cm, height_cm }: Box): Parcel => ({
  weight_grams: weight_grams ?? Number.NaN,
  length_cm: length_cm ?? Number.NaN,
  width_cm: width_cm ?? Number.NaN,
  height_cm: height_cm ?? Number.NaN,
});

interface RateChoiceProps {
  readonly rates: readonly CarrierRate[];
  readonly chosen: string | undefined;
  readonly choose: (rate: string) => void;
}

const RateChoice = ({ rates, chosen, choose }: RateChoiceProps) => {
  const { money } = useFormats();
  if (rates.length === 0) return <p class="soft">No carrier offers a label for this box and address.</p>;
  return (
    <fieldset class="stack">
      <legend>Offers</legend>
      {rates.map(({ rate_id: id, carrier, service, fee, currency, estimate }) => (
        <label key={id} class="check">
          <input type="radio" name="rate" checked={id === chosen} onChange={() => choose(id)} />
          <span>
            {carrier} {service}, {money(fee, currency)} {estimate && <span class="soft">{estimate}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
};

export interface ShippedUnits {
  readonly order_item_id: string;
  readonly quantity: number;
}

interface LabelProps {
  readonly order: StoreOrder;
  readonly units: readonly ShippedUnits[];
  readonly close: () => void;
  readonly shipped: () => void;
}

export const LabelPurchase = ({ order, units, close, shipped }: LabelProps) => {
  const { money } = useFormats();
  const asked = useWrite();
  const bought = useWrite();
  const [box, setBox] = useState(EMPTY);
  const [rates, setRates] = useState<readonly CarrierRate[] | null>(null);
  const [chosen, setChosen] = useState<string>();
  const rate = rates?.find(({ rate_id }) => rate_id === chosen) ?? rates?.[0];
  const change = (part: Partial<Box>): void => {
    setBox({ ...box, ...part });
    setRates(null);
  };
  const ask = async (): Promise<void> => {
    const variants = new Map(order.items.map(({ id, variant_id }) => [id, variant_id]));
    const answer = await asked.run((api) =>
      api.shipping.calculate({
        ...(order.shipping_address && { address_to: order.shipping_address }),
        parcel: parcelOf(box),
        items: units.map(({ order_item_id, quantity }) => ({ variant_id: variants.get(order_item_id)!, quantity })),
      }),
    );
    if (answer) setRates((answer.rates ?? []).filter(({ source }) => source === 'carrier_account'));
  };
  const buy = async ({ rate_id, source }: CarrierRate): Promise<void> => {
    const made = await bought.run(
      (api) => api.orders.shipments.create({ id: order.id, rate_id, source, items: units }),
      { done: 'The label is bought.' },
    );
    if (made) shipped();
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void (rate ? buy(rate) : ask());
      }}
    >
      <div class="columns">
        {SIDES.map(([name, label, unit]) => (
          <NumberField
            key={name}
            label={label}
            unit={unit}
            min={0}
            value={box[name]}
            change={(value) => change({ [name]: value })}
            problem={problemAt(asked.problem, `parcel.${name}`)}
          />
        ))}
      </div>
      {rates && <RateChoice rates={rates} chosen={rate?.rate_id} choose={setChosen} />}
      <ProblemNote problem={asked.problem} />
      <ProblemNote problem={bought.problem} />
      <div class="buttons">
        <Button press={close}>Back</Button>
        <Button submits tone="primary" busy={asked.busy || bought.busy} disabled={units.length === 0}>
          {rate ? `Buy the label for ${money(rate.fee, rate.currency)}` : 'Show offers'}
        </Button>
      </div>
    </form>
  );
};
