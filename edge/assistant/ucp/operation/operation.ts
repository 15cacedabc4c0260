// Defines UCP operations: JSON Schemas, traits and a handler. MCP offers them as tools, REST as endpoints.
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import type { RetryKey } from '#edge/assistant/core.ts';
import type { AgentName } from '#proto/gen/shared.ts';
import { compile } from '#proto/validate.ts';
import { Refusal } from '#runtime/call/call.ts';
import { canonicalJson } from '#values/json.ts';

const Meta = Type.Optional(
  Type.Object(
    {
      'ucp-agent': Type.Optional(Type.Object({ profile: Type.Optional(Type.String({ maxLength: 2_048 })) })),
      'idempotency-key': Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: '^[\\x21-\\x7e]+$',
          description: 'Same value for each retry of a call. A retry gets the first response.',
        }),
      ),
    },
    { description: 'Identifies the calling platform and retries.' },
  ),
);

export interface OperationCall extends AssistantCall {
  readonly agent: AgentName;
  readonly orderUrl: string | null;
  readonly profile: string | null;
  readonly signed: boolean;
  /** Null if the request has no idempotency key; a retry is then a new request. */
  readonly retry: RetryKey | null;
}

export interface OperationResult {
  readonly document: object;
  readonly refused: boolean;
}

export const succeededWith = (document: object): OperationResult => ({ document, refused: false });
export const refusedWith = (document: object): OperationResult => ({ document, refused: true });

export interface Trait {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

export const READS: Trait = { readOnly: true, destructive: false, idempotent: true };
export const CREATES: Trait = { readOnly: false, destructive: false, idempotent: false };
export const CHANGES: Trait = { readOnly: false, destructive: false, idempotent: true };
export const ENDS: Trait = { readOnly: false, destructive: true, idempotent: true };

/** Runs an operation. A returned `Refusal` is sent as a protocol error; an `OperationResult` is a document. */
export type Run<A> = (call: OperationCall, args: A) => Promise<OperationResult | Refusal>;

export interface Operation {
  readonly definition: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly writes: boolean;
  run(
    call: Omit<OperationCall, 'agent' | 'retry'>,
    args: unknown,
    agentOf: AgentOf,
  ): Promise<OperationResult | Refusal>;
}

export type AgentOf = (profile: string | undefined) => AgentName;

interface OperationSpec<S extends TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly trait: Trait;
  readonly input: S;
  readonly output: readonly TSchema[];
}

export const operation = <S extends TObject>(spec: OperationSpec<S>, run: Run<Static<S>>): Operation => {
  const { name, title, description, trait, output } = spec;
  const input = Type.Composite([Type.Object({ meta: Meta }), spec.input]);
  const validate = compile({ request: input });
  const own = TypeCompiler.Compile(spec.input);
  const meta = TypeCompiler.Compile(Type.Object({ meta: Meta }));
  return {
    writes: !trait.readOnly,
    definition: {
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: { type: 'object', anyOf: output },
      annotations: {
        title,
        readOnlyHint: trait.readOnly,
        destructiveHint: trait.destructive,
        idempotentHint: trait.idempotent,
        openWorldHint: false,
      },
    },
    run: async (call, args, agentOf) => {
      const verdict = validate(args ?? {});
      if (!verdict.ok)
        return new Refusal('invalid_request', verdict.message, verdict.param ? { param: verdict.param } : {});
      const { value } = verdict;
      if (!own.Check(value) || !meta.Check(value)) throw new Error(`the arguments of ${name} passed and do not fit`);
      const key = value.meta?.['idempotency-key'];
      const { meta: _meta, ...body } = value;
      const retry = key === undefined ? null : { key, body: canonicalJson([name, body]) };
      return run({ ...call, agent: agentOf(value.meta?.['ucp-agent']?.profile), retry }, value);
    },
  };
};

export const asSchema = (shown: Operation['definition']): unknown => JSON.parse(JSON.stringify(shown));
