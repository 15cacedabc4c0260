// `previous_attributes` of an event: "only the changed fields", as they were.

/** The fields of `before` that `after` shows otherwise, the time of the change itself apart. */
export const changedFields = <T extends object>(before: T, after: T): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(after[name as keyof T]),
    ),
  );
