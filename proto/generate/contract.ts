// The contract as the generator sees it: every message, field and rpc of the proto files, read once and checked.
import type { DescField, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import { getComments } from '@bufbuild/protoplugin';

export interface Contract {
  readonly files: readonly ProtoFile[];
  /** Every endpoint, sorted by path and verb. */
  readonly endpoints: readonly EndpointShape[];
}

export interface ProtoFile {
  /** `catalog`, for `stoa/v1/catalog.proto`. */
  readonly name: string;
  readonly source: string;
  /** In an order in which a message stands after those that it holds. */
  readonly messages: readonly MessageShape[];
  readonly services: readonly Service[];
}

export interface Service {
  readonly name: string;
  readonly comment: string;
  readonly internal: boolean;
  readonly rpcs: readonly Rpc[];
}

export interface Rpc {
  readonly service: string;
  readonly name: string;
  readonly comment: string;
  readonly request: MessageShape;
  readonly response: MessageShape;
}

export interface MessageShape {
  readonly name: string;
  readonly comment: string;
  readonly file: string;
  fields: readonly FieldShape[];
  /** Read from callers. A message that is both is generated twice, as `X` and `XInput`. */
  input: boolean;
  /** Shown to callers. */
  output: boolean;
  /** Exactly one of these is given, each some fields that stand together; empty where it has no such rule. */
  readonly oneOf: readonly (readonly string[])[];
  /** Alternatives, of which a value has one or more. */
  readonly anyOf: readonly (readonly string[])[];
  /** Types of events that show this message. */
  readonly webhooks: readonly Webhook[];
}

/** A type of event, and when it is sent. */
export interface Webhook {
  readonly type: string;
  readonly when: string;
}

export interface FieldShape {
  readonly name: string;
  readonly comment: string;
  readonly shape: FieldType;
  readonly many: 'one' | 'list' | 'map';
  readonly nullable: boolean;
  /** Required by its rule, or because the path names it. */
  required: boolean;
  readonly absent: boolean;
  readonly query: boolean;
  /** The header that it is read from; empty where it is none. */
  readonly header: string;
  /** The edge writes the caller's network into it. */
  readonly network: boolean;
  /** The edge writes the name of the form's file into it. */
  readonly fileName: boolean;
  /** The edge writes the hash of a new session's token into it. */
  readonly newSession: boolean;
  /** The edge writes the answer's language into it. */
  readonly language: boolean;
  /** Whether a request's map may have null for a value. */
  readonly nullableValues: boolean;
  /** `fields` cannot name it. */
  readonly unnamed: boolean;
  /** A value for the documentation; undefined where none is given. */
  readonly example: unknown;
  /** The documented value when the field is left out; undefined without a fixed one. */
  readonly fallback: unknown;
  /** Bounds of a list's or map's size, and of a map's keys. */
  readonly size: { readonly min?: number; readonly max?: number; readonly unique?: boolean; readonly keyMax?: number };
}

export type FieldType =
  | {
      readonly kind: 'text';
      readonly min?: number;
      readonly max?: number;
      readonly pattern?: string;
      readonly format?: string;
      readonly among?: readonly string[];
    }
  | {
      readonly kind: 'number';
      readonly money: boolean;
      /** Bounds of the proto file. */
      readonly bounds: Bounds;
      /** Bounds of an integer's width; null for fractions. */
      readonly range: Bounds | null;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'message'; readonly message: MessageShape }
  | { readonly kind: 'object' | 'array' | 'any'; readonly type?: string };

/** Names of JSON Schema. */
export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export interface EndpointShape {
  readonly rpc: Rpc;
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The proto's spelling: `/v1/products/{id}`. */
  readonly path: string;
  /** False of a GET, and of what says that it only reads. */
  readonly writes: boolean;
  readonly access: {
    readonly key: 'none' | 'publishable' | 'secret' | 'secret_test' | 'operator' | 'staff';
    readonly session: 'none' | 'customer' | 'when_named' | 'or_store' | 'named_or_store';
    readonly signed: boolean;
    readonly live_only: boolean;
    readonly staff: boolean;
    readonly wholesale: boolean;
    readonly merchant: boolean;
    readonly operator: boolean;
    /** Scope of an access token; empty when only API keys call it. */
    readonly scope: string;
  };
  readonly limit: string;
  readonly cache: string;
  readonly status: number;
  readonly envelope: string;
  /** 0: the edge's default. */
  readonly timeoutMs: number;
  /** 0: unbounded. */
  readonly atOnce: number;
  /** The kind of content viewed; empty when a read counts no view. */
  readonly view: string;
  /** Whether its refusals are OAuth's error objects. */
  readonly oauth: boolean;
  readonly rendersFields: boolean;
  /** Name in generated clients. */
  readonly operation: string;
  /** Whether the audit log records calls by the store, though shoppers make the call, too. */
  readonly audited: boolean;
  /** Kind of record that the call changes. */
  readonly record: string;
  readonly body: { readonly bytes_max: number; readonly raw: readonly string[] } | null;
  readonly produces: string;
  readonly summary: string;
  readonly params: readonly FieldShape[];
  readonly query: readonly FieldShape[];
  readonly headers: readonly FieldShape[];
  /** The field that the caller's network is written into; null where none is. */
  readonly network: FieldShape | null;
  /** The field that the uploaded file's name is written into; null where the body is no file. */
  readonly fileName: FieldShape | null;
  /** The field that the hash of a new session's token is written into; null where none is. */
  readonly newSession: FieldShape | null;
  /** The field that chooses the answer's language; null where the answer has none. */
  readonly language: FieldShape | null;
  /** Whether success ends the staff session. */
  readonly endsSession: boolean;
  /** Fields read from the body. */
  readonly bodyFields: readonly FieldShape[];
}

/** Collects faults, so that one run shows all. */
export type Complain = (where: { readonly toString: () => string }, sentence: string) => void;

export const PACKAGE = 'stoa.v1';

/** The comment above the element, else the one behind it on its line. */
export const commentOf = (of: DescField | DescMessage | DescMethod | DescService): string => {
  const { leading, trailing } = getComments(of);
  return (leading ?? trailing ?? '').replace(/^ /gm, '').trim();
};
