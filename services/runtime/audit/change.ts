// Compares a record before and after a write for the audit log: changed fields alone, bounded, without secrets and
// personal data. Pure.
import { isPersonalName } from '#values/personal_text.ts';
import { HIDDEN, isSecretName, withoutSecrets } from '#values/secret.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface AuditChange {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly shortened: boolean;
}

/** Bounds of the texts in characters: of each side, of a changed value, and of a value of a new record, which can be read. */
const SIDE_CHARACTERS_MAX = 3_500;
const CHANGED_CHARACTERS_MAX = 1_000;
const NEW_CHARACTERS_MAX = 250;

const DERIVED: ReadonlySet<string> = new Set(['updated_at', 'idempotent']);
type Hide = (value: unknown) => unknown;

const withoutPersons: Hide = (value) => {
  if (Array.isArray(value)) return value.map(withoutPersons);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isPersonal(name, inner) ? HIDDEN : withoutPersons(inner)]),
  );
};

const isPersonal = (name: string, value: unknown): boolean => value !== null && isPersonalName(name);

interface Side {
  readonly fields: JsonObject;
  readonly shortened: boolean;
}

const shownSide = (fields: JsonObject, persons: boolean, charactersMax: number): Side => {
  const shown: Record<string, unknown> = {};
  let left = SIDE_CHARACTERS_MAX;
  let shortened = false;
  for (const [name, value] of Object.entries(fields)) {
    if (DERIVED.has(name)) continue;
    const hidden = value !== null && (isSecretName(name) || (persons && isPersonalName(name)));
    const clean = hidden ? HIDDEN : withoutSecrets(persons ? withoutPersons(value) : value);
    const text = JSON.stringify(clean) ?? 'null';
    const room = Math.min(charactersMax, left - name.length);
    if (room < HIDDEN.length) {
      shortened = true;
      break;
    }
    const isLong = text.length > room;
    shown[name] = isLong
      ? `${(typeof clean === 'string' ? clean : text).slice(0, room).toWellFormed()}${HIDDEN}`
      : clean;
    shortened ||= isLong;
    left -= name.length + Math.min(text.length, room);
  }
  return { fields: shown, shortened };
};

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

const changedNames = (before: JsonObject, after: JsonObject): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isEqual(before[name], after[name]));

const fieldsOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

const nameOf = (item: JsonObject | null): unknown => item?.variant_id ?? item?.id;

const itemsById = (value: unknown): ReadonlyMap<unknown, JsonObject> | null => {
  if (!Array.isArray(value)) return null;
  const items = value.map(fieldsOf);
  return items.every((item) => nameOf(item) !== undefined)
    ? new Map(items.map((item) => [nameOf(item), item as JsonObject]))
    : null;
};

const difference = (value: unknown, other: unknown): unknown => {
  const [items, others] = [itemsById(value), itemsById(other)];
  if (items && others)
    return [...items].flatMap(([id, item]) => {
      const counterpart = others.get(id);
      if (!counterpart) return [item];
      const names = changedNames(item, counterpart);
      return names.length === 0
        ? []
        : [{ ...(item.variant_id ? { variant_id: id } : { id }), ...differing(item, counterpart) }];
    });
  const [fields, otherFields] = [fieldsOf(value), fieldsOf(other)];
  return fields && otherFields ? differing(fields, otherFields) : (value ?? null);
};

const differing = (fields: JsonObject, other: JsonObject): JsonObject =>
  Object.fromEntries(changedNames(fields, other).map((name) => [name, difference(fields[name], other[name])]));

/**
 * Returns the part of a write that the log shows. A null side: there is no such record, or its state is not known.
 * `persons`: the record has data of persons, which stays out of the log, since the record's id leads to it.
 */
export const auditChange = (persons: boolean, before: JsonObject | null, after: JsonObject | null): AuditChange => {
  const most = before === null ? NEW_CHARACTERS_MAX : CHANGED_CHARACTERS_MAX;
  const side = (fields: JsonObject | null, other: JsonObject | null): Side | null =>
    fields && shownSide(other ? differing(fields, other) : fields, persons, most);
  const [old, fresh] = [side(before, after), side(after, before)];
  return {
    before: old?.fields ?? null,
    after: fresh?.fields ?? null,
    shortened: (old?.shortened ?? false) || (fresh?.shortened ?? false),
  };
};
