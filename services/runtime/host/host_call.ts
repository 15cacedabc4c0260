// Presents a request from the link to a handler as a call, reading each field on demand.
import type { AuditedCall } from '#runtime/audit/audit.ts';
import type { CommandAudit } from '#runtime/audit/command_audit.ts';
import type { Call, Tenant } from '#runtime/call/call.ts';
import { type Ask, NO_BYTES } from '#runtime/link/frame.ts';
import type { Cancellation } from '#runtime/link/server.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

export class HostCall implements Call {
  readonly #ask: Ask;
  readonly #cancellation: Cancellation;
  readonly deadline: number;
  readonly trace: string;
  readonly audited: AuditedCall | null;
  #controller: AbortController | null = null;

  constructor(ask: Ask, deadline: number, cancellation: Cancellation, trace: string, audited: AuditedCall | null) {
    this.#ask = ask;
    this.trace = trace;
    this.deadline = deadline;
    this.#cancellation = cancellation;
    this.audited = audited;
  }

  get tenant(): Tenant {
    return this.#ask.caller.tenant;
  }
  get keyType(): Call['keyType'] {
    return this.#ask.caller.keyType;
  }
  get keyId(): string {
    return this.#ask.caller.keyId;
  }
  get customer(): string | null {
    return this.#ask.caller.customer;
  }
  get customerSession(): string | null {
    return this.#ask.caller.customerSession ?? null;
  }
  get staffSession(): string | null {
    return this.#ask.caller.staffSession ?? null;
  }
  get session(): string | null {
    return this.#ask.session ?? null;
  }
  get requestId(): string {
    return this.#ask.requestId;
  }
  get idempotency(): Call['idempotency'] {
    return this.#ask.idempotency;
  }
  get revisionMin(): number {
    return this.#ask.revisionMin;
  }
  get contentType(): string {
    return this.#ask.contentType;
  }
  get rawBody(): Uint8Array {
    return this.#ask.rawBody ?? NO_BYTES;
  }
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      this.#cancellation.onCancel(() => controller.abort());
    }
    return this.#controller.signal;
  }
}

/**
 * Records a call of a handler that commits its effect itself, in that transaction. A call between domains has no record.
 * Without this the host records the call in another transaction, after the effect.
 */
export const recordInOwn = (call: Call, tx: Transaction, input: unknown, reply: unknown): void => {
  if (call instanceof HostCall) call.audited?.addInOwn(tx, call, input, reply);
};

/** Returns the record of a call whose effect is a command: the actor's journal stores it. Null: the call has no record. */
export const recordInJournal = (call: Call): CommandAudit | null =>
  (call instanceof HostCall && call.audited?.leaveToJournal(call)) || null;
