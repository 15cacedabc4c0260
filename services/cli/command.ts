// Parts that all commands share: options, output as text or JSON, and failures as one sentence with exit code 1.
import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs } from 'citty';
import type { Admin } from './admin.ts';
import { SetupError } from './local/child.ts';
import { runningSystem } from './running.ts';

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Ends the process after all output was written: a pipe takes only 64 kB at a time. */
export const exit = async (code: number): Promise<never> => {
  await new Promise<void>((taken) => process.stdout.end(() => taken()));
  process.exit(code);
};

export const JSON_OPTION = { type: 'boolean', description: 'Prints JSON only' } as const;
export const STORE_OPTION = {
  type: 'string',
  description: "The store's id or code",
  valueHint: 'id',
  required: true,
} as const;

/**
 * Returns an error for arguments that the parser wrongly accepts: an unknown option, an extra word, or a missing
 * choice.
 */
const argumentError = (known: ArgsDef, args: Readonly<Record<string, unknown>> & { readonly _: readonly string[] }) => {
  const names = new Set(Object.keys(known).flatMap((name) => [name, camel(name)]));
  const option = Object.keys(args).find((name) => name !== '_' && !names.has(name) && !names.has(camel(name)));
  if (option) return `The option --${option} does not exist. See --help.`;
  const places = Object.values(known).filter(({ type }) => type === 'positional').length;
  const word = args._[places];
  if (word !== undefined) return `The argument "${word}" is unexpected. Put a value of several words in quotes.`;
  const choices = Object.entries(known).filter(([, { type, required }]) => type === 'enum' && required);
  const missing = choices.find(([name]) => args[name] === undefined);
  return missing ? `Missing required argument: --${missing[0]}` : null;
};

export const define = <const T extends ArgsDef>(it: {
  readonly name: string;
  readonly description: string;
  readonly args: T;
  readonly run: (args: ParsedArgs<T>) => Promise<void>;
}): CommandDef<T> =>
  defineCommand({
    meta: { name: it.name, description: it.description },
    args: it.args,
    run: async ({ args }) => {
      try {
        const wrong = argumentError(it.args, args);
        if (wrong) throw new SetupError(wrong);
        await it.run(args);
      } catch (fault) {
        if (!(fault instanceof SetupError)) throw fault;
        say(fault.message);
        await exit(1);
      }
    },
  });

const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

export const administer = async <T>(work: (admin: Admin, baseUrl: string) => Promise<T>): Promise<T> => {
  const { link, baseUrl } = runningSystem();
  // Imported only when needed: loading the client takes half of a command's time, and help and wrong arguments do not
  // need it.
  const { withAdmin } = await import('./admin.ts');
  return withAdmin(link, (admin) => work(admin, baseUrl));
};

export const print = (json: boolean | undefined, answer: object, words: () => string): void =>
  void process.stdout.write(`${json ? JSON.stringify(answer, null, 2) : words()}\n`);

export const columns = (rows: Readonly<Record<string, unknown>>): string => {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows)
    .map(([name, value]) => `  ${name.replaceAll('_', ' ').padEnd(width)}  ${value}`)
    .join('\n');
};

export const wholeNumber = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new SetupError(`--${option} must be a whole number of at most 15 digits, not "${text}".`);
  return Number(text);
};
