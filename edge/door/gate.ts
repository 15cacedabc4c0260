// Who comes in by the door: asked with a request's head, when nothing has been read of it but that.
import type { AdmissionPoint, AdmittedCall, LoadAdmission } from '#edge/admission/admission.ts';
import { refusalResponse } from '#edge/answer.ts';
import type { Principals } from '#edge/gates/principal.ts';
import { requestIdOf } from '#edge/gates/request_id.ts';
import { RequestContext } from '#edge/request_context.ts';
import type { Refusal } from '#runtime/call/call.ts';

const AUTHORIZATION = /\nauthorization:[ \t]*([^\r]*?)[ \t]*\r/i;
const REQUEST_ID = /\nx-request-id:[ \t]*([^\r]*?)[ \t]*\r/i;
const LAST = /^[^\r]* HTTP\/1\.0\r|\nconnection:[^\r]*close/i;

/** A request that may come in; counted from when all of it is there. */
export interface Admitted {
  readonly point: AdmissionPoint;
  readonly store: string;
}

/** Stands in a prepared answer where a request's id will. */
const MARK = '00000000-0000-4000-8000-000000000000';

/** Refusals of many: made once, and of each only the request's id is its own. */
const prepare = (refusal: Refusal) => {
  const context = new RequestContext(new Request('http://edge/'), MARK);
  const { headers } = refusalResponse(context, refusal);
  const lines = ['HTTP/1.1 503 Service Unavailable'];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return { head: lines.join('\r\n'), body: context.refused ?? '' };
};

export class DoorGate {
  readonly #admission: LoadAdmission;
  readonly #principals: Principals;
  readonly #prepared = new Map<Refusal, ReturnType<typeof prepare>>();

  constructor(admission: LoadAdmission, principals: Principals) {
    this.#admission = admission;
    this.#principals = principals;
  }

  /** Null: it is always let in. `head` is the whole of it. */
  ask(verb: string, target: string, head: string): Admitted | Refusal | null {
    const point = this.#admission.find(verb, target);
    if (point === null) return null;
    // Requests of keys that are not known yet, or are none, are one store's.
    const store = this.#principals.known(AUTHORIZATION.exec(head)?.[1] ?? '')?.tenant.store ?? '';
    return this.#admission.refusal(point, store) ?? { point, store };
  }

  enter({ point, store }: Admitted): AdmittedCall {
    return this.#admission.enter(point, store, performance.now());
  }

  /** The answer to a refused request as bytes of HTTP. `closing`: nothing more is read of its connection. */
  answer(refusal: Refusal, head: string, bare: boolean, closing: boolean): { bytes: Uint8Array; requestId: string } {
    let prepared = this.#prepared.get(refusal);
    if (!prepared) {
      prepared = prepare(refusal);
      this.#prepared.set(refusal, prepared);
    }
    const requestId = requestIdOf(REQUEST_ID.exec(head)?.[1] ?? null);
    const body = prepared.body.replace(MARK, requestId);
    const own = `${prepared.head.replace(MARK, requestId)}\r\n${closing ? 'connection: close\r\n' : ''}`;
    const text = `${own}date: ${new Date().toUTCString()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return { bytes: Buffer.from(bare ? text : text + body), requestId };
  }

  /** The caller ends the connection after this request. */
  isLast(head: string): boolean {
    return LAST.test(head);
  }
}
