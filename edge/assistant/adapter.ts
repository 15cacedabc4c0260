// What a protocol's adapter is: it reads requests in its protocol's words, asks the core, and answers in the same words.
// It keeps nothing between two requests.
import type { RequestContext } from '#edge/request_context.ts';
import type { Environment, Refusal } from '#runtime/call/call.ts';
import type { Core } from './core.ts';
import type { AssistantStore, Protocol } from './shop.ts';

/** One request to an adapter, behind the gates. */
export interface AssistantCall {
  readonly context: RequestContext;
  readonly shop: AssistantStore;
  readonly environment: Environment;
  /** Whether a secret key stands behind it: the store itself. */
  readonly secret: boolean;
  /** Behind the protocol's own name: `/checkout_sessions/…`, empty at its root. */
  readonly path: string;
  /** Without its question mark. */
  readonly search: string;
  /** The store's address for assistants, without a slash at its end: links of every answer begin with it. */
  readonly base: string;
  /** The address at which this request found the store: `base`, or the root of one of its domains. */
  readonly found: string;
  readonly core: Core;
}

export interface Adapter {
  readonly protocol: Protocol;
  /** Whether a request to this path without a key shops in production. */
  keyless(path: string): boolean;
  /** Null: there is no such path. A thrown fault leaves as `refuse(context, server_error)`. */
  serve(call: AssistantCall): Response | null | Promise<Response | null>;
  /** What a gate, or a fault, has to say, as the protocol's clients read it. */
  refuse(context: RequestContext, refusal: Refusal): Response;
}
