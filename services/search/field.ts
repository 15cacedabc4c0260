// Reduces found products to the requested fields.
import type { RpcName } from '#proto/gen/rpcs.ts';
import type { FieldTree } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';

type Wanted = Map<string, true | Wanted>;

const FIELDS_MAX = 200;

/**
 * Returns the fields of the products in an rpc's answer. Imports the route table when first needed: importing takes an
 * eighth of a host's start, and few searches request `fields`.
 */
export const fieldTree = async (answered: RpcName): Promise<FieldTree> => {
  const { routes } = await import('#proto/gen/routes.ts');
  return routes.find(({ rpc }) => rpc === answered)?.fields ?? {};
};

export const fieldsOf = (text: string, tree: FieldTree): ((product: unknown) => unknown) | null | Refusal => {
  if (text === '') return null;
  const names = text.split(',').map((name) => name.trim());
  const wanted: Wanted = new Map();
  const unknown = names.length > FIELDS_MAX ? '' : names.find((name) => !enter(wanted, name.split('.'), tree));
  if (unknown === undefined) return (product) => pick(product, wanted);
  const message =
    unknown === ''
      ? '`fields` names too many or empty fields.'
      : `\`fields\` names an unknown field: "${unknown.slice(0, 100)}".`;
  return refuse('invalid_request', message, { param: 'fields' });
};

const enter = (wanted: Wanted, parts: readonly string[], tree: FieldTree): boolean => {
  let level: FieldTree | 'any' = tree;
  let into = wanted;
  for (const [at, part] of parts.entries()) {
    const below: true | 'any' | FieldTree | undefined =
      level === 'any' ? (part === '' ? undefined : 'any') : Object.hasOwn(level, part) ? level[part] : undefined;
    const last = at === parts.length - 1;
    if (below === undefined || (!last && below === true)) return false;
    const present = into.get(part);
    if (present === true) return true;
    if (last) into.set(part, true);
    else {
      const nested: Wanted = present ?? new Map();
      into.set(part, nested);
      into = nested;
      level = below as FieldTree | 'any';
    }
  }
  return true;
};

const pick = (value: unknown, wanted: Wanted): unknown => {
  if (Array.isArray(value)) return value.map((item) => pick(item, wanted));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const want = wanted.get(name);
      return want === undefined ? [] : [[name, want === true ? field : pick(field, want)] as const];
    }),
  );
};
