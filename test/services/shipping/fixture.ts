// Provides shipping configurations around towns of Kenya, and calls that report refusals.
import { expect } from 'vitest';
import type { Merchant } from '#test/support/catalog.ts';

export const NAIROBI = { latitude: -1.2864, longitude: 36.8172 };
export const MOMBASA = { latitude: -4.0435, longitude: 39.6682 };
export const KISUMU = { latitude: -0.0917, longitude: 34.768 };
export const LONDON = { latitude: 51.5072, longitude: -0.1276 };

export const square = (longitude: number, latitude: number, size: number) => {
  const [west, east] = [longitude - size / 2, longitude + size / 2];
  const [south, north] = [latitude - size / 2, latitude + size / 2];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
};

export const location = (name: string, latitude: number, longitude: number, more: object = {}) => ({
  name,
  latitude,
  longitude,
  address: { line1: `1 ${name} Road`, city: name, country: 'KE' },
  ...more,
});

export const TOWN = { name: 'Nairobi', kind: 'map', geometry: square(36.8172, -1.2864, 0.5), rate: { fee: 3.5 } };
export const KENYA = { name: 'Kenya', kind: 'countries', countries: ['KE'], rate: { fee: 8 } };
export const TIERS = [
  { name: 'near', from_meters: 0, to_meters: 100_000, rate: { fee: 12 } },
  { name: 'far', from_meters: 100_000, to_meters: 500_000, rate: { fee: 15 } },
];

export const basketOf = (...lines: readonly (readonly [{ variant_id?: string | null }, number])[]) =>
  lines.map(([{ variant_id }, quantity]) => ({ variant_id, quantity }));

/** Replaces a merchant's configuration and returns it with its ids. */
export const configure = async (merchant: Merchant, config: object) => {
  const { status, text, body } = await merchant.secret('PUT', '/v1/shipping/config', config);
  expect(status, text).toBe(200);
  return body;
};

export const calculate = async (merchant: Merchant, body: object) => {
  const reply = await merchant.publishable('POST', '/v1/shipping/calculate', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

/** Returns status, code and param of a refusal. */
export const refused = async (merchant: Merchant, body: object) => {
  const { status, body: answer } = await merchant.publishable('POST', '/v1/shipping/calculate', body);
  return [status, answer.error?.code, answer.error?.param];
};
