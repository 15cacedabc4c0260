// Checks whether a call needs a customer's session and whether the session's customer is the one that the call names.
import { EDGE_ORIGIN, type EdgeOrigin } from '#edge/own_call.ts';
import type { Parameter, Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import type { Principal } from './principal.ts';
import { readQuery } from './query.ts';
import { type CustomerSessions, readToken, type Shopper, sendsEmptyToken } from './session.ts';

const SESSION_REQUIRED = refuse('unauthorized', 'A customer session is required.', {
  hint: 'Send one of the headers x-auth-token, x-external-auth and x-idp-token.',
});
const OTHER_CUSTOMER = refuse('forbidden', 'The session belongs to another customer.');

const CUSTOMER_IN_PATH = /\/customers\/:(\w+)/;
const FIELD = 'customer_id';

const isSubject = (shopper: Shopper, named: string): boolean => named.toLowerCase() === shopper.customer;

export class SubjectGate {
  readonly #rule: Route['access']['session'];
  readonly #admitsStaff: boolean;
  readonly #inPath: string | null;
  readonly #inQuery: readonly Parameter[];
  readonly #inRequest: boolean;

  constructor({ access, path, query, request }: Pick<Route, 'access' | 'path' | 'query' | 'request'>) {
    this.#rule = access.session;
    this.#admitsStaff = access.staff === true;
    this.#inPath = path.includes(`:${FIELD}`) ? FIELD : (CUSTOMER_IN_PATH.exec(path)?.[1] ?? null);
    this.#inQuery = query.filter(({ name }) => name === FIELD);
    this.#inRequest = Object.hasOwn((request.properties ?? {}) as object, FIELD);
  }

  /** Returns the shopper; null if the call needs none. */
  enter(
    sessions: CustomerSessions,
    principal: Principal,
    headers: Headers,
    params: Readonly<Record<string, string>>,
    search: string,
    origin: EdgeOrigin = EDGE_ORIGIN,
  ): Shopper | null | Refusal | Promise<Shopper | Refusal> {
    const token = readToken(headers);
    if (token instanceof Refusal) return token;
    const named = this.#namedCustomer(params, search);
    if (token === null) return this.#withoutSession(principal, headers, named !== null);
    const judge = (shopper: Shopper | Refusal): Shopper | Refusal =>
      shopper instanceof Refusal || named === null || isSubject(shopper, named) ? shopper : OTHER_CUSTOMER;
    const shopper = sessions.shopper(principal, token, origin);
    return shopper instanceof Promise ? shopper.then(judge) : judge(shopper);
  }

  /**
   * Refuses the input if it names another customer; returns null if it may be used. Replaces the id by its canonical
   * spelling, because two spellings of a UUID are one customer.
   */
  checkInput(shopper: Shopper | null, input: Record<string, unknown>, keyType?: Principal['keyType']): Refusal | null {
    if (shopper && this.#inPath !== null) input[this.#inPath] = shopper.customer;
    const named = this.#inRequest ? input[FIELD] : undefined;
    if (typeof named !== 'string') return null;
    if (!shopper) return this.#requiresOwnSession(keyType) ? SESSION_REQUIRED : null;
    if (!isSubject(shopper, named)) return OTHER_CUSTOMER;
    input[FIELD] = shopper.customer;
    return null;
  }

  #withoutSession({ keyType, role }: Principal, headers: Headers, named: boolean): Refusal | null {
    // Staff of an operator act for a merchant as its shoppers do.
    const isStaff = role !== null && keyType === 'secret';
    if (this.#rule === 'customer') return this.#admitsStaff && isStaff ? null : SESSION_REQUIRED;
    if (this.#rule === 'when_named' || this.#rule === 'named_or_store')
      return named && this.#requiresOwnSession(keyType) ? SESSION_REQUIRED : null;
    // An empty session header says that a server acts for a signed-out shopper; without the header it acts for the
    // store.
    return keyType === 'secret' && !sendsEmptyToken(headers) ? null : SESSION_REQUIRED;
  }

  #requiresOwnSession(keyType: Principal['keyType'] | undefined): boolean {
    return this.#rule === 'when_named' || (this.#rule === 'named_or_store' && keyType !== 'secret');
  }

  /** Returns the customer id in the path or query; an empty string, which matches no customer, if it is malformed. */
  #namedCustomer(params: Readonly<Record<string, string>>, search: string): string | null {
    if (this.#inPath !== null) return params[this.#inPath] ?? '';
    if (this.#inQuery.length === 0 || search === '') return null;
    const read: Record<string, unknown> = {};
    const malformed = readQuery(search, this.#inQuery, read);
    return typeof read[FIELD] === 'string' ? read[FIELD] : malformed ? '' : null;
  }
}
