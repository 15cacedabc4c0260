// Impacts: which occurrences say more about a product.
import { describe, expect, test } from 'vitest';
import { asking } from './named_product.ts';

describe('a part of a word', () => {
  // The other is newer, which decides ties.
  test.each([
    ['811', '811 clamp', 'lp811 clamp'],
    ['20', '20 cable', '20ft cable'],
    ['k1400', 'k1400 lamp', 'k1400.001 lamp'],
  ])('says less than the word: %s finds "%s" before "%s"', (query, whole, other) => {
    expect(asking([whole, other])(query).names).toEqual([whole, other]);
  });

  test('counts less, unlike a plural, which equals the word', () => {
    expect(asking(['bag', 'bags'])('bag').names).toEqual(['bags', 'bag']);
  });
});
