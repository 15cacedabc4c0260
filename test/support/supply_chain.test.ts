// Dependencies have permitted licences, pinned contents and no install scripts of their own.
import { describe, expect, it } from 'vitest';
import { isPermitted, supplyChainFindings } from '#test/supply_chain.ts';
import type { Dependency } from './dependency.ts';

const lamp: Dependency = {
  key: 'lamp',
  name: 'lamp',
  version: '1.0.0',
  integrity: 'sha512-AAAA',
  licence: 'MIT',
  runsInstallScript: false,
  needs: [],
  shipped: true,
};

const findings = (change: Partial<Dependency>, trusted: readonly string[] = []): string[] =>
  supplyChainFindings([{ ...lamp, ...change }], trusted).filter((finding) => !finding.includes('is reviewed and not'));

describe('a licence', () => {
  it.each([
    ['MIT', true, true],
    ['MIT OR GPL-3.0-only', true, true],
    ['MIT AND GPL-3.0-only', true, false],
    ['(Apache-2.0 AND (BSD-3-Clause OR AGPL-3.0-only))', true, true],
    ['MPL-2.0', true, false],
    ['MPL-2.0', false, true],
    ['GPL-3.0-or-later', false, false],
    ['SEE LICENSE IN README.md', true, false],
    ['', true, false],
  ])('%j is judged for a package that is shipped: %j (permitted: %j)', (licence, shipped, permitted) => {
    expect(isPermitted(licence, shipped)).toBe(permitted);
  });
});

describe('the lock file', () => {
  it('passes as it is', () => {
    expect(supplyChainFindings()).toEqual([]);
  });

  it('refuses a package without a licence, with the name of the package', () => {
    expect(findings({ licence: 'none' })).toEqual([expect.stringContaining('lamp 1.0.0: the licence none')]);
  });

  it('refuses a package whose content is not pinned', () => {
    expect(findings({ integrity: '' })).toEqual(['lamp 1.0.0: the lock file pins no content']);
  });

  it('refuses an install script beyond the listed ones', () => {
    expect(findings({}, ['lamp'])).toEqual([expect.stringContaining('lamp may run an install script')]);
  });

  it('accepts the package of another platform, whose manifest is not here', () => {
    expect(findings({ licence: null })).toEqual([]);
  });
});
