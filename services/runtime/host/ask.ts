// Calls one domain from another. Reads in the same process share the value without a copy; all other calls go through
// the host's dispatch.
import { type Call, type Refusal, Rendered, type Tenant } from '#runtime/call/call.ts';
import type { AskDomain } from '#runtime/domain/runtime.ts';
import { Cancellation } from '#runtime/link/server.ts';
import { ValueAsk } from '#runtime/link/value_ask.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Host } from './host.ts';
import { InnerCall } from './inner_call.ts';

/** Shorter than the edge's deadline, so that the edge gets an answer before that deadline. */
const ASK_TIMEOUT_MS = 5_000;

type Options = Partial<Call> & { readonly reads?: boolean; readonly rendered?: boolean };
type AskResult = object | Refusal;

const decoder = new TextDecoder();

/** Creates `ask`. `host` is a function, because domains get `ask` before the host exists. */
export const openAsk = (host: () => Host, clock: Clock): AskDomain => {
  const asValue = (reply: unknown, rendered: boolean): AskResult => {
    if (reply instanceof Rendered && !rendered) return JSON.parse(decoder.decode(reply.body));
    return reply as AskResult;
  };

  const dispatched = async (rpc: string, tenant: Tenant, input: unknown, options: Options): Promise<AskResult> => {
    const reads = options.reads === true;
    const answer = await host().dispatch(
      new ValueAsk({
        rpc,
        caller: {
          tenant,
          keyType: options.keyType ?? 'internal',
          keyId: options.keyId ?? '',
          customer: options.customer ?? null,
          customerSession: options.customerSession ?? undefined,
          staffSession: options.staffSession ?? undefined,
        },
        session: options.session ?? undefined,
        timeoutMs: options.deadline ? options.deadline - clock.real() : ASK_TIMEOUT_MS,
        requestId: options.requestId ?? '',
        trace: options.trace ?? '',
        value: reads ? input : JSON.parse(JSON.stringify(input)),
        isInProcess: true,
        rawBody: null,
        contentType: '',
        idempotency: null,
        revisionMin: options.revisionMin ?? 0,
      }),
      new Cancellation(),
    );
    if (answer.refused) return answer.refused;
    if (options.rendered) return new Rendered(answer.list ?? answer.body, answer.dependsOn, answer.freshMs);
    return JSON.parse(answer.text ?? decoder.decode(answer.body));
  };

  const ask = (rpc: string, tenant: Tenant, input: unknown, options: Options = {}): AskResult | Promise<AskResult> => {
    if (!options.reads) return dispatched(rpc, tenant, input, options);
    const deadline = options.deadline ?? clock.real() + ASK_TIMEOUT_MS;
    const looked = host().readInProcess(rpc, new InnerCall(tenant, deadline, options), input);
    if (looked === undefined) return dispatched(rpc, tenant, input, options);
    const rendered = options.rendered === true;
    return looked instanceof Promise ? looked.then((reply) => asValue(reply, rendered)) : asValue(looked, rendered);
  };

  // The type is safe: `Handlers` derives request and response types from the same map of rpcs.
  return ask as AskDomain;
};
