// Refusals of the API and of the shop's server, as a shopper reads them.
import { isTextName, type Text } from './wording.ts';

/** A refusal whose message is shown to the shopper; empty if the shop's server sent none. */
export class ShopRefusal extends Error {
  /** HTTP status that the shop's server sent; 0 for refusals by the page itself. */
  readonly status: number;
  /** The API's code; null if the message is the page's own. */
  readonly code: string | null;

  constructor(message: string, status = 0, code: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface ApiRefusal {
  readonly code: string;
  readonly message: string;
}

/** Returns the API's sentence in English; in other languages one for its code, since the API writes English alone. */
export const refusalText = ({ code, message }: ApiRefusal, text: Text): string => {
  const name = `refusal.${code}`;
  return text(isTextName(name) ? name : 'refusal.unknown', { message });
};
