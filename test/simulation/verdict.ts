// The promises of every history, with any failures in it.
import { Refusal } from '#runtime/call/call.ts';
import { type TicketFact, type Tickets, ticket } from '#test/services/runtime/actor/ticket.ts';
import { untyped } from '#test/support/event.ts';
import { type ClientCommand, EPOCH_MS, type History } from './history.ts';

export class Violation extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'Violation';
  }
}

const demand = (holds: boolean, text: () => string): void => {
  if (!holds) throw new Violation(text());
};

/** A seat's states, one after each of its records in the log. */
interface Course {
  state: Tickets;
  readonly totals: Set<number>;
}

const total = ({ free, held, sold }: { free: number; held: number; sold: number }): number => free + held + sold;
const totalOf = ({ free, sold, holds }: Tickets): number =>
  free + sold + Object.values(holds).reduce((sum, { count }) => sum + count, 0);

/** The log, read as a new owner would: contiguous, each command once. */
const replay = ({
  broker,
  database,
}: History): { courses: Map<string, Course>; written: Map<string, number>; facts: number } => {
  const courses = new Map<string, Course>();
  const written = new Map<string, number>();
  let facts = 0;
  for (const partition of database.logs) {
    let number = 0;
    let ended = false;
    for (const { batch } of broker.history(partition)) {
      // The fence of a log with a trimmed end: Postgres reports to its owner that the log is sealed.
      demand(
        !ended || batch.records.length === 0,
        () => `Partition ${partition} goes on after its end, with batch ${batch.number}.`,
      );
      ended ||= batch.ends;
      demand(batch.number === number + 1, () => `Partition ${partition} has batch ${batch.number} after ${number}.`);
      number = batch.number;
      for (const record of batch.records) {
        const id = batch.actors[record.actorIndex]?.id ?? '';
        const course = courses.get(id) ?? { state: ticket.initial, totals: new Set([0]) };
        courses.set(id, course);
        for (const fact of record.facts as TicketFact[]) {
          course.state = ticket.evolve(course.state, fact);
          if (fact.did === 'sold' || fact.did === 'expired') facts++;
        }
        course.totals.add(totalOf(course.state));
        demand(course.state.free >= 0, () => `Seat ${id} was oversold in batch ${batch.number}.`);
        written.set(record.commandId, (written.get(record.commandId) ?? 0) + 1);
      }
    }
  }
  return { courses, written, facts };
};

const writes = ({ command }: ClientCommand): boolean => command.do === 'add' || command.do === 'hold';

/** Sum added to a seat by commands that were acknowledged before a time. */
const acknowledgedSums = (asked: readonly ClientCommand[]): ((id: string, before: number) => number) => {
  const seats = new Map<string, { readonly at: number; sum: number }[]>();
  // A keyed command's later answers tell of the same effect.
  const counted = new Set<string>();
  for (const each of asked.toSorted((a, b) => a.answeredAt - b.answeredAt)) {
    if (each.outcome !== 'answered' || each.command.do !== 'add' || counted.has(each.commandId)) continue;
    counted.add(each.commandId);
    const sums = seats.get(each.ticket) ?? [];
    seats.set(each.ticket, sums);
    sums.push({ at: each.answeredAt, sum: (sums.at(-1)?.sum ?? 0) + each.command.count });
  }
  return (id, before) => {
    const sums = seats.get(id) ?? [];
    let low = 0;
    for (let high = sums.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((sums[middle]?.at ?? 0) < before) low = middle + 1;
      else high = middle;
    }
    return sums[low - 1]?.sum ?? 0;
  };
};

export const judge = (history: History): void => {
  const { asked, database, broker, final } = history;
  const { courses, written, facts } = replay(history);

  for (const [commandId, count] of written) demand(count === 1, () => `${commandId} had its effect ${count} times.`);

  const fates = Map.groupBy(asked, ({ commandId }) => commandId);
  for (const [commandId, tries] of fates) {
    const acknowledged = tries.some((each) => each.outcome === 'answered' && writes(each));
    if (acknowledged) demand(written.has(commandId), () => `${commandId} was acknowledged and is lost.`);
    if (tries.every(({ outcome }) => outcome === 'refused' || outcome === 'unavailable'))
      demand(!written.has(commandId), () => `${commandId} was refused and had an effect.`);
  }

  const added = acknowledgedSums(asked);
  for (const each of asked) {
    const { answer, command, ticket: id } = each;
    if (!answer || answer instanceof Refusal) continue;
    const course = courses.get(id);
    demand(
      course?.totals.has(total(answer)) ?? total(answer) === 0,
      () => `${each.commandId} answered a state of ${id} that never existed.`,
    );
    if (command.do !== 'look' || !each.calm) continue;
    const before = added(id, each.askedAt);
    demand(total(answer) >= before, () => `${each.commandId} did not see what was acknowledged before it.`);
  }

  for (const [id, { state }] of courses) {
    for (const [hold, end] of Object.entries(state.ended))
      demand(end === 'sold;' || end === 'expired;', () => `Hold ${hold} of ${id} ended as ${end}`);
    demand(Object.keys(state.holds).length === 0, () => `A hold of ${id} never ends.`);
    const answer = final.get(id);
    demand(answer?.sold === state.sold && answer.free === state.free, () => `${id} is not what its log says.`);
    const snapshot = [...database.rows.values()].find(({ address }) => address.id === id);
    demand(snapshot?.state === JSON.stringify(state), () => `The snapshot of ${id} is not what its log says.`);
  }
  for (const partition of database.logs) {
    // A new owner writes a batch without records, even if it crashes then.
    const last = broker.history(partition).findLast(({ batch }) => batch.records.length > 0)?.batch.number ?? 0;
    demand(database.position(partition).batch >= last, () => `Partition ${partition} is not projected to its end.`);
  }
  demand(database.layout.previous === null, () => 'A change of the layout is never over.');
  demand(database.events.length === facts, () => `${facts} facts were published as ${database.events.length} events.`);
  const published = new Set(database.events.map(({ event }) => `${event.type} ${untyped(event.object).hold}`));
  demand(published.size === facts, () => 'An event was published twice.');
  demand(
    database.events.every(({ createdAt }) => createdAt.getTime() >= EPOCH_MS),
    () => 'An event has no time.',
  );
};
