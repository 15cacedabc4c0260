// The demo shop's delivery zones and rates.
import type { DeliveryRateInput, PutConfigRequest, ShippingLocationInput } from '#proto/gen/shipping_config.ts';

const WORKSHOP: ShippingLocationInput = {
  name: 'The workshop',
  latitude: -1.2467,
  longitude: 36.7405,
  address: { line1: '48 Lower Kabete Road', city: 'Nairobi', postal_code: '00100', country: 'KE' },
  hours: 'Monday to Saturday, 9:00 to 17:30',
  instructions: 'Ring at the blue gate and say the number of your order.',
  pickup: true,
  primary: true,
};

/** Border of Nairobi with Kikuyu in the west, Ruiru in the north-east and Athi River in the south-east. */
const NAIROBI: readonly (readonly [longitude: number, latitude: number])[] = [
  [36.64, -1.3],
  [36.66, -1.2],
  [36.78, -1.14],
  [36.97, -1.12],
  [37.06, -1.22],
  [37.05, -1.42],
  [36.94, -1.46],
  [36.76, -1.4],
  [36.64, -1.3],
];

const SURCHARGES = [
  ['Planters', 6],
  ['Table Lamps', 4],
  ['Pendants', 4],
  ['Seats & Shade', 9],
] as const;

const workingDays = (min: number, max: number) => ({
  estimate: max === 1 ? 'next working day' : `${min}-${max} working days`,
  estimate_days: { min, max },
});

export const deliveryRequest = (categories: ReadonlyMap<string, string>): PutConfigRequest => {
  const category_rules = SURCHARGES.map(([name, surcharge]) => ({
    category_id: categories.get(name) as string,
    surcharge,
  }));
  const rate = (given: DeliveryRateInput): DeliveryRateInput => ({ ...given, category_rules });
  return {
    restriction: 'none',
    fulfil_from: 'primary',
    locations: [WORKSHOP],
    zones: [
      {
        name: 'Nairobi',
        kind: 'map',
        geometry: { type: 'Polygon', coordinates: [NAIROBI] },
        rate: rate({
          fee: 3.5,
          free_threshold: 60,
          ...workingDays(1, 1),
          options: [
            { name: 'Rider, within two hours', fee: 7, estimate: 'two hours' },
            {
              name: 'Evening, 18:00 to 21:00',
              fee: 5,
              minimum_order: 30,
              ...workingDays(1, 1),
            },
          ],
        }),
      },
      {
        name: 'Kenya',
        kind: 'countries',
        countries: ['KE'],
        rate: rate({
          fee: 12,
          free_threshold: 150,
          ...workingDays(2, 5),
          weight_bands: [
            { up_to_grams: 2_000, fee: 6 },
            { up_to_grams: 10_000, fee: 9 },
          ],
        }),
      },
      {
        name: 'Uganda, Tanzania, Rwanda',
        kind: 'countries',
        countries: ['UG', 'TZ', 'RW'],
        rate: rate({
          fee: 32,
          ...workingDays(2, 5),
          weight_bands: [
            { up_to_grams: 2_000, fee: 14 },
            { up_to_grams: 10_000, fee: 24 },
          ],
        }),
      },
    ],
    tiers: [],
    fallback: {
      rate: rate({
        fee: 95,
        ...workingDays(6, 12),
        weight_bands: [
          { up_to_grams: 1_000, fee: 28 },
          { up_to_grams: 5_000, fee: 55 },
        ],
      }),
    },
  };
};
