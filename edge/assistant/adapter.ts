// Interface of a protocol adapter, which parses requests, calls the core and formats responses. Adapters are stateless.
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
  /** URL of the store for assistants, without a trailing slash; all links begin with it. */
  readonly base: string;
  /** URL at which the request found the store: `base`, or the root of one of the store's domains. */
  readonly found: string;
  readonly core: Core;
}

export interface Adapter {
  readonly protocol: Protocol;
  /** Returns whether requests to this path without a key act in production. */
  keyless(path: string): boolean;
  serve(call: AssistantCall): Response | null | Promise<Response | null>;
  refuse(context: RequestContext, refusal: Refusal): Response;
}
