// Calls a sandbox's public API for `stoa trigger`, signed where required, and creates the records that the actions
// need.
import { randomBytes, randomUUID } from 'node:crypto';
import { SetupError } from '#services/cli/local/child.ts';
import type { SandboxAccess } from '#services/cli/sandbox_access.ts';
import { signatureHeaders } from '#services/cli/signing.ts';

export type Action = (sandbox: Sandbox) => Promise<SandboxAnswer>;

const PASSWORD = 'correct horse battery';

export const name = (noun: string): string => `${noun} ${randomUUID().slice(0, 8)}`;
export const email = (): string => `trigger-${randomUUID().slice(0, 8)}@example.com`;

export const product = (sandbox: Sandbox, more: object = {}): Promise<SandboxAnswer> =>
  sandbox.post('/v1/products', {
    name: name('Triggered lamp'),
    price: 20,
    stock: 10,
    shipping_info: { requires_shipping: false },
    ...more,
  });

/** Returns a random network address, so that sign-ups stay below the limit per network. */
const network = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;

export const customer = (sandbox: Sandbox): Promise<SandboxAnswer> =>
  sandbox.post('/v1/auth/register', { email: email(), password: PASSWORD }, { 'x-shopper-ip': network() });

export const travel = (sandbox: Sandbox, ms: number): Promise<SandboxAnswer> =>
  sandbox.post('/v1/sandbox/time-travel', { advance_seconds: Math.ceil(ms / 1_000) });

const REPLY_MS = 70_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type SandboxAnswer = any;

export class Sandbox {
  readonly #access: SandboxAccess;

  constructor(access: SandboxAccess) {
    this.#access = access;
  }

  get = (path: string, headers: Record<string, string> = {}): Promise<SandboxAnswer> =>
    this.#send('GET', path, null, headers);
  post = (path: string, body: object = {}, headers: Record<string, string> = {}): Promise<SandboxAnswer> =>
    this.#send('POST', path, body, headers);
  patch = (path: string, body: object, headers: Record<string, string> = {}): Promise<SandboxAnswer> =>
    this.#send('PATCH', path, body, headers);
  put = (path: string, body: object): Promise<SandboxAnswer> => this.#send('PUT', path, body, {});
  delete = (path: string): Promise<SandboxAnswer> => this.#send('DELETE', path, null, {});

  sign(verb: 'POST' | 'PATCH', path: string, body: object): Promise<SandboxAnswer> {
    const { hmacSecret } = this.#access;
    if (hmacSecret === null)
      throw new SetupError("This call must be signed. Set STOA_HMAC_SECRET to the store's HMAC secret for tests.");
    return this.#send(verb, path, body, {
      ...signatureHeaders(hmacSecret, JSON.stringify(body)),
      'idempotency-key': randomUUID(),
    });
  }

  async #send(
    verb: string,
    path: string,
    body: object | null,
    headers: Record<string, string>,
  ): Promise<SandboxAnswer> {
    let answer: Response;
    try {
      answer = await fetch(this.#access.baseUrl + path, {
        method: verb,
        headers: {
          authorization: `Bearer ${this.#access.key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REPLY_MS),
      });
    } catch (problem) {
      throw new SetupError(`${this.#access.baseUrl} does not answer: ${(problem as Error).message}`);
    }
    const text = await answer.text();
    if (!answer.ok) throw new SetupError(`${verb} ${path} failed with status ${answer.status}: ${text}`);
    return JSON.parse(text);
  }
}
