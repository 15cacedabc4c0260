// Compares a draft with the record that it began from, and merges it with what another person saved meanwhile.

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

export const differences = <Draft extends object>(saved: Draft, next: Draft): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(value, saved[name as keyof Draft])),
  ) as Partial<Draft>;

export interface DraftChange {
  readonly name: string;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Whether the draft changed the field too, to another value. */
  readonly isOurs: boolean;
}

interface MergedDraft<Draft> {
  readonly draft: Draft;
  readonly changes: readonly DraftChange[];
}

/** Takes their fields, and the draft's own where it alone changed them or `ours` names them. */
export const mergeDraft = <Draft extends object>(
  saved: Draft,
  theirs: Draft,
  mine: Draft,
  ours?: ReadonlySet<string>,
): MergedDraft<Draft> => {
  const own = differences(saved, mine);
  const changes = Object.entries(differences(saved, theirs))
    // The version changes with every save, and is no input.
    .filter(([name]) => name !== 'version')
    .map(([name, value]) => {
      const draftValue = mine[name as keyof Draft];
      return { name, theirs: value, mine: draftValue, isOurs: name in own && !isSame(draftValue, value) };
    });
  const isTheirs = (name: string): boolean =>
    changes.some((change) => change.name === name && !(ours === undefined ? change.isOurs : ours.has(name)));
  const used = Object.fromEntries(Object.entries(own).filter(([name]) => !isTheirs(name)));
  return { draft: { ...theirs, ...used }, changes };
};
