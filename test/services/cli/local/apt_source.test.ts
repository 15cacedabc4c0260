// Reads the machine's apt sources and derives those of a newer suite.
import { describe, expect, test } from 'vitest';
import { type AptFormat, mainArchives, parseSources, sourcesOfSuite } from '#services/cli/local/apt_source.ts';

const KEY = '\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mDMEY865UxYJ\n -----END PGP PUBLIC KEY BLOCK-----';

const machines: { name: string; format: AptFormat; text: string; derived: string }[] = [
  {
    name: 'a container image with deb822 sources and a security archive beside',
    format: 'deb822',
    text: `# made by a tool
Types: deb
# http://snapshot.example/20250520
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/archive.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/archive.gpg
`,
    derived: `Types: deb
URIs: http://mirror.example/debian
Suites: trixie
Components: main
Architectures: amd64
Signed-By: /usr/share/keyrings/archive.gpg
`,
  },
  {
    name: 'an older machine with one-line sources, options and comments',
    format: 'one-line',
    text: `# deb http://old.example/debian bookworm main
deb [arch=amd64,i386 signed-by=/etc/apt/keyrings/a.gpg,/etc/apt/keyrings/b.gpg] https://mirror.example/debian/ bookworm main contrib # ours
deb-src https://mirror.example/debian/ bookworm main
deb https://mirror.example/debian/ bookworm-updates main
deb https://tools.example/apt stable-tools main
`,
    derived: `Types: deb
URIs: https://mirror.example/debian/
Suites: trixie
Components: main
Architectures: amd64
Signed-By: /etc/apt/keyrings/a.gpg /etc/apt/keyrings/b.gpg
`,
  },
  {
    name: 'a snapshot whose dates have passed, trusted by a key inside the file',
    format: 'deb822',
    text: `Types: deb deb-src
URIs: http://snapshot.example/debian/20250520
Suites: stable
Components: main contrib
Check-Valid-Until: no
Signed-By:${KEY}
Languages: none
`,
    derived: `Types: deb
URIs: http://snapshot.example/debian/20250520
Suites: trixie
Components: main
Architectures: amd64
Signed-By:${KEY}
Check-Valid-Until: no
`,
  },
  {
    name: 'two mirrors, of which one is switched off, and an installation disc',
    format: 'deb822',
    text: `Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main



Types: deb
URIs: cdrom:[Debian] http://a.example/debian http://b.example/debian
Suites: bookworm
Components: main
`,
    derived: `Types: deb
URIs: http://a.example/debian http://b.example/debian
Suites: trixie
Components: main
Architectures: amd64
`,
  },
  {
    name: 'a machine with two archives of main',
    format: 'one-line',
    text: 'deb http://a.example/debian bookworm main\ndeb [trusted=yes] file:/srv/mirror bookworm main\n',
    derived: `Types: deb
URIs: http://a.example/debian
Suites: trixie
Components: main
Architectures: amd64

Types: deb
URIs: file:/srv/mirror
Suites: trixie
Components: main
Architectures: amd64
Trusted: yes
`,
  },
];

describe('the source of the newer suite', () => {
  test.each(machines)('derives the newer suite’s source for $name', ({ format, text, derived }) => {
    const archives = mainArchives(parseSources(text, format), 'bookworm');
    expect(sourcesOfSuite(archives, 'trixie', 'amd64')).toBe(derived);
  });

  const without: { name: string; format: AptFormat; text: string }[] = [
    { name: 'an empty file', format: 'deb822', text: '' },
    { name: 'only other suites', format: 'one-line', text: 'deb http://a.example/debian bookworm-backports main\n' },
    { name: 'only other components', format: 'one-line', text: 'deb http://a.example/debian bookworm non-free\n' },
    { name: "only another maker's archive", format: 'one-line', text: 'deb https://b.example/apt nodistro main\n' },
    { name: 'only a disc', format: 'one-line', text: 'deb cdrom:disc bookworm main\n' },
    {
      name: 'only sources of programs',
      format: 'deb822',
      text: 'Types: deb-src\nURIs: http://a.example/debian\nSuites: bookworm\nComponents: main\n',
    },
  ];

  test.each(without)('derives nothing from $name', ({ format, text }) => {
    expect(mainArchives(parseSources(text, format), 'bookworm')).toEqual([]);
  });
});
