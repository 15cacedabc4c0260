// Presents a read within this process to a handler as a call.
import type { Call, Tenant } from '#runtime/call/call.ts';
import { NO_BYTES } from '#runtime/link/frame.ts';

const NOTHING: Partial<Call> = {};

export class InnerCall implements Call {
  readonly tenant: Tenant;
  readonly deadline: number;
  readonly #options: Partial<Call>;
  readonly idempotency = null;
  readonly contentType = '';
  readonly rawBody = NO_BYTES;

  constructor(tenant: Tenant, deadline: number, options: Partial<Call> = NOTHING) {
    this.tenant = tenant;
    this.deadline = deadline;
    this.#options = options;
  }

  get keyType(): Call['keyType'] {
    return this.#options.keyType ?? 'internal';
  }
  get keyId(): string {
    return this.#options.keyId ?? '';
  }
  get customer(): string | null {
    return this.#options.customer ?? null;
  }
  get customerSession(): string | null {
    return this.#options.customerSession ?? null;
  }
  get staffSession(): string | null {
    return this.#options.staffSession ?? null;
  }
  get session(): string | null {
    return this.#options.session ?? null;
  }
  get requestId(): string {
    return this.#options.requestId ?? '';
  }
  get trace(): string {
    return this.#options.trace ?? '';
  }
  get revisionMin(): number {
    return this.#options.revisionMin ?? 0;
  }
  get signal(): AbortSignal {
    return new AbortController().signal;
  }
}
