// Parses the `fields` parameter and reduces a response to the fields that it names.
import type { FieldTree } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { pickFields, type WantedFields, wantedFields } from '#values/field.ts';

const FIELDS_MAX = 200;

const exists = (name: string, tree: FieldTree): boolean => {
  let level: FieldTree | 'any' | true = tree;
  for (const part of name.split('.')) {
    if (level === true) return false;
    if (level === 'any') {
      if (part === '') return false;
      continue;
    }
    const below: FieldTree | 'any' | true | undefined = Object.hasOwn(level, part) ? level[part] : undefined;
    if (below === undefined) return false;
    level = below;
  }
  return true;
};

/** Parses a list such as `id,name,variants.sku`; refuses unknown names. */
export function readFields(text: string, tree: FieldTree): WantedFields | Refusal {
  const names = text.split(',');
  if (names.length > FIELDS_MAX)
    return refuse('invalid_request', `\`fields\` lists ${names.length} names; send at most ${FIELDS_MAX}.`, {
      param: 'fields',
    });
  const unknown = names.map((name) => name.trim()).find((name) => !exists(name, tree));
  return unknown === undefined
    ? wantedFields(text)
    : refuse('invalid_request', `\`fields\` names an unknown field: "${unknown.slice(0, 100)}".`, { param: 'fields' });
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Reduces a response to the wanted fields. `envelope` names the field that contains the resource; empty if there is
 * none.
 */
export function selectFields(body: Uint8Array, envelope: string, wanted: WantedFields): Uint8Array {
  const answer = JSON.parse(decoder.decode(body)) as Record<string, unknown>;
  const result =
    envelope === '' ? pickFields(answer, wanted) : { ...answer, [envelope]: pickFields(answer[envelope], wanted) };
  return encoder.encode(JSON.stringify(result));
}
