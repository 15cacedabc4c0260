// Field filtering: which names a caller may ask for, and an answer cut down to them.
import type { FieldTree } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';

/** Names asked for: `true` the whole field, a map its parts. */
type Wanted = Map<string, true | Wanted>;

/** Names in one `fields` parameter; more is not a question but a load. */
const FIELDS_MAX = 200;

/** Reads `id,name,variants.sku` against the names that exist. */
export function readFields(text: string, tree: FieldTree): Wanted | Refusal {
  const names = text.split(',');
  if (names.length > FIELDS_MAX)
    return refuse('invalid_request', `\`fields\` holds at most ${FIELDS_MAX} names.`, { param: 'fields' });
  const wanted: Wanted = new Map();
  for (const each of names) {
    const name = each.trim();
    const unknown = refuse('invalid_request', `\`fields\` names an unknown field: "${name.slice(0, 100)}".`, {
      param: 'fields',
    });
    let level: FieldTree | 'any' = tree;
    let into: Wanted = wanted;
    const parts = name.split('.');
    for (const [i, part] of parts.entries()) {
      const below: true | 'any' | FieldTree | undefined =
        level === 'any' ? (part === '' ? undefined : 'any') : Object.hasOwn(level, part) ? level[part] : undefined;
      if (below === undefined) return unknown;
      const last = i === parts.length - 1;
      if (!last && below === true) return unknown;
      const present = into.get(part);
      if (present === true) break;
      if (last) into.set(part, true);
      else {
        const nested: Wanted = present ?? new Map();
        into.set(part, nested);
        into = nested;
        level = below as FieldTree | 'any';
      }
    }
  }
  return wanted;
}

/** Exactly the wanted fields, in the answer's own order; a list is cut item by item. */
function pick(value: unknown, wanted: Wanted): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, wanted));
  if (value === null || typeof value !== 'object') return value;
  const kept: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const want = wanted.get(name);
    if (want === true) kept.push([name, field]);
    else if (want) kept.push([name, pick(field, want)]);
  }
  return Object.fromEntries(kept);
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Cuts a rendered answer; `envelope` names the field that holds the resource, empty for a bare one. */
export function cut(body: Uint8Array, envelope: string, wanted: Wanted): Uint8Array {
  const answer = JSON.parse(decoder.decode(body)) as Record<string, unknown>;
  const result = envelope === '' ? pick(answer, wanted) : { ...answer, [envelope]: pick(answer[envelope], wanted) };
  return encoder.encode(JSON.stringify(result));
}
