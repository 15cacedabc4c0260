// Shoppers who ask what delivery costs, from all over the zones of a store that drew a thousand of them.
import { checkedPath } from '#bench/constant.ts';
import { postRequest } from '#bench/load.ts';
import { bearer, Dice, type Prepare, prepared, SUCCESS } from './scenario.ts';
import { pointNear, zones } from './zone.ts';

const REQUESTS = 5_000;
const PATH = '/v1/shipping/calculate';
const TOTAL_MAX = 200;

export const shipping: Prepare = async ({ url, store, variants }) => {
  const drawn = zones();
  const rate = (fee: number) => ({ fee, free_threshold: 150, estimate: '1-2 days' });
  const config = {
    restriction: 'none',
    fulfil_from: 'primary',
    locations: [
      {
        name: 'Warehouse',
        latitude: 52.48,
        longitude: -1.9,
        address: { line1: '1 Canal Street', city: 'Birmingham', country: 'GB' },
        ships: true,
        pickup: true,
        primary: true,
      },
    ],
    zones: drawn.map(({ name, geometry }, at) => ({ name, kind: 'map', geometry, rate: rate(3 + (at % 7)) })),
    tiers: [],
    fallback: { rate: rate(20) },
  };
  const put = await fetch(`${url}/v1/shipping/config`, {
    method: 'PUT',
    headers: { ...bearer(store.secret_key), 'Content-Type': 'application/json' },
    body: JSON.stringify(config),
  });
  if (!put.ok) throw new Error(`The shipping configuration was answered ${put.status}: ${await put.text()}`);
  const dice = new Dice(6);
  const key = bearer(store.publishable_key);
  const body = (): string =>
    JSON.stringify({
      ...pointNear(dice.pick(drawn), dice),
      items: [{ variant_id: dice.pick(variants), quantity: 1 + dice.below(3) }],
      order_total: dice.below(TOTAL_MAX),
    });
  const next = prepared(REQUESTS, () => postRequest(PATH, key, body()));
  const one = body();
  return { path: PATH, next, expected: SUCCESS, reference: (bytes) => postRequest(checkedPath(PATH, bytes), key, one) };
};
