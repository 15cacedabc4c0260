// Takes a person's texts out of the event log, from which webhooks are delivered.
import { type ErasureRule, mentionsAny, searchedAtOnce, wordsOf } from '#runtime/domain/personal_data.ts';
import { withoutPerson } from '#runtime/event/envelope.ts';

export const eventErasures: readonly ErasureRule[] = [
  {
    what: 'events',
    stage: 'trace',
    erase: async ({ sql }, person, after) => {
      const { store, environment } = person.tenant;
      const words = wordsOf(person);
      const limit = searchedAtOnce(words);
      const rows = await sql<{ id: string; payload: string | null }[]>`
        select id, case when ${mentionsAny(sql, sql`payload`, words)} then payload end as payload from (
          select id, payload from runtime.event
          where store = ${store} and environment = ${environment} and id > ${after ?? ''} order by id limit ${limit}
        ) as page order by id`;
      const found = rows.flatMap(({ id, payload: before }) => {
        const payload = before && withoutPerson(before);
        return payload === null || payload === before ? [] : [{ id, payload }];
      });
      if (found.length > 0)
        await sql`
          update runtime.event as event set payload = erased.payload
          from unnest(${found.map(({ id }) => id)}::text[], ${found.map(({ payload }) => payload)}::text[])
            as erased (id, payload)
          where store = ${store} and environment = ${environment} and event.id = erased.id`;
      return { ids: [], next: rows.length < limit ? null : rows.at(-1)!.id };
    },
  },
];
