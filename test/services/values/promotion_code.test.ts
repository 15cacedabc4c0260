// As what promotion codes are kept and compared.
import { expect, test } from 'vitest';
import { normalCode } from '#values/promotion_code.ts';

test.each([
  [' spring ', 'SPRING'],
  ['Spring-10%', 'SPRING-10%'],
  ['e\u0301te\u0301', '\u00c9T\u00c9'],
  ['   ', ''],
])('the code %j is kept as %j', (entered, kept) => expect(normalCode(entered)).toBe(kept));
