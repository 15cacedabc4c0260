// Changes of the shipping configuration keep what another person saved meanwhile.
import { describe, expect, it } from 'vitest';
import { inOrder, withItem, withLocation, withoutItem } from '#edge/pages/dashboard/delivery/config.ts';
import { rateDraftOf, rateOf } from '#edge/pages/dashboard/delivery/rate.ts';
import type { ShippingConfig, ShippingLocation, ShippingZone } from '#proto/gen/shipping_config.ts';

const RATE = { fee: 5, free_threshold: null, estimate: null, weight_bands: [], category_rules: [], options: [] };

const zone = (id: string | null, name = id ?? ''): ShippingZone => ({
  id,
  name,
  kind: 'countries',
  countries: ['KE'],
  rate: RATE,
});

const place = (id: string | null, primary: boolean): ShippingLocation => ({
  id,
  name: 'Workshop',
  latitude: 0,
  longitude: 0,
  address: { line1: '1 Road', city: 'Nairobi', state: null, postal_code: null, country: 'KE' },
  hours: null,
  instructions: null,
  ships: true,
  pickup: false,
  primary,
});

const config = (part: Partial<ShippingConfig>): ShippingConfig => ({
  restriction: 'none',
  fulfil_from: 'primary',
  locations: [],
  zones: [],
  tiers: [],
  fallback: null,
  updated_at: '2026-03-02T09:00:00.000Z',
  ...part,
});

const idsOf = ({ zones }: ShippingConfig) => zones.map(({ id }) => id);

describe('the shipping configuration of the dashboard', () => {
  const saved = config({ zones: [zone('a'), zone('b'), zone('c')] });

  it('replaces an item where it stands', () => {
    const { zones } = withItem(saved, 'zones', zone('b', 'Coast'));
    expect(zones.map(({ name }) => name)).toEqual(['a', 'Coast', 'c']);
  });

  it('keeps the translations of a rate and its options', () => {
    const translations = { de: { name: 'Küste' } };
    const rate = {
      ...RATE,
      translations: { de: { estimate: 'heute' } },
      options: [
        { id: 'o', name: 'Bike', fee: 1, minimum_order: 0, free_threshold: null, estimate: null, translations },
      ],
    };
    expect(rateOf({ ...rateDraftOf(rate), fee: 7 })).toEqual({ ...rate, fee: 7 });
  });

  it('adds new items at the end, without ids too', () => {
    expect(idsOf(withItem(withItem(saved, 'zones', zone(null)), 'zones', zone(null)))).toEqual([
      'a',
      'b',
      'c',
      null,
      null,
    ]);
  });

  it('puts a removed item back to its place', () => {
    const without = withoutItem(saved, 'zones', 'b');
    expect(idsOf(without)).toEqual(['a', 'c']);
    expect(idsOf(withItem(without, 'zones', zone('b'), 1))).toEqual(['a', 'b', 'c']);
  });

  it('orders zones, and puts one that was added meanwhile at the end', () => {
    expect(idsOf(inOrder(saved, ['c', 'a']))).toEqual(['c', 'a', 'b']);
  });

  it('marks one place as primary', () => {
    const { locations } = withLocation(config({ locations: [place('a', true), place('b', false)] }), place('b', true));
    expect(locations.map(({ primary }) => primary)).toEqual([false, true]);
  });
});
