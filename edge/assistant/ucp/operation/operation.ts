// An operation of UCP: what it takes and gives as JSON Schema, what it may do, and how the core is asked for it. Over MCP it
// is a tool, over REST an endpoint.
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import type { RetryKey } from '#edge/assistant/core.ts';
import type { AgentName } from '#proto/gen/shared.ts';
import { compile } from '#proto/validate.ts';
import { Refusal } from '#runtime/call/call.ts';
import { canonicalJson } from '#values/canonical_json.ts';

/** What every operation takes beside its own arguments. */
const Meta = Type.Optional(
  Type.Object(
    {
      'ucp-agent': Type.Optional(Type.Object({ profile: Type.Optional(Type.String({ maxLength: 2_048 })) })),
      'idempotency-key': Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: '^[\\x21-\\x7e]+$',
          description: 'The same at each retry of one call, which is then answered as the first time.',
        }),
      ),
    },
    { description: 'Who calls, and how a retry is recognised.' },
  ),
);

/** What an operation is called with. */
export interface OperationCall extends AssistantCall {
  readonly agent: AgentName;
  /** Where the calling platform hears of orders; null: it does not ask to. */
  readonly orderUrl: string | null;
  /** The address of the calling platform's profile; null: it names none. */
  readonly profile: string | null;
  /** Whether the platform has signed this request with a key of that profile. */
  readonly signed: boolean;
  /** Null: a retry would be a call of its own. */
  readonly retry: RetryKey | null;
}

/** What an operation gives: its document, and whether that tells of a refusal. */
export interface Given {
  readonly document: object;
  readonly refused: boolean;
}

export const given = (document: object): Given => ({ document, refused: false });
export const refusedWith = (document: object): Given => ({ document, refused: true });

export interface Trait {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** May take away what cannot be brought back. */
  readonly destructive: boolean;
  /** The same call again changes nothing more. */
  readonly idempotent: boolean;
}

export const READS: Trait = { readOnly: true, destructive: false, idempotent: true };
export const CREATES: Trait = { readOnly: false, destructive: false, idempotent: false };
export const CHANGES: Trait = { readOnly: false, destructive: false, idempotent: true };
export const ENDS: Trait = { readOnly: false, destructive: true, idempotent: true };

/** A refusal is one that no document tells of: the protocol's own error. */
export type Run<A> = (call: OperationCall, args: A) => Promise<Given | Refusal>;

export interface Operation {
  /** As `tools/list` shows it. */
  readonly shown: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly writes: boolean;
  run(call: Omit<OperationCall, 'agent' | 'retry'>, args: unknown, agentOf: AgentOf): Promise<Given | Refusal>;
}

export type AgentOf = (profile: string | undefined) => AgentName;

interface Said<S extends TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly trait: Trait;
  readonly input: S;
  /** One of them is given. */
  readonly output: readonly TSchema[];
}

export const operation = <S extends TObject>(said: Said<S>, run: Run<Static<S>>): Operation => {
  const { name, title, description, trait, output } = said;
  const input = Type.Composite([Type.Object({ meta: Meta }), said.input]);
  const validate = compile({ request: input });
  const own = TypeCompiler.Compile(said.input);
  const meta = TypeCompiler.Compile(Type.Object({ meta: Meta }));
  return {
    writes: !trait.readOnly,
    shown: {
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

/** A document schema as clients read it. */
export const asSchema = (shown: Operation['shown']): unknown => JSON.parse(JSON.stringify(shown));
