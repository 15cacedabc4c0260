// The shape of one row of the generated route table: all that the edge knows of an endpoint.
import type { TSchema } from '@sinclair/typebox';

export interface Route {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Elysia's spelling: `/v1/products/:id`. */
  readonly path: string;
  /** `Service/Method`, the name on the link: `Catalog/GetProduct`. */
  readonly rpc: string;
  /** Whether the call changes anything: a lost answer of one that does is unknown, of any other it is asked for again. */
  readonly writes: boolean;
  readonly access: {
    readonly key: 'none' | 'publishable' | 'secret' | 'secret_test' | 'operator' | 'staff';
    readonly session: 'none' | 'customer' | 'when_named' | 'or_store' | 'named_or_store';
    readonly signed: boolean;
    readonly live_only: boolean;
    /** Whether a staff session acts as the store, without the customer session that keys need. */
    readonly staff?: true;
    readonly wholesale: boolean;
    /** Whether an operator's key may call it for the merchant that `store_id` names. */
    readonly merchant: boolean;
    /** Whether an operator's key may call it for itself. */
    readonly operator: boolean;
    /** The scope that an access token needs; empty: no access token may call it. */
    readonly scope: string;
  };
  readonly limit: 'plan' | 'none' | 'auth' | 'payment' | 'review' | 'usage' | 'reset';
  readonly cache: 'none' | 'catalog' | 'feed' | 'revalidate' | 'review' | 'content' | 'section' | 'shipping';
  /** HTTP status of success. */
  readonly status: number;
  /** How long the edge waits for the answer, where that is not its default. */
  readonly timeout_ms?: number;
  /** How many of these calls one edge has under way, where that is bounded; the others wait there. */
  readonly at_once?: number;
  /** Refusals leave as OAuth's error objects. */
  readonly oauth?: true;
  /** The service renders by `fields` itself. */
  readonly renders_fields?: true;
  /** The kind of content, named by its slug, when an answer to a shopper is a view. */
  readonly view?: 'post' | 'lookbook';
  /** The response field that `fields` filters; empty: the response itself. */
  readonly envelope: string;
  /** Whether the request has a `fields` parameter, and the tree of names it may hold. */
  readonly fields: FieldTree | null;
  readonly body: {
    readonly bytes_max: number;
    /** Media types accepted beside application/json, passed on as bytes. */
    readonly raw: readonly string[];
  } | null;
  /** Request fields read from the path, in order. */
  readonly params: readonly Parameter[];
  /** Request fields read from the query string. */
  readonly query: readonly Parameter[];
  /** Request fields read from headers. */
  readonly headers: readonly { readonly name: string; readonly header: string }[];
  /** The request field that the edge writes the caller's network into, where there is one. */
  readonly network?: string;
  /** The request field that the edge writes the answer's language into, where there is one. */
  readonly language?: string;
  /** The request field that names the uploaded file, where the body is one. */
  readonly file_name?: string;
  /** The request field that the edge writes the hash of a new staff session's token into; success sets the cookie. */
  readonly new_session?: string;
  /** Success deletes the cookie of the staff session. */
  readonly ends_session?: true;
  /** The whole request: body, query and path in one object. */
  readonly request: TSchema;
  readonly response: TSchema;
  /** `application/json`, or the media type of what the handler renders. */
  readonly produces: string;
  /** A finished OpenAPI 3 operation object. */
  readonly operation: Json;
}

/** How a text from the URL becomes a value of the request. */
export interface Parameter {
  readonly name: string;
  /** `texts` is a comma-separated list. */
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'texts';
}

/** Names that `fields` may hold: `true` a leaf, `'any'` a free-form object whose keys are unknown, a tree a nested one. */
export interface FieldTree {
  readonly [name: string]: true | 'any' | FieldTree;
}

/** A piece of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;
