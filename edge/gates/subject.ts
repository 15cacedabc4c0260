// Whether a call needs a customer's session, and whether it is about that very customer (contract 1, "Session failures"
// and "Order of checks").
import { type EdgeOrigin, ITSELF } from '#edge/own_call.ts';
import type { Parameter, Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import type { Principal } from './principal.ts';
import { readQuery } from './query.ts';
import { type CustomerSessions, readToken, type Shopper, sendsEmptyToken } from './session.ts';

const MISSING = refuse('unauthorized', 'A customer session is required.', {
  hint: 'Send one of the headers x-auth-token, x-external-auth and x-idp-token.',
});
const ANOTHER = refuse('forbidden', 'The session belongs to another customer.');

/** The name of the path's part that is a customer's id. */
const CUSTOMER_IN_PATH = /\/customers\/:(\w+)/;
const FIELD = 'customer_id';

const isSubject = (shopper: Shopper, named: string): boolean => named.toLowerCase() === shopper.customer;

/** What one endpoint demands: a session or none, and that the customer it names is the session's own. */
export class SubjectGate {
  readonly #rule: Route['access']['session'];
  readonly #inPath: string | null;
  readonly #inQuery: readonly Parameter[];
  readonly #inRequest: boolean;

  constructor({ access, path, query, request }: Pick<Route, 'access' | 'path' | 'query' | 'request'>) {
    this.#rule = access.session;
    this.#inPath = path.includes(`:${FIELD}`) ? FIELD : (CUSTOMER_IN_PATH.exec(path)?.[1] ?? null);
    this.#inQuery = query.filter(({ name }) => name === FIELD);
    this.#inRequest = Object.hasOwn((request.properties ?? {}) as object, FIELD);
  }

  /** The shopper; null where the call may go on without one. */
  enter(
    sessions: CustomerSessions,
    principal: Principal,
    headers: Headers,
    params: Readonly<Record<string, string>>,
    search: string,
    origin: EdgeOrigin = ITSELF,
  ): Shopper | null | Refusal | Promise<Shopper | Refusal> {
    const token = readToken(headers);
    if (token instanceof Refusal) return token;
    const named = this.#named(params, search);
    if (token === null) return this.#withoutSession(principal, headers, named !== null);
    const judge = (shopper: Shopper | Refusal): Shopper | Refusal =>
      shopper instanceof Refusal || named === null || isSubject(shopper, named) ? shopper : ANOTHER;
    const shopper = sessions.shopper(principal, token, origin);
    return shopper instanceof Promise ? shopper.then(judge) : judge(shopper);
  }

  /**
   * The customer whom the whole input names, once the body is parsed: null where the caller may mean them. Their id is then
   * written as we write it, since two spellings of a UUID are one customer.
   */
  checkInput(shopper: Shopper | null, input: Record<string, unknown>, keyType?: Principal['keyType']): Refusal | null {
    if (shopper && this.#inPath !== null) input[this.#inPath] = shopper.customer;
    const named = this.#inRequest ? input[FIELD] : undefined;
    if (typeof named !== 'string') return null;
    if (!shopper) return this.#onlyHimself(keyType) ? MISSING : null;
    if (!isSubject(shopper, named)) return ANOTHER;
    input[FIELD] = shopper.customer;
    return null;
  }

  #withoutSession({ keyType }: Principal, headers: Headers, named: boolean): Refusal | null {
    if (this.#rule === 'customer') return MISSING;
    if (this.#rule === 'when_named' || this.#rule === 'named_or_store')
      return named && this.#onlyHimself(keyType) ? MISSING : null;
    // A server that passes on the empty session of a shopper who is signed out speaks for them, not for the store.
    return keyType === 'secret' && !sendsEmptyToken(headers) ? null : MISSING;
  }

  /** Whether a customer may be named by their own session alone. */
  #onlyHimself(keyType: Principal['keyType'] | undefined): boolean {
    return this.#rule === 'when_named' || (this.#rule === 'named_or_store' && keyType !== 'secret');
  }

  /** The customer whom path or query name; a name that cannot be read belongs to no customer. */
  #named(params: Readonly<Record<string, string>>, search: string): string | null {
    if (this.#inPath !== null) return params[this.#inPath] ?? '';
    if (this.#inQuery.length === 0 || search === '') return null;
    const read: Record<string, unknown> = {};
    const malformed = readQuery(search, this.#inQuery, read);
    return typeof read[FIELD] === 'string' ? read[FIELD] : malformed ? '' : null;
  }
}
