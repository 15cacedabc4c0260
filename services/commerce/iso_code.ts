// Refuses codes of currencies and countries that ISO does not list.
import { invalid, quoted, type Refusal } from '#runtime/call/call.ts';

export const unknownCurrency = (code: string | null | undefined, param = 'currency'): Refusal =>
  invalid(param, `The currency ${quoted(code ?? '')} is not in ISO 4217. Send a code such as USD.`);

export const unknownCountry = (code: string | null | undefined, param = 'country'): Refusal =>
  invalid(param, `The country ${quoted(code ?? '')} is not in ISO 3166-1. Send a code such as KE.`);
