// `--help` of every command describes the command and each of its options.
import { type ArgsDef, type CommandDef, type Resolvable, renderUsage } from 'citty';
import { expect, test } from 'vitest';
import { stoa } from '#services/cli/command_tree.ts';

/** A command with all that it is divided into, by what a caller types. */
const all = async (command: CommandDef, typed: string): Promise<(readonly [string, CommandDef])[]> => {
  const below = Object.entries((command.subCommands ?? {}) as Record<string, Resolvable<CommandDef>>).map(
    async ([name, given]) => all(await (typeof given === 'function' ? given() : given), `${typed} ${name}`),
  );
  return [[typed, command] as const, ...(await Promise.all(below)).flat()];
};
const commands = await all(stoa as CommandDef, 'stoa');

test('there are commands, some of them divided', () => {
  const names = commands.map(([typed]) => typed);
  expect(names).toEqual(
    expect.arrayContaining(['stoa start', 'stoa store create', 'stoa keys rotate', 'stoa shop new']),
  );
});

test.each(commands)('`npx %s --help` says what it does', async (typed, command) => {
  const page = await renderUsage(command);
  const { name, description = '' } = command.meta as { name: string; description?: string };
  expect(name).toBe(typed.split(' ').at(-1));
  expect(description).toMatch(/^[A-Z].{10}/);
  expect(page).toContain(description);
  for (const [option, { description: sets = '' }] of Object.entries((command.args ?? {}) as ArgsDef))
    expect([option, sets.length > 3 && page.includes(sets)]).toEqual([option, true]);
});
