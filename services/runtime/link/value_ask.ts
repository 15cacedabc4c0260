// Represents a request by its value, which is serialized only when it is sent over a link.
import type { Idempotency } from '#runtime/call/call.ts';
import type { Ask, Caller } from './frame.ts';

export class ValueAsk implements Ask {
  readonly rpc: string;
  readonly caller: Caller;
  readonly value: unknown;
  readonly isInProcess: boolean;
  readonly timeoutMs: number;
  readonly requestId: string;
  readonly trace: string;
  readonly rawBody: Uint8Array | null;
  readonly contentType: string;
  readonly idempotency: Idempotency | null;
  readonly revisionMin: number;
  readonly session: string | undefined;
  readonly clientAddress: string | undefined;

  constructor(ask: Omit<Ask, 'input'>) {
    this.rpc = ask.rpc;
    this.caller = ask.caller;
    this.value = ask.value;
    this.isInProcess = ask.isInProcess ?? false;
    this.timeoutMs = ask.timeoutMs;
    this.requestId = ask.requestId;
    this.trace = ask.trace;
    this.rawBody = ask.rawBody;
    this.contentType = ask.contentType;
    this.idempotency = ask.idempotency;
    this.revisionMin = ask.revisionMin;
    this.session = ask.session;
    this.clientAddress = ask.clientAddress;
  }

  get input(): string {
    return JSON.stringify(this.value);
  }
}
