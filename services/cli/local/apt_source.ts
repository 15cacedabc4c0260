// Reads the machine's apt sources and derives the same sources for a newer suite.

export interface AptSource {
  readonly uris: readonly string[];
  readonly suites: readonly string[];
  readonly components: readonly string[];
  /** Trust options by deb822 field name; a value may span lines, as an embedded key does. */
  readonly options: Readonly<Record<string, string>>;
}

export type AptFormat = 'deb822' | 'one-line';

/** Options that concern access and trust; all other options select packages. */
const TRUST_OPTIONS = ['Signed-By', 'Trusted', 'Check-Valid-Until', 'Check-Date', 'Allow-Insecure', 'Allow-Weak'];

/** Aliases of suites. Suites such as `bookworm-updates` are not main archives. */
const MOVING_SUITES = ['stable', 'oldstable', 'oldoldstable', 'testing', 'unstable', 'sid'];

export const parseSources = (text: string, format: AptFormat): AptSource[] =>
  format === 'deb822' ? parseStanzas(text) : text.split('\n').flatMap(parseLine);

const parseStanzas = (text: string): AptSource[] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .split(/\n[ \t]*(?:\n[ \t]*)*\n|^\s*\n/)
    .flatMap((stanza) => {
      const fields = new Map<string, string>();
      let name = '';
      for (const line of stanza.split('\n')) {
        const field = /^([A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line);
        if (field) {
          name = field[1]!.toLowerCase();
          fields.set(name, field[2]!.trimEnd());
        } else if (/^[ \t]/.test(line) && name !== '') fields.set(name, `${fields.get(name)}\n${line.trimEnd()}`);
      }
      const words = (field: string): string[] => (fields.get(field) ?? '').split(/\s+/).filter(Boolean);
      if (!words('types').includes('deb') || /^(no|false|off|0)$/i.test(fields.get('enabled')?.trim() ?? 'yes'))
        return [];
      return [
        {
          uris: words('uris'),
          suites: words('suites'),
          components: words('components'),
          options: pickOptions((option) => fields.get(option.toLowerCase())),
        },
      ];
    });

const parseLine = (line: string): AptSource[] => {
  const found = /^\s*deb\s+(?:\[([^\]]*)\]\s*)?(\S+)\s+(\S+)((?:\s+[^\s#]+)*)\s*(?:#.*)?$/.exec(line);
  if (!found) return [];
  const options = new Map(
    [...(found[1] ?? '').matchAll(/([a-z-]+)[+-]?=(\S+)/gi)].map(([, name, value]) => [name!.toLowerCase(), value!]),
  );
  return [
    {
      uris: [found[2]!],
      suites: [found[3]!],
      components: found[4]!.split(/\s+/).filter(Boolean),
      options: pickOptions((option) => options.get(option.toLowerCase())?.replaceAll(',', ' ')),
    },
  ];
};

const pickOptions = (read: (option: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    TRUST_OPTIONS.flatMap((option) => {
      const value = read(option);
      return value === undefined ? [] : [[option, value] as const];
    }),
  );

export const mainArchives = (sources: readonly AptSource[], codename: string): AptSource[] =>
  sources.filter(
    ({ uris, suites, components }) =>
      uris.some((uri) => !uri.startsWith('cdrom:')) &&
      components.includes('main') &&
      suites.some((suite) => suite === codename || MOVING_SUITES.includes(suite)),
  );

export const sourcesOfSuite = (archives: readonly AptSource[], suite: string, architecture: string): string =>
  archives
    .map(({ uris, options }) =>
      [
        'Types: deb',
        `URIs: ${uris.filter((uri) => !uri.startsWith('cdrom:')).join(' ')}`,
        `Suites: ${suite}`,
        'Components: main',
        `Architectures: ${architecture}`,
        ...Object.entries(options).map(([name, value]) => `${name}:${value.startsWith('\n') ? '' : ' '}${value}`),
      ].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
