// Calls a sandbox's public API for `stoa trigger`, signed where required; a failed call throws.
import { randomUUID } from 'node:crypto';
import { SetupError } from '#services/cli/local/child.ts';
import type { SandboxAccess } from '#services/cli/sandbox_access.ts';
import { signatureHeaders } from '#services/cli/signing.ts';

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

  /** Signed, with an idempotency key of its own. */
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
