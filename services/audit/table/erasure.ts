// Takes a person's texts out of the audit log: who changed which record and when stays.
import { type ErasureRule, mentionsAny, searchedAtOnce, wordsOf } from '#runtime/domain/personal_data.ts';
import { withoutTexts } from '#values/personal_text.ts';

interface AuditedChange {
  readonly id: string;
  readonly created_at: Date;
  readonly change: string | null;
}

const withoutPerson = (change: string): string => {
  const { before, after, shortened } = JSON.parse(change);
  return JSON.stringify({ before: withoutTexts(before), after: withoutTexts(after), shortened });
};

export const auditErasures: readonly ErasureRule[] = [
  {
    what: 'audit records',
    stage: 'trace',
    erase: async ({ sql }, person, after) => {
      const { store, environment } = person.tenant;
      const words = wordsOf(person);
      const limit = searchedAtOnce(words);
      const [time, last] = after?.split(' ') ?? [];
      const rows = await sql<AuditedChange[]>`
        select id, created_at,
          case when ${mentionsAny(sql, sql`coalesce(resource_id, '') || ' ' || change`, words)} then change end as change
        from (
          select id, created_at, resource_id, change from runtime.audit
          where store = ${store} and environment = ${environment}
            ${last === undefined ? sql`` : sql`and (created_at, id) > (${new Date(time!)}, ${last}::uuid)`}
          order by created_at, id limit ${limit}
        ) as page order by created_at, id`;
      const found = rows.flatMap(({ id, created_at, change: before }) => {
        const change = before && withoutPerson(before);
        return change === null || change === before ? [] : [{ id, created_at, change }];
      });
      if (found.length > 0)
        await sql`
          update runtime.audit as audit set change = erased.change
          from unnest(${found.map(({ id }) => id)}::uuid[],
            ${found.map(({ created_at }) => created_at.toISOString())}::timestamptz[],
            ${found.map(({ change }) => change)}::text[]) as erased (id, created_at, change)
          where store = ${store} and environment = ${environment} and audit.created_at = erased.created_at
            and audit.id = erased.id`;
      const end = rows.length < limit ? null : rows.at(-1)!;
      return { ids: [], next: end && `${end.created_at.toISOString()} ${end.id}` };
    },
  },
];
