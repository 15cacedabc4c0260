// Computes `previous_attributes` of an event: the changed fields with their old values.

/** Ignores `updated_at`. */
export const changedFields = <T extends object>(before: T, after: T): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(after[name as keyof T]),
    ),
  );
