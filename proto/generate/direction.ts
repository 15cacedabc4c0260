// The two faces of a message: as callers send it and as they are shown it, each with its own name.
import type { Bounds, FieldType, MessageShape, ProtoFile } from './contract.ts';

export type Direction = 'input' | 'output';

/** A message's name in a direction: `X` when it has one, else `XInput` and `X`. */
export const nameOf = (message: MessageShape, direction: Direction): string =>
  direction === 'input' && message.output ? `${message.name}Input` : message.name;

export const directionsOf = (message: MessageShape): Direction[] => [
  ...(message.output ? (['output'] as const) : []),
  ...(message.input ? (['input'] as const) : []),
];

/** Names that a file's messages use from other files, by file. */
export const importsOf = (file: ProtoFile): Map<string, string[]> => {
  const imports = new Map<string, Set<string>>();
  const need = (message: MessageShape, direction: Direction): void => {
    if (message.file === file.name) return;
    imports.set(message.file, (imports.get(message.file) ?? new Set()).add(nameOf(message, direction)));
  };
  for (const message of file.messages) {
    for (const { shape } of message.fields) {
      if (shape.kind === 'message') for (const direction of directionsOf(message)) need(shape.message, direction);
    }
  }
  return new Map([...imports].sort().map(([name, names]) => [name, [...names].sort()]));
};

/** Bounds of an amount in major units, unless the field has its own. An amount that is shown may be a sum of many. */
const MONEY: Bounds = { minimum: 0, maximum: 99_999_999.99 };

/** Bounds that a number has without a word of the proto file: what its width or its being money allows. */
export const naturalBounds = (
  { bounds, range, money }: FieldType & { kind: 'number' },
  direction: Direction,
): Bounds => {
  const { minimum, maximum } = range ?? (money && direction === 'input' ? MONEY : {});
  const hasLower = bounds.minimum !== undefined || bounds.exclusiveMinimum !== undefined;
  const hasUpper = bounds.maximum !== undefined || bounds.exclusiveMaximum !== undefined;
  return {
    ...(hasLower || minimum === undefined ? {} : { minimum }),
    ...(hasUpper || maximum === undefined ? {} : { maximum }),
  };
};

export const heading = (source: string): string =>
  `// Generated from ${source} by proto/generate: change the proto file and run \`bun proto/generate/main.ts\`.`;
