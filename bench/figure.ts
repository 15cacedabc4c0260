// Numbers as a bench prints them.
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** One line of JSON a case: what reads it are people, the report, and whoever compares two runs. */
export const print = (line: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
