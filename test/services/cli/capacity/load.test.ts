// Options of `stoa capacity plan`: their defaults, and the message for each that is missing or wrong.
import { expect, test } from 'vitest';
import { readLoad } from '#services/cli/capacity/load.ts';

test('defaults to a small shop', () => {
  expect(readLoad({ rps: '50' })).toEqual({ rps: 50, stores: 1, orders: 0, products: 200, cores: 8, spare: false });
});

test.each<[given: Parameters<typeof readLoad>[0], said: string]>([
  [{}, '--rps is missing.'],
  [{ rps: '' }, '--rps must be a whole number of at most 15 digits, not "".'],
  [{ rps: 'many' }, '--rps must be a whole number of at most 15 digits, not "many".'],
  [{ rps: '0' }, '--rps must be from 1 to 1000000000, not 0.'],
  [{ rps: '1.5' }, '--rps must be a whole number of at most 15 digits, not "1.5".'],
  [{ rps: '-5' }, '--rps must be a whole number of at most 15 digits, not "-5".'],
  [{ rps: '1e3' }, '--rps must be a whole number of at most 15 digits, not "1e3".'],
  [{ rps: '1', stores: '0' }, '--stores must be from 1 to 1000000000, not 0.'],
  [{ rps: '1', orders: '9999999999' }, '--orders must be from 0 to 1000000000, not 9999999999.'],
  [{ rps: '1', products: '0' }, '--products must be from 1 to 1000000000, not 0.'],
  [{ rps: '1', cores: 'all' }, '--cores must be a whole number of at most 15 digits, not "all".'],
])('refuses %j: %s', (given, said) => {
  expect(() => readLoad(given)).toThrow(said);
});
