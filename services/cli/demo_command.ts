// `stoa demo`: prints the URL and keys of this home's demo.
import { define, JSON_OPTION, print } from './command.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { readDemo } from './store_access.ts';

const NAME_WIDTH = 32;

const valuesOf = (demo: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(demo).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(valuesOf(value)).map(([below, text]) => [`${name}.${below}`, text] as const)
        : [[name, String(value)] as const],
    ),
  );

export const demo = define({
  name: 'demo',
  description: 'Prints the demo’s address and keys, or one of them',
  args: {
    name: {
      type: 'positional',
      description: 'The value’s name, such as base_url or wholesale.secret_test_key; all by default',
      required: false,
    },
    json: JSON_OPTION,
  },
  run: async ({ name, json }) => {
    const home = homePath();
    const file = readDemo(home);
    if (file === null)
      throw new SetupError(
        `${home} has no demo. Create it with \`npm start\`, or set STOA_HOME to the home that has one.`,
      );
    const values = valuesOf(file);
    if (name === undefined)
      return print(json, file, () =>
        Object.entries(values)
          .map(([each, value]) => `${each.padEnd(NAME_WIDTH)} ${value}`)
          .join('\n'),
      );
    const value = Object.hasOwn(values, name) ? values[name]! : null;
    if (value === null)
      throw new SetupError(`The demo has no value "${name}". It has: ${Object.keys(values).join(', ')}.`);
    print(json, { [name]: value }, () => value);
  },
});
