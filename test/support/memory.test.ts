// Checks that the keys of every collection that outlives a call begin with store and environment. A list names the exceptions
// with their reasons.
import { describe, expect, it } from 'vitest';
import { code, textOf } from '#test/support/house.ts';
import { NO_TENANT_NEEDED, persistentTextCollections } from '#test/support/memory.ts';

describe('maps and sets that outlive a call', () => {
  it.each([
    ['class A { readonly #seen: Map<string, B>; }', ['seen']],
    ['class A { readonly #seen = new Set<string>(); }', ['seen']],
    [
      'const open = () => { const seen = new Map<string, B>(); const get = (id) => seen.get(id); return { get }; };',
      ['seen'],
    ],
    ['const join = (all) => { const seen = new Set<string>(); return all.filter(({ id }) => seen.has(id)); };', []],
    ['class A { readonly #seen = new Map<TenantKey, B>(); }', []],
  ])('finds those of %s', (text, names) => {
    expect(persistentTextCollections(text)).toEqual(names);
  });

  it('leads every key of a lasting collection with the tenant', () => {
    const excused = Object.values(NO_TENANT_NEEDED).flat();
    const found = code
      .filter((path) => /^(edge|services)\/.*\.ts$/.test(path))
      .flatMap((path) => persistentTextCollections(textOf(path)).map((name) => `${path} ${name}`));
    // The others' keys are `TenantKey`s, which `tenantKey` alone makes.
    expect([...new Set(found)].sort()).toEqual([...excused].sort());
  });

  it('take keys that are made in one place', () => {
    const casts = code.filter((path) => /^(edge|services)\//.test(path) && /\bas TenantKey\b/.test(textOf(path)));
    expect(casts).toEqual(['services/runtime/call/call.ts']);
  });
});
