// Defines a protocol adapter: parses requests, calls the core, and formats responses. Adapters are stateless.
import type { RequestContext } from '#edge/request_context.ts';
import type { Environment, Refusal } from '#runtime/call/call.ts';
import type { AssistantStore, Protocol } from './assistant_store.ts';
import type { Core } from './core.ts';

export interface AssistantCall {
  readonly context: RequestContext;
  readonly shop: AssistantStore;
  readonly environment: Environment;
  readonly secret: boolean;
  /** Path after the protocol's name, such as `/checkout_sessions/…`; empty at the root. */
  readonly path: string;
  readonly search: string;
  /** Store's address for assistants, without trailing slash; prefix of all links. */
  readonly base: string;
  /** Address of this request: `base`, or the root of one of the store's domains. */
  readonly found: string;
  readonly core: Core;
}

export interface Adapter {
  readonly protocol: Protocol;
  /** Whether keyless requests to this path act in production. */
  keyless(path: string): boolean;
  serve(call: AssistantCall): Response | null | Promise<Response | null>;
  refuse(context: RequestContext, refusal: Refusal): Response;
}
